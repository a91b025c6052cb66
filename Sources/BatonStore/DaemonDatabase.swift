package import BatonCore
import Files
package import GRDB
import Glibc

/// The SQLite database of one device. Used by its daemon only, which holds the ``SingleInstanceLock``.
///
/// Durability: a write that returned survives a crash of the daemon and a loss of power (WAL, `synchronous=FULL`).
/// Concurrency: one writer at a time, readers beside it, on GRDB's own queues; never on the caller's thread.
package final class DaemonDatabase: Sendable {
    private let pool: DatabasePool

    /// One step of the schema's history. Steps are applied in order, once, each in a transaction; there is no way back.
    package struct Migration: Sendable {
        /// Unique, and never changed once released, as in `launch-services-1`.
        package let name: String
        let body: @Sendable (Database) throws -> Void

        package init(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// The connection that writes has this much: rows with random keys are all over the file. ``releaseMemory()`` gives it back.
    private static let cacheKiB = 8192
    /// The log grows to 16 MiB before it is copied into the file.
    private static let checkpointPages = 4096

    /// Opens the database, made if need be (0600), and brings its schema up to date. Blocks.
    ///
    /// - Throws: `data_loss` with reason `database_damaged` for a damaged file, which is left as it is;
    ///   `failed_precondition` with reason `database_newer` for one that a newer Baton wrote.
    package init(path: String, migrations: [Migration]) throws(BatonError) {
        do {
            try Self.prepareFile(path)
            try Self.check(path)
            var configuration = Configuration()
            configuration.label = "baton.database"
            configuration.maximumReaderCount = 2
            configuration.busyMode = .timeout(5)
            pool = try DatabasePool(path: path, configuration: configuration)
            // After the pool has chosen its own value for WAL.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB)")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
            }
            try Self.migrate(pool, migrations)
        } catch {
            throw Self.error(error, path)
        }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.read(body)
    }

    /// Runs `body` in a transaction; when this returns, it is on the disk.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.write(body)
    }

    /// As `read`, where blocking is fine.
    package func readBlocking<Value>(_ body: (Database) throws -> Value) throws -> Value { try pool.read(body) }

    /// As `write`, where blocking is fine.
    package func writeBlocking<Value>(_ body: (Database) throws -> Value) throws -> Value { try pool.write(body) }

    /// Nothing that was deleted before can be read in the files when this returns. Blocks, for as long as it takes to copy them.
    package func purge() throws {
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM")
            _ = try db.checkpoint(.truncate)
        }
    }

    /// The file has all that was written, and its log nothing. Blocks.
    package func truncateLog() throws {
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    /// Gives the caches' memory back, as far as nothing uses it. Blocks.
    package func releaseMemory() { pool.releaseMemory() }

    /// Ends all access. Blocks. Without it, the next start recovers from the write-ahead log, which loses nothing.
    package func close() throws {
        // The connection that closes last is a reader, which may not merge the log into the file.
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
    }

    // MARK: Opening

    /// SQLite would make the file readable as the umask allows; its log and index take over the file's mode.
    private static func prepareFile(_ path: String) throws(BatonError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure.kept("open", path) }
        Glibc.close(descriptor)
    }

    /// Read-only, so that a damaged file is not touched.
    private static func check(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        // In a table WITHOUT ROWID whose key is in another order than its columns, SQLite 3.40 quickly finds a NULL that is not
        // there: the slow check knows better.
        for check in ["quick_check", "integrity_check"]
        where try queue.read({ try String.fetchOne($0, sql: "PRAGMA \(check)(1)") }) == "ok" { return }
        throw damaged(path, cause: nil)
    }

    private static func migrate(_ pool: DatabasePool, _ migrations: [Migration]) throws {
        var migrator = DatabaseMigrator()
        for migration in migrations { migrator.registerMigration(migration.name, migrate: migration.body) }
        guard try !pool.read(migrator.hasBeenSuperseded) else {
            throw BatonError(
                .failedPrecondition, reason: "database_newer",
                "The data of this device was written by a newer Baton. Install that version, or a later one.")
        }
        try migrator.migrate(pool)
    }

    private static func error(_ error: any Error, _ path: String) -> BatonError {
        switch error {
        case let error as BatonError: error
        case let error as DatabaseError
        where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode):
            damaged(path, cause: error)
        case let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_FULL:
            BatonError(
                .resourceExhausted, reason: "disk_full", "There is no space for the database “\(path)”. Free some.",
                cause: error)
        default:
            BatonError(
                .unknown, reason: "database_unusable",
                "The database “\(path)” cannot be opened. See the log for the cause.", cause: error)
        }
    }

    private static func damaged(_ path: String, cause: (any Error)?) -> BatonError {
        BatonError(
            .dataLoss, reason: "database_damaged",
            "The database “\(path)” is damaged. It was not changed. Put back a copy of it, or move it away with its "
                + "-wal and -shm files: the account's keys are elsewhere and stay, apps must be installed again.",
            cause: cause)
    }
}
