import Foundation

/// The words of a sentence, without case, accents, marks of direction and typographic quotes.
struct RequestTokens: Sendable {
    struct Token: Sendable {
        /// As it is compared.
        var key: String
        /// Where it is in ``RequestTokens/text``.
        var range: Range<String.Index>
        /// In quotes: a text or a name, and no word of the grammar.
        var isQuoted = false
        /// Neither a letter nor a number: 👍.
        var isPicture: Bool { !isQuoted && !key.contains { $0.isLetter || $0.isNumber } }
        /// The word by itself, where that is not what was written: Zeynep of “Zeynebi”.
        var written: String?
    }

    /// The sentence on one line, with plain apostrophes, and without what is not seen.
    let text: String
    private(set) var tokens: [Token] = []

    init(_ sentence: String, splitsAtApostrophes: Bool) {
        var cleaned = String.UnicodeScalarView()
        for scalar in sentence.unicodeScalars where !Self.isInvisible(scalar) {
            switch scalar {
            case "\u{2018}", "\u{2019}", "\u{02BC}", "`", "\u{00B4}": cleaned.append("'")
            case "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{00AB}", "\u{00BB}": cleaned.append("\"")
            default:
                let isSpace = scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
                cleaned.append(isSpace ? " " : scalar)
            }
        }
        text = String(cleaned)
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == " " {
                index = text.index(after: index)
            } else if text[index] == "\"", let end = text[text.index(after: index)...].firstIndex(of: "\"") {
                add(quoted: text.index(after: index)..<end)
                index = text.index(after: end)
            } else {
                let end = text[text.index(after: index)...].firstIndex { $0 == " " || $0 == "\"" } ?? text.endIndex
                add(word: index..<end, splitsAtApostrophes)
                index = end
            }
        }
    }

    /// A picture at the end is a part of a message.
    var endsWithPicture: Bool { tokens.last?.isPicture == true }

    /// Whether a token goes on with the word of the one in front: the “Lena” of “Anna-Lena”.
    func isWithinWord(_ index: Int) -> Bool {
        guard tokens.indices.contains(index), index > 0, !tokens[index].isQuoted else { return false }
        let end = tokens[index - 1].range.upperBound
        return text[end..<max(tokens[index].range.lowerBound, end)] == "-"
    }

    mutating func replaceKey(at index: Int, by key: String) { tokens[index].key = key }

    mutating func dropFirst(_ count: Int) { tokens.removeFirst(count) }

    mutating func dropLast(_ count: Int) { tokens.removeLast(count) }

    mutating func replace(by tokens: [Token]) { self.tokens = tokens }

    /// The text from one token to before another, as it was written.
    func text(_ range: Range<Int>) -> String {
        guard let first = tokens.dropFirst(range.lowerBound).first, range.upperBound > range.lowerBound else {
            return ""
        }
        let last = tokens[range.upperBound - 1]
        guard range.count > 1 else { return first.written ?? bracketed(first.range) }
        // A quotation within a text keeps its quotes.
        let start = first.isQuoted ? text.index(before: first.range.lowerBound) : first.range.lowerBound
        let end = last.isQuoted ? text.index(after: last.range.upperBound) : last.range.upperBound
        return bracketed(start..<end)
    }

    /// Question and exclamation marks right behind a token that is not quoted: what is said with them means another thing.
    func marks(behind index: Int) -> String {
        guard tokens.indices.contains(index), !tokens[index].isQuoted else { return "" }
        return String(text[tokens[index].range.upperBound...].prefix { "?!".contains($0) })
    }

    /// Whether a comma stands right behind a token.
    func hasComma(behind index: Int) -> Bool {
        tokens.indices.contains(index) && text[tokens[index].range.upperBound...].first == ","
    }

    /// With the brackets around its first and its last word, where one of them is there already: (415) 781.
    private func bracketed(_ range: Range<String.Index>) -> String {
        var (start, end) = (range.lowerBound, range.upperBound)
        let (opening, closing) = (text[range].contains("("), text[range].contains(")"))
        if closing, !opening, start > text.startIndex, text[text.index(before: start)] == "(" {
            start = text.index(before: start)
        }
        if opening, !closing, end < text.endIndex, text[end] == ")" { end = text.index(after: end) }
        return String(text[start..<end])
    }

    private mutating func add(quoted range: Range<String.Index>) {
        let key = Self.fold(text[range].split(separator: " ").joined(separator: " "))
        if !key.isEmpty { tokens.append(Token(key: key, range: range, isQuoted: true)) }
    }

    private mutating func add(word whole: Range<String.Index>, _ splitsAtApostrophes: Bool) {
        var range = whole
        while let first = text[range].first, ",;:!?¿¡()[]\"…".contains(first) {
            range = text.index(after: range.lowerBound)..<range.upperBound
        }
        while let last = text[range].last, ",.;:!?()[]\"…".contains(last) {
            range = range.lowerBound..<text.index(before: range.upperBound)
        }
        guard !range.isEmpty else { return }
        // A dash between words is none.
        if text[range].allSatisfy({ "-–—".contains($0) }) { return }
        // “@7” is at seven.
        let second = text.index(after: range.lowerBound)
        if text[range].first == "@", second < range.upperBound, text[second].isNumber {
            append(range.lowerBound..<second)
            range = second..<range.upperBound
        }
        // So is “at5pm”, “um8” in German, and “saat8'de” in Turkish.
        let letters = text[range].prefix { $0.isLetter }
        let rest = letters.endIndex..<range.upperBound
        if ["at", "um", "saat"].contains(letters.lowercased()), text[rest].first?.isNumber == true,
            text[rest].prefix(while: { $0 != "'" }).allSatisfy({ $0.isNumber || ":.apmAPM".contains($0) })
        {
            append(letters.startIndex..<letters.endIndex)
            range = rest
        }
        // The dashes of an address part no words.
        if WebAddress.url(String(text[range])) != nil { return append(range) }
        if splitsAtApostrophes, let cut = text[range].firstIndex(of: "'"), cut > range.lowerBound {
            add(part: range.lowerBound..<cut)
            return add(part: cut..<range.upperBound)
        }
        add(part: range)
    }

    /// A number is a word of its own in front of letters: 6pm, 21st.
    private mutating func add(part range: Range<String.Index>) {
        let word = text[range]
        // 18h30 is 18:30.
        let clock = word.lowercased().split(separator: "h", omittingEmptySubsequences: false)
        if clock.count == 2, (1...2).contains(clock[0].count), clock[1].count == 2,
            clock.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
        {
            return tokens.append(Token(key: clock.joined(separator: ":"), range: range))
        }
        if let cut = word.firstIndex(where: { !$0.isASCII || !($0.isNumber || ":./-".contains($0)) }),
            cut > range.lowerBound, word[cut].isLetter
        {
            let number = range.lowerBound..<cut
            // So is the 10 of “10-minute timer”.
            let digits = text[number].last == "-" ? text[number].dropLast() : text[number]
            if !digits.isEmpty, digits.allSatisfy({ $0.isNumber || ":.".contains($0) }) {
                append(digits.startIndex..<digits.endIndex)
                if digits.endIndex == cut {
                    // So are both numbers of 1h30m.
                    let rest = text[cut..<range.upperBound]
                    if let next = rest.firstIndex(where: { $0.isASCII && $0.isNumber }), rest.first?.lowercased() == "h"
                    {
                        append(cut..<next)
                        return add(part: next..<range.upperBound)
                    }
                    return append(cut..<range.upperBound)
                }
                for piece in text[cut..<range.upperBound].split(separator: "-") {
                    append(piece.startIndex..<piece.endIndex)
                }
                return
            }
        }
        guard word.first?.isLetter == true else { return append(range) }
        // Twenty-one is twenty one.
        for piece in word.split(separator: "-") { append(piece.startIndex..<piece.endIndex) }
    }

    private mutating func append(_ range: Range<String.Index>) {
        var key = Self.fold(text[range])
        // p.m is pm: the last point went with the sentence's end.
        if key.contains("."), key.allSatisfy({ $0.isLetter || $0 == "." }) { key.removeAll { $0 == "." } }
        if !key.isEmpty { tokens.append(Token(key: key, range: range)) }
    }

    /// Without case and accents, so that “geldigimde” is “geldiğimde”.
    static func fold(_ text: some StringProtocol) -> String {
        var folded = ""
        for scalar in String(text).lowercased().decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar {
            case "ı": folded.append("i")
            case "ß": folded.append("ss")
            default:
                if scalar.properties.generalCategory != .nonspacingMark { folded.unicodeScalars.append(scalar) }
            }
        }
        return folded
    }

    /// Marks of direction, joiners and the like.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{00AD}" || scalar == "\u{FEFF}" || scalar.properties.generalCategory == .format
    }
}
