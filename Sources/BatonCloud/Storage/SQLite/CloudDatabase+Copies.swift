package import BatonCore
import Foundation
import GRDB

/// Copies of the database, and what is done with them.
extension CloudDatabase {
    /// In the table `server` of a copy, so that no server runs on it.
    private static let mark = "backup"

    /// Further than any zone had come when it was copied: no version that was given out after the copy comes again, so that
    /// no device takes another change for the one that it knows.
    static let leap: Int64 = 1 << 32

    /// Copies one state of a database, beside a server that may be writing. Blocks.
    package static func copy(_ path: String, to copy: String, isBackup: Bool = true) throws(BatonError) {
        do {
            let queue = try DatabaseReader.open(path)
            defer { try? queue.close() }
            try queue.inDatabase { database in
                // One that was made before databases could shrink gives copies that can.
                if try database.row("PRAGMA auto_vacuum")?[0] == 0 {
                    try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                }
                try database.execute(sql: "VACUUM INTO ?", arguments: [copy])
            }
            try changing(copy) { database in
                try database.run("DELETE FROM server WHERE name = ?", [mark])
                guard isBackup else { return }
                try database.run("INSERT INTO server (name, value) VALUES (?, ?)", [mark, Data("1".utf8)])
            }
        } catch {
            throw meaning(error)
        }
    }

    static func isBackup(path: String) throws(BatonError) -> Bool { try reading(path, isBackup) }

    static func isBackup(_ database: Database) throws -> Bool {
        try database.tableExists("server") && database.row("SELECT 1 FROM server WHERE name = ?", [mark]) != nil
    }

    static let backupNotServed = BatonError(
        .failedPrecondition, reason: "is_a_backup",
        "That folder is a backup. Put it back with “baton-cloud restore”, and run the server on what that makes.")

    /// Beside a server that may be running, which reads it with each write. Blocks.
    static func setQuota(_ quota: UInt64?, of account: AccountID, path: String) throws(BatonError) {
        // An older database gets its column.
        let pool = try open(path, readers: 1)
        defer { try? pool.close() }
        do {
            try pool.write { database in
                try database.run(
                    "UPDATE accounts SET quota = ? WHERE name = ?",
                    [quota.map { Int64(clamping: $0) }, account.rawValue])
                guard database.changesCount == 1 else { throw StoreRules.unknownAccount }
            }
        } catch {
            throw meaning(error)
        }
    }

    /// Forgets a blob that nothing names.
    /// - Returns: false when something names it.
    static func forget(_ address: BlobAddress, ifUnusedIn path: String) throws(BatonError) -> Bool {
        try changing(path) { database in
            guard
                let row = try database.row(
                    """
                    SELECT blobs.id, account, size, uses FROM blobs JOIN accounts ON accounts.id = blobs.account
                    WHERE space = ? AND hash = ?
                    """, [address.space.name, address.hash.bytes]), (row[3] as Int64) == 0
            else { return false }
            try database.run("DELETE FROM blobs WHERE id = ?", [row[0] as Int64])
            try database.run(
                "UPDATE accounts SET blobs = blobs - 1, blob_bytes = blob_bytes - ? WHERE id = ?",
                [row[2] as Int64, row[1] as Int64])
            return true
        }
    }

    /// From now on a blob counts as one whose bytes are yet to come.
    static func expectAgain(_ address: BlobAddress, path: String) throws(BatonError) {
        try changing(path) { database in
            try database.run(
                """
                UPDATE blobs SET standing = 0
                WHERE hash = ? AND account = (SELECT id FROM accounts WHERE space = ?)
                """, [address.hash.bytes, address.space.name])
        }
    }

    /// Gives each zone another epoch, and versions that were never given out: what is in the database is of an earlier time
    /// than what devices know. A copy that was marked may be served afterwards. Blocks; no server may run.
    package static func beginAnotherTime(path: String) throws(BatonError) {
        try changing(path) { database in
            try database.run("UPDATE zones SET epoch = randomblob(16), head = head + ?", [leap])
            try database.run("DELETE FROM server WHERE name = ?", [mark])
        }
    }

    /// In one transaction, on the disk afterwards, with no other file beside the database.
    private static func changing<Value>(
        _ path: String, _ body: (Database) throws -> Value
    ) throws(BatonError) -> Value {
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.write(body)
        } catch {
            throw meaning(error)
        }
    }
}
