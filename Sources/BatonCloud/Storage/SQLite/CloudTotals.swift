import BatonCore
import Foundation
import GRDB

/// Every number that an SQLite database keeps of what it holds, counted anew. Each that differs is named, with what it is
/// and what it should be.
enum CloudTotals {
    /// Reads everything, changes nothing; the caller's transaction makes it one state.
    static func findings(_ database: Database) throws -> [String] {
        try zones(database) + heads(database) + accounts(database) + uses(database)
    }

    /// A zone that is being removed counts whole until all of it is gone.
    private static func zones(_ database: Database) throws -> [String] {
        try database.rows(
            """
            WITH counted AS (
                SELECT zone, COUNT(*) AS items,
                    SUM(\(StoredItem.overhead) + IFNULL(LENGTH(sealed), 0) + IFNULL(LENGTH(blobs), 0)) AS bytes
                FROM items GROUP BY zone)
            SELECT IFNULL(accounts.name, 'that was deleted'), zones.name, zones.items, IFNULL(counted.items, 0),
                zones.item_bytes, IFNULL(counted.bytes, 0)
            FROM zones LEFT JOIN counted ON counted.zone = zones.id LEFT JOIN accounts ON accounts.id = zones.account
            """
        ).flatMap { row in
            let zone: Data? = row[1]
            let owner = "\(zone.map { "zone \($0.hexadecimal)" } ?? "a deleted zone") of account \(row[0] as String)"
            return [
                finding(owner, "items", row[2], row[3], orMore: zone == nil),
                finding(owner, "bytes of items", row[4], row[5], orMore: zone == nil),
            ].compactMap { $0 }
        }
    }

    private static func heads(_ database: Database) throws -> [String] {
        try database.rows(
            """
            SELECT zones.name, head, horizon, IFNULL(MAX(version), 0)
            FROM zones LEFT JOIN items ON items.zone = zones.id
            GROUP BY zones.id HAVING IFNULL(MAX(version), 0) > head OR horizon > head
            """
        ).map { row in
            ahead(row[0], head: row[1], horizon: row[2], newest: row[3])
        }
    }

    private static func accounts(_ database: Database) throws -> [String] {
        let found = "(SELECT COUNT(*) FROM answers WHERE account = accounts.id)"
        // Not in a backup that an earlier version made.
        let hasAnswers = try database.columns(in: "accounts").contains { $0.name == "answers" }
        return try database.rows(
            """
            SELECT name, zones, (SELECT COUNT(*) FROM zones WHERE account = accounts.id AND name IS NOT NULL),
                items, (SELECT IFNULL(SUM(items), 0) FROM zones WHERE account = accounts.id AND name IS NOT NULL),
                item_bytes,
                (SELECT IFNULL(SUM(item_bytes), 0) FROM zones WHERE account = accounts.id AND name IS NOT NULL),
                blobs, (SELECT COUNT(*) FROM blobs WHERE account = accounts.id),
                blob_bytes, (SELECT IFNULL(SUM(size), 0) FROM blobs WHERE account = accounts.id),
                \(hasAnswers ? "answers" : found), \(found)
            FROM accounts WHERE name IS NOT NULL
            """
        ).flatMap { row in
            ofAccount.enumerated().compactMap { index, what in
                finding("account \(row[0] as String)", what, row[1 + 2 * index], row[2 + 2 * index])
            }
        }
    }

    /// How often items name each blob: by this it is known which may be collected. One account after the other, so that no
    /// more is in memory than the blobs of one. One that was deleted forgets blobs before the items that name them.
    private static func uses(_ database: Database) throws -> [String] {
        var findings: [String] = []
        for account in try database.rows("SELECT id, name FROM accounts WHERE name IS NOT NULL") {
            var uses: [Data: Int64] = [:]
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT items.blobs FROM zones JOIN items ON items.zone = zones.id
                        WHERE account = ? AND items.blobs IS NOT NULL
                        """), arguments: [account[0] as Int64])
            while let row = try rows.next() {
                for blob in SQLiteItemStore.blobs(row[0]) { uses[blob.bytes, default: 0] += 1 }
            }
            for row in try database.rows("SELECT hash, uses FROM blobs WHERE account = ?", [account[0] as Int64]) {
                let hash: Data = row[0]
                let (kept, found): (Int64, Int64) = (row[1], uses.removeValue(forKey: hash) ?? 0)
                guard kept != found else { continue }
                findings.append(self.uses(of: hash, account: account[1], kept: kept, found: found))
            }
            findings += uses.map { self.uses(of: $0.key, account: account[1], kept: -1, found: $0.value) }
        }
        return findings
    }

    // MARK: Sentences, whatever the database

    /// The totals of an account, in the order in which they are read.
    static let ofAccount = ["zones", "items", "bytes of items", "blobs", "bytes of blobs", "answers"]

    static func ahead(_ zone: Data?, head: Int64, horizon: Int64, newest: Int64) -> String {
        "\(zone.map { "zone \($0.hexadecimal)" } ?? "a deleted zone"): it has come to version \(head), but has an item of "
            + "version \(newest) and has forgotten deletions up to version \(horizon)"
    }

    /// Nil when the number is correct.
    static func secret(_ secret: Data?) -> String? {
        guard secret?.count != StoreRules.secretLength else { return nil }
        let what = secret.map { "has \($0.count) bytes instead of \(StoreRules.secretLength)" } ?? "is missing"
        return "the server's secret \(what): tokens and invitations that were given out are refused"
    }

    /// - Parameter kept: -1 when nothing is known of the blob.
    static func uses(of blob: Data, account: String, kept: Int64, found: Int64) -> String {
        "blob \(blob.hexadecimal) of account \(account): "
            + (kept < 0
                ? "it is not known, and items name it \(found) times"
                : "\(kept) uses are kept in its total, and "
                    + "items name it \(found) times")
    }

    /// Nil when they agree.
    static func finding(
        _ name: String, _ what: String, _ kept: Int64, _ found: Int64, orMore: Bool = false
    ) -> String? {
        guard orMore ? kept < found : kept != found else { return nil }
        return "\(name): \(kept) \(what) are kept in its total, and there are \(found)"
    }
}
