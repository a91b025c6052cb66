import BatonCore
import Foundation
import GRDB

extension SQLiteItemStore {
    /// Rows of one step, so that no write waits long for it.
    private static let step = 500

    package func sweep() async throws -> Bool {
        var hasMore = false
        for part in [forgetDeletions, sweepZones, sweepAccounts, forgetAnswers, forgetUsed, shrink] {
            if try await write(mayUseReserve: true, part) { hasMore = true }
        }
        return hasMore
    }

    private var forgetDeletions: @Sendable (Database) throws -> Bool {
        { [rules] database in
            let rows = try database.rows(
                """
                SELECT id, zone, version, IFNULL(LENGTH(sealed), 0) FROM items
                WHERE deleted = 1 AND written < ? ORDER BY written LIMIT ?
                """, [Int64(clamping: rules.cutoff(rules.retention)), Self.step])
            for row in rows {
                let cost = StoredItem.overhead + (row[3] as Int)
                try database.run("DELETE FROM items WHERE id = ?", [row[0] as Int64])
                try database.run(
                    """
                    UPDATE zones SET horizon = MAX(horizon, ?), items = items - 1, item_bytes = item_bytes - ?
                    WHERE id = ?
                    """, [row[2] as Int64, cost, row[1] as Int64])
                // A zone that was deleted is not counted any more.
                try database.run(
                    """
                    UPDATE accounts SET items = items - 1, item_bytes = item_bytes - ?
                    WHERE id = (SELECT account FROM zones WHERE id = ? AND name IS NOT NULL)
                    """, [cost, row[1] as Int64])
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

    /// Removes zones and blobs of deleted accounts, and an account itself when nothing of it is left.
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
                hasMore = true
                try database.run(
                    "DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers WHERE account = ? LIMIT ?)",
                    [account, Self.step])
                guard database.changesCount < Self.step else { continue }
                try database.run("DELETE FROM statements WHERE account = ?", [account])
                try database.run("DELETE FROM accounts WHERE id = ?", [account])
            }
            return hasMore
        }
    }

    private var forgetAnswers: @Sendable (Database) throws -> Bool {
        { [rules] database in
            let (cutoff, now) = (
                Int64(clamping: rules.cutoff(rules.repetition)), Int64(clamping: rules.clock.milliseconds)
            )
            // In the order in which they came: an index of their age would have to be written with each batch. One of a time
            // that has not come yet, since the clock was set back, would keep those after it: it is one of now.
            let rows = try database.rows(
                "SELECT rowid, account, written FROM answers ORDER BY rowid LIMIT ?", [Self.step]
            )
            .prefix { $0[2] < cutoff || $0[2] > now }
            var forgotten: [Int64: Int] = [:]
            for row in rows {
                guard (row[2] as Int64) < cutoff else {
                    try database.run("UPDATE answers SET written = ? WHERE rowid = ?", [now, row[0] as Int64])
                    continue
                }
                try database.run("DELETE FROM answers WHERE rowid = ?", [row[0] as Int64])
                forgotten[row[1], default: 0] += 1
            }
            for (account, count) in forgotten {
                try database.run("UPDATE accounts SET answers = answers - ? WHERE id = ?", [count, account])
            }
            return rows.count == Self.step
        }
    }

    /// Pages of one step.
    private static let pages = 64

    /// Gives what the file has free back to the disk, but for a part of it, which what comes next will need.
    private var shrink: @Sendable (Database) throws -> Bool {
        { database in
            // One that was made before databases could shrink; a copy of it can.
            guard try database.row("PRAGMA auto_vacuum")?[0] == 2,
                let free: Int = try database.row("PRAGMA freelist_count")?[0],
                let all: Int = try database.row("PRAGMA page_count")?[0]
            else { return false }
            let kept = max(256, all / 16)
            guard free > kept else { return false }
            _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum(\(min(Self.pages, free - kept)))")
            return free - kept > Self.pages
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
