import Foundation

/// Makes texts equal that an operator's options make the same.
struct TextFolding: Hashable, Sendable {
    private let options: PredicateComparison.Options

    init(_ options: PredicateComparison.Options) { self.options = options }

    /// Whether composed and decomposed letters differ.
    var comparesBytes: Bool { options.contains(.normalized) }

    func folded(_ text: String) -> String {
        var folding: String.CompareOptions = []
        if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        // The locale of no person: the same text matches on all devices.
        return folding.isEmpty ? text : text.folding(options: folding, locale: nil)
    }

    func folded(_ character: Character) -> [Character] { Array(folded(String(character))) }

    func areEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (folded(left), folded(right))
        return comparesBytes ? left.utf8.elementsEqual(right.utf8) : left == right
    }

    /// Where one text is found in another.
    func matches(_ text: String, _ part: String, _ place: PredicateComparison.Operator) -> Bool {
        let (text, part) = (folded(text), folded(part))
        if comparesBytes { return Self.find(Array(part.utf8), in: Array(text.utf8), place) }
        return Self.find(Array(part), in: Array(text), place)
    }

    private static func find<Element: Hashable>(
        _ part: [Element], in text: [Element], _ place: PredicateComparison.Operator
    ) -> Bool {
        switch place {
        case .beginsWith: text.starts(with: part)
        case .endsWith: text.reversed().starts(with: part.reversed())
        default: contains(part, in: text)
        }
    }

    /// Knuth, Morris and Pratt's search, which is linear whatever the texts are.
    private static func contains<Element: Hashable>(_ part: [Element], in text: [Element]) -> Bool {
        guard !part.isEmpty else { return true }
        guard part.count <= text.count else { return false }
        var borders = [0]
        var length = 0
        for element in part.dropFirst() {
            while length > 0, element != part[length] { length = borders[length - 1] }
            if element == part[length] { length += 1 }
            borders.append(length)
        }
        var matched = 0
        for element in text {
            while matched > 0, element != part[matched] { matched = borders[matched - 1] }
            if element == part[matched] { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }
}
