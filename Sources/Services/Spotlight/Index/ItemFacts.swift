import GRDB
import Synchronization

/// The part of each item that its rank needs, in memory: looking it up in the file took longer than all else of a search.
///
/// A row with this identifier never says anything else: an item that changes gets another identifier, and none is used twice. So what
/// is known stays true, and rows that came since are read only. Rows that are gone stay until they are many: no search finds them.
final class ItemFacts: Sendable {
    struct Fact: Sendable {
        var id: Int64
        var time: Int64
        var expires: Int64
        var nameWords: Int32
        var contentWords: Int32
        var source: UInt8
        var isComplete: Bool
    }

    /// Bound: twice the items of the index, and these. 40 bytes each.
    private static let spare = 10_000
    private let known = Mutex<[Fact]>([])

    /// All in the order of identifiers, those of the database's snapshot among them.
    func all(_ db: Database) throws -> [Fact] {
        let newest = try Int64.fetchOne(db, sql: "SELECT max(id) FROM item") ?? 0
        // The other reader waits, and finds what this one has read.
        return try known.withLock { known in
            guard newest > known.last?.id ?? 0 else { return known }
            let items = try Int.fetchOne(db, sql: "SELECT sum(items) FROM usage") ?? 0
            if known.count > 2 * items + Self.spare { known = [] }
            if known.isEmpty { known.reserveCapacity(items) }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT id, time, expires, name_words, content_words, source, protection FROM item
                    WHERE id > ? ORDER BY id
                    """)
            let rows = try Row.fetchCursor(statement, arguments: [known.last?.id ?? 0])
            while let row = try rows.next() {
                let (nameWords, contentWords, source): (Int, Int, Int) = (row[3], row[4], row[5])
                known.append(
                    Fact(
                        id: row[0], time: row[1], expires: row[2], nameWords: Int32(clamping: nameWords),
                        contentWords: Int32(clamping: contentWords), source: UInt8(clamping: source),
                        isComplete: row[6] == ItemProtection.complete.rawValue))
            }
            return known
        }
    }
}
