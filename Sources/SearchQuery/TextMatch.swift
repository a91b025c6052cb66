import Foundation

/// A text value of a query, with its wildcards and modifiers.
///
/// Without either it must be the whole value. With `w` it may be any whole words of it. A `*` stands for any characters;
/// where a pattern has one, its ends are at the value's or a word's. With `t` each word of it must be a word of the value.
package struct TextMatch: Hashable, Sendable {
    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// `c`
        package static let ignoresCase = Modifiers(rawValue: 1)
        /// `d`
        package static let ignoresDiacritics = Modifiers(rawValue: 2)
        /// `w`
        package static let words = Modifiers(rawValue: 4)
        /// `t`
        package static let tokenized = Modifiers(rawValue: 8)
    }

    package let modifiers: Modifiers
    /// The parts between the wildcards; one part without any.
    package let parts: [String]
    private let folded: [[Unicode.Scalar]]
    private let tokens: [[Unicode.Scalar]]

    package init(parts: [String], modifiers: Modifiers) {
        self.parts = parts
        self.modifiers = modifiers
        folded = parts.map { FoldedText($0, modifiers).scalars }
        tokens = modifiers.contains(.tokenized) ? parts.flatMap { FoldedText($0, modifiers).words } : []
    }

    var hasWildcard: Bool { parts.count > 1 }

    /// Texts whose words are whole words of every value that matches.
    var wholeWords: [String] { hasWildcard ? [] : parts }

    package func matches(_ text: String) -> Bool {
        let value = FoldedText(text, modifiers)
        if modifiers.contains(.tokenized), !tokens.isEmpty {
            let words = Set(value.words)
            guard hasWildcard else { return tokens.allSatisfy(words.contains) }
            // The last may be the beginning of a word.
            let last = tokens.count - 1
            return tokens.indices.allSatisfy { index in
                words.contains(tokens[index])
                    || index == last && parts.last?.isEmpty == true && words.contains { $0.starts(with: tokens[index]) }
                    || index == 0 && parts.first?.isEmpty == true
                        && words.contains { $0.reversed().starts(with: tokens[index].reversed()) }
            } || matchesPattern(value)
        }
        return matchesPattern(value)
    }

    /// Each part at its first place after the part before it: linear in the length of the value for each part.
    private func matchesPattern(_ value: FoldedText) -> Bool {
        let end = value.scalars.count
        let byWord = modifiers.contains(.words) || hasWildcard
        if !hasWildcard, !byWord { return folded.first.map { $0 == value.scalars } ?? false }
        if !hasWildcard {
            guard let part = folded.first else { return false }
            return value.first(part, from: 0, startsWord: true, endsWord: true) != nil
        }
        var position = 0
        for (index, part) in folded.enumerated() where !part.isEmpty {
            let isFirst = index == 0
            let isLast = index == folded.count - 1
            if isLast {
                return value.last(part, from: position, startsWord: isFirst) != nil
            }
            guard let found = value.first(part, from: position, startsWord: isFirst, endsWord: false) else {
                return false
            }
            position = found + part.count
        }
        // A pattern of wildcards alone is any text at all.
        return folded.contains { !$0.isEmpty } || end > 0
    }
}

/// A text as a query compares it, and where its words are.
struct FoldedText {
    private(set) var scalars: [Unicode.Scalar] = []
    /// Whether a word begins, or ends, before the scalar at this place.
    private var starts: [Bool] = []
    private var ends: [Bool] = []

    init(_ text: String, _ modifiers: TextMatch.Modifiers) {
        var options: String.CompareOptions = []
        if modifiers.contains(.ignoresCase) { options.insert(.caseInsensitive) }
        if modifiers.contains(.ignoresDiacritics) { options.insert(.diacriticInsensitive) }
        var last: Kind?
        for character in text {
            let kind = Kind(character)
            let isBoundary = last != kind && !(last == .upper && kind == .lower)
            let folded =
                character.isASCII
                ? (modifiers.contains(.ignoresCase) ? character.lowercased() : String(character))
                : options.isEmpty
                    ? String(character).precomposedStringWithCanonicalMapping
                    : String(character).folding(options: options, locale: nil)
            for (index, scalar) in folded.unicodeScalars.enumerated() {
                // “NSWindow” is one word: only lower case before upper begins another.
                let begins =
                    index == 0 && kind != .none
                    && (last == nil || last == Kind.none || last == .lower && kind == .upper)
                let endsHere =
                    index == 0 && isBoundary && last != nil && last != Kind.none
                    && (kind == .none || last == .lower && kind == .upper)
                scalars.append(scalar)
                starts.append(begins)
                ends.append(endsHere)
            }
            last = kind
        }
        starts.append(false)
        ends.append(last != nil && last != Kind.none)
    }

    private enum Kind {
        case none, lower, upper, other

        init(_ character: Character) {
            self =
                character.isUppercase
                ? .upper : character.isLowercase ? .lower : character.isLetter || character.isNumber ? .other : .none
        }
    }

    var words: [[Unicode.Scalar]] {
        var words: [[Unicode.Scalar]] = []
        var start: Int?
        for index in 0...scalars.count {
            if ends[index], let begun = start {
                words.append(Array(scalars[begun..<index]))
                start = nil
            }
            if starts[index] { start = index }
        }
        return words
    }

    /// The first place of a part at or after another. Knuth, Morris and Pratt's search.
    func first(_ part: [Unicode.Scalar], from position: Int, startsWord: Bool, endsWord: Bool) -> Int? {
        var found: Int?
        search(part, from: position) { place in
            guard !startsWord || place == 0 || starts[place], !endsWord || isEnd(place + part.count) else {
                return true
            }
            found = place
            return false
        }
        return found
    }

    /// A place of a part, at or after another, that ends at the end of a word.
    func last(_ part: [Unicode.Scalar], from position: Int, startsWord: Bool) -> Int? {
        first(part, from: position, startsWord: startsWord, endsWord: true)
    }

    private func isEnd(_ place: Int) -> Bool { place == scalars.count || ends[place] }

    /// - Parameter body: is given each place; false ends the search.
    private func search(_ part: [Unicode.Scalar], from position: Int, _ body: (Int) -> Bool) {
        guard !part.isEmpty, part.count <= scalars.count - position else { return }
        var borders = [0]
        var length = 0
        for element in part.dropFirst() {
            while length > 0, element != part[length] { length = borders[length - 1] }
            if element == part[length] { length += 1 }
            borders.append(length)
        }
        var matched = 0
        for index in position..<scalars.count {
            while matched > 0, scalars[index] != part[matched] { matched = borders[matched - 1] }
            if scalars[index] == part[matched] { matched += 1 }
            if matched == part.count {
                if !body(index + 1 - matched) { return }
                matched = borders[matched - 1]
            }
        }
    }
}
