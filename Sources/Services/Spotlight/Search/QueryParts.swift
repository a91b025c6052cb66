/// Parts of a query's text that stand together in each result, and parts that are in none: “"dim sum" -closed”. A value.
struct QueryParts: Hashable, Sendable {
    /// All words that are searched for, those in quotes among them.
    var plain = ""
    var quoted: [String] = []
    var excluded: [String] = []

    /// The number of each kind. Policy: further ones are words like others.
    private static let maximum = 8
    private static let quotes: Set<Character> = ["\"", "“", "”", "„", "«", "»"]

    init(_ text: String) {
        var rest = Substring(text)
        var isAfterSpace = true
        while let character = rest.first {
            let next = rest.dropFirst()
            if Self.quotes.contains(character), quoted.count < Self.maximum, let (inner, end) = Self.quote(next) {
                quoted.append(inner)
                plain += " \(inner) "
                (rest, isAfterSpace) = (end, true)
            } else if character == "-", isAfterSpace, excluded.count < Self.maximum, let (word, end) = Self.word(next) {
                excluded.append(word)
                plain += " "
                (rest, isAfterSpace) = (end, true)
            } else {
                plain.append(character)
                (rest, isAfterSpace) = (next, character.isWhitespace)
            }
        }
    }

    /// The text up to the closing quote; nil where there is none.
    private static func quote(_ text: Substring) -> (inner: String, rest: Substring)? {
        guard let end = text.firstIndex(where: quotes.contains) else { return nil }
        return (String(text[..<end]), text[text.index(after: end)...])
    }

    /// The word behind a minus, or what stands in quotes behind it.
    private static func word(_ text: Substring) -> (word: String, rest: Substring)? {
        guard let first = text.first else { return nil }
        if quotes.contains(first) { return quote(text.dropFirst()).map { ($0.inner, $0.rest) } }
        guard first.isLetter || first.isNumber else { return nil }
        let word = text.prefix { !$0.isWhitespace }
        return (String(word), text[word.endIndex...])
    }
}
