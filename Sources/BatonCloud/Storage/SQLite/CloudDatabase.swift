package import BatonCore
import BatonStore
package import Foundation
import GRDB
import Glibc

/// Opens the SQLite database of a cloud, and says what its errors mean.
///
/// Durability: what was committed survives a crash of the server and a loss of power (WAL, `synchronous=FULL`).
///
/// Damage: SQLite finds it when it meets it, and the call is refused with `data_loss`. The whole file is not looked
/// through when the server starts, which would take minutes for a large one; ``findings(path:)`` does that.
package enum CloudDatabase {
    /// - Throws: `data_loss` `database_damaged`, `failed_precondition` `database_newer`, `resource_exhausted` `disk_full`.
    static func open(_ path: String, readers: Int) throws(BatonError) -> DatabasePool {
        do {
            // SQLite would make the file readable by whom the umask allows; its log takes over the file's mode.
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw BatonError(
                    .failedPrecondition, reason: "database_unusable",
                    "The database “\(path)” cannot be opened: \(String(cString: strerror(errno))).")
            }
            Glibc.close(descriptor)
            var configuration = Configuration()
            configuration.label = "baton.cloud"
            configuration.maximumReaderCount = readers
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cell_size_check = ON") }
            let pool = try DatabasePool(path: path, configuration: configuration)
            // After the pool has chosen its own value for WAL.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try migrate(pool)
            return pool
        } catch {
            throw meaning(error)
        }
    }

    private static func migrate(_ pool: DatabasePool) throws {
        var migrator = DatabaseMigrator()
        CloudSchema.register(in: &migrator)
        guard try !pool.read(migrator.hasBeenSuperseded) else {
            throw BatonError(
                .failedPrecondition, reason: "database_newer",
                "The data was written by a newer baton-cloud. Install that version, or a later one.")
        }
        guard try !pool.read(isBackup) else { throw backupNotServed }
        try migrator.migrate(pool)
    }

    /// What is wrong with the file and its contents; empty when nothing is. Reads all of it, changes nothing. Blocks.
    package static func findings(path: String) throws(BatonError) -> [String] {
        do {
            return try reading(path) { database in
                let file = try String.fetchAll(database, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" }
                return try file.isEmpty ? contents(database) : file
            }
        } catch {
            guard error.reason == "database_damaged" else { throw error }
            return [error.message]
        }
    }

    /// Sums that do not agree with what they are sums of.
    private static func contents(_ database: Database) throws -> [String] {
        var findings: [String] = []
        let overhead = StoredItem.overhead
        for (what, sql) in [
            (
                "zones whose counts are not those of their items",
                """
                SELECT COUNT(*) FROM zones WHERE name IS NOT NULL AND (
                    items <> (SELECT COUNT(*) FROM items WHERE zone = zones.id) OR
                    item_bytes <> (SELECT IFNULL(SUM(\(overhead) + IFNULL(LENGTH(sealed), 0) + IFNULL(LENGTH(blobs), 0)), 0)
                        FROM items WHERE zone = zones.id))
                """
            ),
            (
                "items that are newer than their zone's head",
                "SELECT COUNT(*) FROM items JOIN zones ON zones.id = items.zone WHERE version > head"
            ),
            (
                "accounts whose counts are not those of their zones and blobs",
                """
                SELECT COUNT(*) FROM accounts WHERE name IS NOT NULL AND (
                    zones <> (SELECT COUNT(*) FROM zones WHERE account = accounts.id AND name IS NOT NULL) OR
                    item_bytes <> (SELECT IFNULL(SUM(item_bytes), 0) FROM zones
                        WHERE account = accounts.id AND name IS NOT NULL) OR
                    blob_bytes <> (SELECT IFNULL(SUM(size), 0) FROM blobs WHERE account = accounts.id))
                """
            ),
        ] {
            let count = try Int.fetchOne(database, sql: sql) ?? 0
            if count > 0 { findings.append("\(count) \(what)") }
        }
        return findings
    }

    /// The blobs that must be there, for a comparison with where their bytes are. Blocks.
    package static func completeBlobs(path: String) throws(BatonError) -> [(BlobAddress, size: UInt64)] {
        try reading(path) { database in
            try database.rows(
                """
                SELECT space, hash, size FROM blobs JOIN accounts ON accounts.id = blobs.account
                WHERE standing = 1 AND name IS NOT NULL
                """
            ).map { row in
                let address = BlobAddress(space: try .stored(row[0]), hash: try BlobHash(row[1] as Data))
                return (address, UInt64(row[2] as Int64))
            }
        }
    }

    /// The server's secret. Blocks.
    /// - Throws: `not_found` while the server has not been started yet.
    package static func secret(path: String) throws(BatonError) -> Data {
        guard access(path, F_OK) == 0 else {
            throw BatonError(.notFound, reason: "no_data", "There is no data of a cloud yet. Start the server first.")
        }
        return try reading(path) { database in
            guard let row = try database.row("SELECT value FROM server WHERE name = 'secret'") else {
                throw BatonError(.notFound, reason: "no_data", "The server was never started. Start it first.")
            }
            return row[0]
        }
    }

    /// Reads beside a server that may be running. Blocks.
    static func reading<Value>(_ path: String, _ body: (Database) throws -> Value) throws(BatonError) -> Value {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read(body)
        } catch {
            throw meaning(error)
        }
    }

    static func meaning(_ error: any Error) -> BatonError {
        guard let failure = error as? DatabaseError else {
            if let error = error as? BatonError { return error }
            return BatonError(
                .unavailable, reason: "database_failed", "The database did not answer. Try again.", cause: error)
        }
        return switch failure.resultCode.primaryResultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            BatonError(
                .dataLoss, reason: "database_damaged",
                "The database is damaged; nothing was changed. “baton-cloud verify” says more. Put back a copy of it.",
                cause: error)
        case .SQLITE_FULL:
            BatonError(
                .resourceExhausted, reason: "disk_full", "The server's disk is full; nothing was changed. Try later.",
                cause: error)
        default:
            BatonError(.unavailable, reason: "database_failed", "The database failed. Try again.", cause: error)
        }
    }
}
