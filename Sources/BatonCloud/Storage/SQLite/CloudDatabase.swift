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
            // SQLite would make the file readable as the umask allows; its log takes over the file's mode.
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw BatonError(
                    .failedPrecondition, reason: "database_unusable",
                    "The database “\(path)” cannot be opened: \(String(cString: strerror(errno))).")
            }
            let isNew = FileSize.of(descriptor) == 0
            Glibc.close(descriptor)
            var configuration = Configuration()
            configuration.label = "baton.cloud"
            configuration.maximumReaderCount = readers
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA cell_size_check = ON")
                // It cannot be given to a file that has anything in it.
                guard isNew, !database.configuration.readonly else { return }
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            // After the pool has chosen its own value for WAL.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try migrate(pool)
            // A copy of the file alone knows its tables then. Without room the log has them all.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
            return pool
        } catch {
            throw meaning(error)
        }
    }

    /// How long the log grows before it is written to the database: 16 MiB. With SQLite's own 1,000 pages, which 64 busy
    /// accounts fill 20 times a second, a page goes to both for each change of it; so it is a tenth less work.
    private static let pagesOfLog = 4000
    /// A page and what the log says of it.
    private static let bytesOfLogPage = 4096 + 24

    /// - Parameter reserve: bytes that are kept for when the disk is full. The log stays below half of that: it has to be
    ///   written to the database then.
    static func boundLog(of pool: DatabasePool, reserve: Int?) throws(BatonError) {
        let pages = reserve.map { min(pagesOfLog, max(100, $0 / 2 / bytesOfLogPage)) } ?? pagesOfLog
        do {
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)") }
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

    /// Problems with the file and its contents; empty when there are none. Reads all of it, changes nothing. Blocks.
    package static func findings(path: String) throws(BatonError) -> [String] {
        let findings = try structuralFindings(path: path)
        return findings.isEmpty ? try rowFindings(path: path) : findings
    }

    /// Rows that were changed while the file itself is intact: each is useless, but harms no other. Assumes that
    /// ``structuralFindings(path:)`` found nothing.
    static func rowFindings(path: String) throws(BatonError) -> [String] { try reading(path, RowChecks.findings) }

    /// As ``findings(path:)``, of the file as a whole: nothing is to be built on one that has any.
    static func structuralFindings(path: String) throws(BatonError) -> [String] {
        let made = try SchemaCheck.made()
        do {
            return try reading(path) { database -> [String] in
                let file = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
                guard file.isEmpty else { return file }
                // Before anything is read by the names of its columns.
                let schema = try SchemaCheck.findings(database, against: made)
                return try schema.isEmpty ? CloudTotals.findings(database) : schema
            }
        } catch {
            guard error.reason == "database_damaged" else { throw error }
            // Where SQLite cannot even look on.
            return [
                "The file of the database is damaged: \(error.cause.map(String.init(describing:)) ?? error.message)"
            ]
        }
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

    /// A problem with the server's secret; nil when there is none, or while no account is registered: a first start may
    /// have been interrupted before it. Blocks.
    static func secretFinding(path: String) throws(BatonError) -> String? {
        try reading(path) { database -> String? in
            guard try database.row("SELECT 1 FROM accounts LIMIT 1") != nil else { return nil }
            let row = try database.row("SELECT value FROM server WHERE name = 'secret'")
            return CloudTotals.secret(row.flatMap { Data.fromDatabaseValue($0[0]) })
        }
    }

    /// Makes the database where there is none. Blocks.
    static func make(_ path: String) throws(BatonError) {
        guard FileSize.of(path) == 0 else { return }
        let pool = try open(path, readers: 1)
        do {
            try pool.close()
        } catch {
            throw meaning(error)
        }
    }

    /// Every account, with what it keeps. Blocks.
    static func accounts(path: String) throws(BatonError) -> [ListedAccount] {
        try reading(path) { database -> [ListedAccount] in
            guard try database.tableExists("accounts") else { return [] }
            // One that an older version wrote has none yet.
            let quota = try database.columns(in: "accounts").contains { $0.name == "quota" } ? "quota" : "NULL"
            return try database.rows(
                """
                SELECT name, items, item_bytes, blobs, blob_bytes, zones, \(quota) FROM accounts WHERE name IS NOT NULL
                ORDER BY name
                """
            ).map { row in
                ListedAccount(
                    id: row[0], items: row[1], itemBytes: row[2], blobs: row[3], blobBytes: row[4], zones: row[5],
                    ownQuota: (row[6] as Int64?).map { UInt64(clamping: $0) })
            }
        }
    }

    /// Whether anybody is registered. Blocks.
    static func hasAccounts(path: String) throws(BatonError) -> Bool {
        try reading(path) { database -> Bool in
            guard try database.tableExists("accounts") else { return false }
            return try database.row("SELECT 1 FROM accounts WHERE name IS NOT NULL LIMIT 1") != nil
        }
    }

    /// Whether an account was ever registered, as far as the database knows. Blocks.
    static func hasHadAccounts(path: String) throws(BatonError) -> Bool {
        try reading(path) { database -> Bool in
            guard try database.tableExists("accounts"), try database.tableExists("server") else { return false }
            return try database.row(
                "SELECT 1 FROM accounts UNION ALL SELECT 1 FROM server WHERE name = 'account_removed' LIMIT 1") != nil
        }
    }

    /// The server's secret; nil where none was made yet, or it is damaged. Blocks.
    static func wholeSecret(path: String) throws(BatonError) -> Data? {
        try reading(path) { database -> Data? in
            try database.tableExists("server") ? wholeSecret(database) : nil
        }
    }

    /// One of another length is invalid: an attacker that knows that it is empty could make tokens.
    static func wholeSecret(_ database: Database) throws -> Data? {
        guard let row = try database.row("SELECT value FROM server WHERE name = 'secret'"),
            let secret = Data.fromDatabaseValue(row[0]), secret.count == StoreRules.secretLength
        else { return nil }
        return secret
    }

    /// The server's secret. Blocks.
    /// - Throws: `not_found` while the server has not been started yet; `data_loss` `secret_damaged`.
    package static func secret(path: String) throws(BatonError) -> Data {
        try reading(path) { database -> Data in
            guard try database.tableExists("server"),
                let row = try database.row("SELECT value FROM server WHERE name = 'secret'")
            else {
                throw BatonError(.notFound, reason: "no_data", "The server was never started. Start it first.")
            }
            guard let secret = try wholeSecret(database) else {
                let count = Data.fromDatabaseValue(row[0])?.count ?? 0
                throw BatonError(
                    .dataLoss, reason: "secret_damaged",
                    "The server's secret is damaged: it has \(count) bytes instead of \(StoreRules.secretLength). Stop the "
                        + "server and start it again: it makes another one, and devices log in again.")
            }
            return secret
        }
    }

    /// Reads beside a server that may be running, and changes nothing. Blocks.
    static func reading<Value>(_ path: String, _ body: (Database) throws -> Value) throws(BatonError) -> Value {
        do {
            let queue = try DatabaseReader.open(path)
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
        case .SQLITE_FULL: diskFull(error)
        // The index of the log, which it cannot make larger.
        case .SQLITE_IOERR where failure.extendedResultCode == .SQLITE_IOERR_SHMSIZE: diskFull(error)
        default:
            BatonError(.unavailable, reason: "database_failed", "The database failed. Try again.", cause: error)
        }
    }

    static func diskFull(_ cause: (any Error)?) -> BatonError {
        BatonError(
            .resourceExhausted, reason: "disk_full",
            "The server's disk is full; nothing was changed. Remove something, or try later.", cause: cause)
    }
}
