import SearchText

/// Conditions of a query beyond its words, in expressions of FTS5.
extension SearchEngine {
    /// These words in this order, with the stems of each language.
    func together(_ words: [[UInt8]]) -> String {
        let phrases = stemmers.map { stemmer in
            "\"" + words.map { String(decoding: stemmer.stem($0), as: UTF8.self) }.joined(separator: " ") + "\""
        }
        return "(" + phrases.uniqued().joined(separator: " OR ") + ")"
    }

    func restricted(_ expression: String) -> String {
        let all = required.reduce("(\(expression))") { "(\($0) AND \($1))" }
        return excluded.isEmpty ? all : "\(all) NOT (\(excluded.joined(separator: " OR ")))"
    }
}
