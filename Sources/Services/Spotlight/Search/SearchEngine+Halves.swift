import GRDB
import SearchText

/// Words that a person writes in one, and documents in two.
extension SearchEngine {
    /// Bytes of a word that is looked at so.
    private static let longestInTwo = 24
    /// Documents that are counted of each.
    private static let enoughDocuments = 100

    /// A word that no document has, as two words that stand side by side in one: “wifi” for “Wi-Fi”, “1250” for “1,250”.
    /// - Returns: the two with a space between, in stems, and how many documents have them.
    func halves(of word: [UInt8]) throws -> (phrases: [[UInt8]], documents: Int) {
        guard (2...Self.longestInTwo).contains(word.count) else { return ([], 0) }
        let statement = try db.cachedStatement(
            sql: "SELECT count(*) FROM (SELECT 1 FROM text_index WHERE text_index MATCH ? LIMIT ?)")
        var (phrases, documents): ([[UInt8]], Int) = ([], 0)
        // Between characters.
        for cut in 1..<word.count where word[cut] & 0xC0 != 0x80 {
            let both = stemmers.map { $0.stem(Array(word[..<cut])) + [0x20] + $0.stem(Array(word[cut...])) }
            for phrase in both.uniqued() {
                let count =
                    if let own { try ownDocuments([Self.phrase(phrase)], in: "text_index", own) } else {
                        try Int.fetchOne(statement, arguments: [Self.phrase(phrase), Self.enoughDocuments]) ?? 0
                    }
                guard count > 0 else { continue }
                phrases.append(phrase)
                documents += count
            }
        }
        return (phrases, documents)
    }
}
