import GRDB
import SearchText

/// Results by the beginning of a name, as one types.
extension SearchEngine {
    /// Items of which a name begins so, with all other words in their names too.
    func adding(
        beginnings prefix: [UInt8], _ terms: [Term], in scope: SearchScope, to all: Candidates
    ) throws -> Candidates {
        var all = all
        let words = terms.dropLast().map { Self.phrase($0.typed) } + [Self.phrase(prefix) + "*"]
        let statement = try db.cachedStatement(
            sql: """
                SELECT item.id FROM name_index JOIN item ON item.id = name_index.rowid
                WHERE name_index MATCH ? AND \(scope.condition) ORDER BY name_index.rowid DESC LIMIT ?
                """)
        let rows = try Row.fetchCursor(
            statement,
            arguments: [words.joined(separator: " AND ")] + scope.arguments + [Self.maximumBeginnings])
        let known = Set(all.items.map(\.id))
        var facts = DescendingFacts(try facts.all(db))
        let used = try used()
        // The index of names has no positions: each word counts once, and none as side by side.
        let hits = terms.indices.map { TermHit(term: $0, field: 0, position: $0 * parameters.window) }
        while let row = try rows.next() {
            guard let fact = facts.fact(row[0]), !known.contains(fact.id) else { continue }
            all.add(fact, hits: hits, use: used[fact.id])
        }
        if all.statistics.documents == 0 {
            all.statistics.documents = try Int.fetchOne(db, sql: "SELECT sum(items) FROM usage") ?? all.items.count
        }
        return all
    }
}
