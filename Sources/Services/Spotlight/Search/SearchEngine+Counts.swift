import GRDB

/// How many documents have a word.
extension SearchEngine {
    /// Documents of a word that are counted, the newest: FTS5 has no count, and goes through all of a word to make one.
    static let countedDocuments = 1000
    /// Items among which they are, at most, that are counted.
    private static let countedItems = 5000

    /// The sum for all of these. Exact below ``countedDocuments`` of a word; above, the share of the newest items that have it stands for
    /// all of them.
    func documents(_ words: [[UInt8]]) throws -> Int { try words.reduce(0) { $0 + (try documents($1)) } }

    private func documents(_ word: [UInt8]) throws -> Int {
        if let own { return try ownDocuments([Self.phrase(word)], in: "text_index", own) }
        let newest = try db.cachedStatement(
            sql: """
                SELECT count(*), min(id) FROM (
                    SELECT rowid AS id FROM text_index WHERE text_index MATCH ? ORDER BY rowid DESC LIMIT ?)
                """)
        guard let row = try Row.fetchOne(newest, arguments: [Self.phrase(word), Self.countedDocuments]) else {
            return 0
        }
        let count: Int = row[0]
        guard count == Self.countedDocuments, let oldest: Int64 = row[1] else { return count }
        let items = try db.cachedStatement(
            sql: """
                SELECT (SELECT count(*) FROM (SELECT 1 FROM item WHERE id >= ?1 LIMIT ?2)),
                    (SELECT sum(items) FROM usage), (SELECT min(id) FROM item), (SELECT max(id) FROM item)
                """)
        guard let all = try Row.fetchOne(items, arguments: [oldest, Self.countedItems]) else { return count }
        let (among, total): (Int, Int) = (all[0], all[1] ?? 0)
        guard among == Self.countedItems else { return max(count, count * total / max(among, 1)) }
        // Among more items it is rarer than that, and where they are does not matter much.
        let (first, last): (Int64, Int64) = (all[2] ?? 0, all[3] ?? 0)
        let share = Double(last - first + 1) / Double(max(last - oldest + 1, 1))
        return min(max(count, Int(Double(count) * share)), max(count, count * total / among))
    }

    /// How many of an app's own items have one of these, and no other's: at most ``countedDocuments``.
    func ownDocuments(_ phrases: [String], in index: String, _ own: SearchScope) throws -> Int {
        let statement = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM (
                    SELECT 1 FROM \(index) JOIN item ON item.id = \(index).rowid
                    WHERE \(index) MATCH ? AND \(own.condition) LIMIT ?)
                """)
        return try Int.fetchOne(
            statement,
            arguments: [phrases.joined(separator: " OR ")] + own.arguments + [Self.countedDocuments]) ?? 0
    }
}
