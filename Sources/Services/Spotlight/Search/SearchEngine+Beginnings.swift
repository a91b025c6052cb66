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
        let stored = try Row.fetchAll(
            db,
            sql: """
                SELECT item.* FROM name_index JOIN item ON item.id = name_index.rowid
                WHERE name_index MATCH ? AND \(scope.condition) ORDER BY name_index.rowid DESC LIMIT ?
                """,
            arguments: [words.joined(separator: " AND ")] + scope.arguments + [Self.maximumBeginnings]
        ).map(StoredItem.init)
        let known = Set(all.items.map(\.stored.id))
        var tokenizer = WordTokenizer()
        for stored in stored where !known.contains(stored.id) {
            let names = tokenizer.words(of: SearchedFields(stored.item).names)
            var hits: [TermHit] = []
            for (position, word) in names.enumerated() {
                let term =
                    terms.dropLast().firstIndex { $0.typed == word.bytes }
                    ?? (word.bytes.starts(with: prefix) ? terms.count - 1 : nil)
                if let term { hits.append(TermHit(term: term, field: 0, position: position)) }
            }
            // The text's length was not looked at: it counts as an average one.
            all.items.append(
                Candidate(
                    stored: stored,
                    document: RankedDocument(
                        id: stored.id, lengths: [names.count, Int(all.statistics.averageLengths[1])], hits: hits)))
        }
        if all.statistics.documents == 0 {
            all.statistics.documents = try Int.fetchOne(db, sql: "SELECT sum(items) FROM usage") ?? all.items.count
        }
        return all
    }
}
