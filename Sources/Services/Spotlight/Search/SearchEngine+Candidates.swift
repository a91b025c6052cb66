import BatonCore
import GRDB
import GRDBSQLite
import SearchText

/// The documents that are scored: those with the words of a query, the newest.
extension SearchEngine {
    /// The part of an item that its rank needs. The rest is read for the best only.
    struct Candidate: Sendable {
        var id: Int64
        var source: SearchSource
        var time: UInt64
        var uses = 0
        var lastUsed: UInt64 = 0
        var nameWords: Int
        /// How many of the query's words are in names.
        var nameTerms: Int
    }

    /// Thousands of them, with all their hits in one array: memory for each costs more than reading it.
    struct Candidates {
        private(set) var items: [Candidate] = []
        var statistics = CollectionStatistics(documents: 0, averageLengths: [1, 1])
        /// How many words the two fields of each have.
        private var lengths: [Int] = []
        private var hits: [TermHit] = []
        /// Where the hits of each end.
        private var ends: [Int] = []

        /// - Parameters:
        ///   - fact: of the item.
        ///   - own: the item's hits, in the order of fields and positions.
        mutating func add(_ fact: ItemFacts.Fact, hits own: [TermHit], use: (uses: Int, last: UInt64)?) {
            // A query has fewer terms than this has bits.
            var names: UInt64 = 0
            for hit in own {
                guard hit.field == 0 else { break }
                names |= 1 << UInt64(hit.term & 63)
            }
            items.append(
                Candidate(
                    id: fact.id, source: SearchSource(rawValue: Int(fact.source)) ?? .item,
                    time: UInt64(clamping: fact.time), uses: use?.uses ?? 0, lastUsed: use?.last ?? 0,
                    nameWords: Int(fact.nameWords), nameTerms: names.nonzeroBitCount))
            lengths.append(Int(fact.nameWords))
            lengths.append(Int(fact.contentWords))
            hits += own
            ends.append(hits.count)
        }

        /// The one at a place, as it is ranked.
        func document(_ index: Int) -> RankedDocument {
            RankedDocument(
                id: items[index].id, lengths: lengths[2 * index..<2 * index + 2],
                hits: hits[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
        }
    }

    /// Finds rows that come in the order of their identifiers, the greatest first.
    struct DescendingFacts {
        private let facts: [ItemFacts.Fact]
        /// Those before this place are still to come.
        private var end: Int

        init(_ facts: [ItemFacts.Fact]) { (self.facts, end) = (facts, facts.count) }

        mutating func fact(_ id: Int64) -> ItemFacts.Fact? {
            var (low, high) = (0, end)
            // For a frequent word it is near.
            var step = 1
            while step < high, facts[high - step].id > id { step *= 2 }
            low = max(high - step, 0)
            while low < high {
                let middle = (low + high) / 2
                if facts[middle].id < id { low = middle + 1 } else { high = middle }
            }
            guard low < end, facts[low].id == id else { return nil }
            end = low
            return facts[low]
        }
    }

    /// Items that a person chose, those last chosen.
    private static let maximumUsed = 1000

    func used() throws -> [Int64: (uses: Int, last: UInt64)] {
        let statement = try db.cachedStatement(
            sql: "SELECT id, uses, last_used FROM item WHERE uses > 0 ORDER BY last_used DESC LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [Self.maximumUsed])
        var used: [Int64: (uses: Int, last: UInt64)] = [:]
        while let row = try rows.next() {
            let last: Int64 = row[2]
            used[row[0]] = (row[1], UInt64(clamping: last))
        }
        return used
    }

    /// A column of the row at which the statement is, until its next row.
    private static func blob(_ statement: Statement, at column: Int32) -> UnsafeRawBufferPointer {
        let bytes = sqlite3_column_blob(statement.sqliteStatement, column)
        return UnsafeRawBufferPointer(
            start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(statement.sqliteStatement, column)))
    }

    func candidates(
        _ terms: [Term], _ joint: String, in scope: SearchScope, _ findings: inout SearchFindings
    ) throws -> Candidates {
        guard !terms.isEmpty else { return Candidates() }
        var phrases: [Int] = []
        let expression = terms.enumerated().map { index, term in
            phrases += term.alternatives.map { _ in index }
            let end = term.isBeginning ? "*" : ""
            return "(" + term.alternatives.map { Self.phrase($0) + end }.joined(separator: " OR ") + ")"
        }.joined(separator: " \(joint) ")
        // Among all items only those are left out that have just expired or are locked, which is known without the file.
        let join = scope.isRestricted ? "JOIN item ON item.id = text_index.rowid" : ""
        let statement = try db.cachedStatement(
            sql: """
                SELECT text_index.rowid, baton_hits(text_index) FROM text_index \(join)
                WHERE text_index MATCH ? \(scope.isRestricted ? "AND \(scope.condition)" : "")
                ORDER BY text_index.rowid DESC
                """)
        let arguments: StatementArguments = [restricted(expression)]
        let rows = try Row.fetchCursor(
            statement, arguments: scope.isRestricted ? arguments + scope.arguments : arguments)
        var (candidates, facts) = (Candidates(), DescendingFacts(try facts.all(db)))
        let used = try used()
        var own: [TermHit] = []
        while try rows.next() != nil {
            // Thousands of rows come: no value of GRDB is made for their columns.
            let (id, blob) = (sqlite3_column_int64(statement.sqliteStatement, 0), Self.blob(statement, at: 1))
            own.removeAll(keepingCapacity: true)
            guard let hits = RowHits(blob, terms: phrases, adding: &own) else { continue }
            if hits.rows > 0 {
                let count = Double(hits.rows)
                candidates.statistics = CollectionStatistics(
                    documents: hits.rows, averageLengths: hits.totals.map { Double($0) / count })
            }
            guard let fact = facts.fact(id), scope.mayFind(fact) else { continue }
            guard candidates.items.count < Self.maximumCandidates else {
                findings.isTruncated = true
                break
            }
            candidates.add(fact, hits: own, use: used[fact.id])
        }
        return candidates
    }
}
