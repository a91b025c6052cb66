import BatonCore
import Foundation
import GRDB

extension SQLiteItemStore {
    /// Rows of one step, so that no write waits long for it.
    private static let step = 500

    package func sweep() async throws -> Bool {
        var hasMore = false
        for part in [forgetDeletions, sweepZones, sweepAccounts, forgetAnswers, forgetUsed] {
            if try await write(part) { hasMore = true }
        }
        return hasMore
    }

    private var forgetDeletions: @Sendable (Database) throws -> Bool {
        { [rules] database in
            let rows = try database.rows(
                """
                SELECT items.id, zone, version FROM items WHERE deleted = 1 AND written < ? ORDER BY written LIMIT ?
                """, [Int64(clamping: rules.cutoff(rules.retention)), Self.step])
            for row in rows {
                try database.run("DELETE FROM items WHERE id = ?", [row[0] as Int64])
                try database.run(
                    """
                    UPDATE zones SET horizon = MAX(horizon, ?), items = items - 1, item_bytes = item_bytes - ?
                    WHERE id = ?
                    """, [row[2] as Int64, StoredItem.overhead, row[1] as Int64])
                // A zone that was deleted is not counted any more.
                try database.run(
                    """
                    UPDATE accounts SET items = items - 1, item_bytes = item_bytes - ?
                    WHERE id = (SELECT account FROM zones WHERE id = ? AND name IS NOT NULL)
                    """, [StoredItem.overhead, row[1] as Int64])
            }
            return rows.count == Self.step
        }
    }

    private var sweepZones: @Sendable (Database) throws -> Bool {
        { [rules] database in
            guard
                let zone = try database.row("SELECT id, account FROM zones WHERE name IS NULL ORDER BY id LIMIT 1")
            else { return false }
            let items = try database.rows(
                "SELECT id, blobs FROM items WHERE zone = ? LIMIT ?", [zone[0] as Int64, Self.step])
            for item in items {
                try database.run("DELETE FROM items WHERE id = ?", [item[0] as Int64])
                try Self.letGo(
                    of: Self.blobs(item[1]), zone[1], Int64(clamping: rules.clock.milliseconds), database)
            }
            if items.count < Self.step { try database.run("DELETE FROM zones WHERE id = ?", [zone[0] as Int64]) }
            return true
        }
    }

    /// Of accounts that were deleted: lets go of zones and blobs, and goes itself when nothing is left of it.
    private var sweepAccounts: @Sendable (Database) throws -> Bool {
        { database in
            let accounts = try database.rows("SELECT id FROM accounts WHERE name IS NULL ORDER BY id LIMIT 16")
            var hasMore = false
            for row in accounts {
                let account: Int64 = row[0]
                try database.run("UPDATE zones SET name = NULL WHERE account = ? AND name IS NOT NULL", [account])
                if database.changesCount > 0 { hasMore = true }
                try database.run(
                    """
                    UPDATE blobs SET standing = 2 WHERE id IN (
                        SELECT id FROM blobs WHERE account = ? AND standing < 2 LIMIT ?)
                    """, [account, Self.step])
                if database.changesCount > 0 { hasMore = true }
                let isEmpty = try ["zones", "blobs"].allSatisfy { table in
                    try database.row("SELECT 1 FROM \(table) WHERE account = ? LIMIT 1", [account]) == nil
                }
                guard isEmpty else { continue }
                for table in ["statements", "answers"] {
                    try database.run("DELETE FROM \(table) WHERE account = ?", [account])
                }
                try database.run("DELETE FROM accounts WHERE id = ?", [account])
                hasMore = true
            }
            return hasMore
        }
    }

    private var forgetAnswers: @Sendable (Database) throws -> Bool {
        { [rules] database in
            try database.run(
                """
                DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers WHERE written < ? LIMIT ?)
                """, [Int64(clamping: rules.cutoff(rules.repetition)), Self.step])
            return database.changesCount == Self.step
        }
    }

    private var forgetUsed: @Sendable (Database) throws -> Bool {
        { [rules] database in
            try database.run(
                "DELETE FROM used WHERE rowid IN (SELECT rowid FROM used WHERE expires < ? LIMIT ?)",
                [Int64(clamping: rules.clock.milliseconds), Self.step])
            return database.changesCount == Self.step
        }
    }
}
