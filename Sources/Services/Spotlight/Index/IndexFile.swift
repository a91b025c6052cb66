import BatonCore
import Foundation
import GRDB
import Glibc

/// `search.sqlite`: all that can be found, and the words by which it is. It can be rebuilt, so a write costs no wait for the disk.
///
/// One writer at a time, readers beside it, on GRDB's own queues.
final class IndexFile: Sendable {
    let path: String
    let pool: any DatabaseWriter
    let facts = ItemFacts()

    /// Opens the file, made if need be (0600), and brings it to this version. One that is damaged, or of a version that cannot be brought
    /// to this one, is set aside, as `search.sqlite.damaged`. Blocks.
    /// - Parameter willMake: puts on the disk that a new file has to be filled, since one that is there is not filled again.
    /// - Returns: and whether it is new and has to be filled.
    static func open(
        _ path: String, willMake: () throws -> Void
    ) throws(BatonError) -> (file: IndexFile, isNew: Bool) {
        do {
            if FileManager.default.fileExists(atPath: path) {
                do {
                    return (try IndexFile(path, mustExist: true), false)
                } catch {
                    if isPassing(error) { throw error }
                    try setAside(path)
                }
            }
            try willMake()
            return (try IndexFile(path, mustExist: false), true)
        } catch {
            throw BatonError(
                .unavailable, reason: "index_unavailable",
                "The index of search “\(path)” cannot be opened. See whether the disk is full or may not be written.",
                cause: error)
        }
    }

    /// An index that is nowhere but in memory.
    static func memory() throws -> IndexFile {
        let queue = try DatabaseQueue(configuration: configuration())
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
        try queue.write { try IndexSchema.make($0) }
        return IndexFile(queue)
    }

    private init(_ memory: DatabaseQueue) {
        path = ""
        pool = memory
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = "baton.search"
        configuration.maximumReaderCount = 2
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Deleted rows are overwritten, in the pages of the item table.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // 8 MiB for each of three connections: a frequent word's candidates lie on more pages than SQLite's 2 MB hold.
            try db.execute(sql: "PRAGMA cache_size = -8192")
            HitsFunction.install(in: db)
        }
        return configuration
    }

    private init(_ path: String, mustExist: Bool) throws {
        self.path = path
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        Glibc.close(descriptor)
        let pool = try DatabasePool(path: path, configuration: Self.configuration())
        self.pool = pool
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        if mustExist {
            try bringToVersion()
        } else {
            try pool.write { try IndexSchema.make($0) }
        }
    }

    private func bringToVersion() throws {
        let version = try pool.read { db in
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version")
            return try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" ? version : nil
        }
        switch version {
        case IndexSchema.version?: break
        case let version? where IndexSchema.migratedVersions.contains(version):
            do {
                try pool.write { try IndexSchema.migrate($0, from: version) }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                // No room for both: it is set aside, since the daemon could not start.
                try pool.close()
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            // The old tables left free pages, which are overwritten and used later.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        default:
            try pool.close()
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
    }

    /// Whether an error says nothing of the file: there was no room, or another had the lock. The file stays, for the next start.
    static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return switch error.extendedResultCode {
        case .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC,
            .SQLITE_IOERR_NOMEM, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP:
            true
        default: false
        }
    }

    /// One that was set aside before goes.
    private static func setAside(_ path: String) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            let target = path + ".damaged" + suffix
            if suffix == "-shm" {
                try FileManager.default.removeItem(atPath: path + suffix)
            } else if rename(path + suffix, target) != 0 {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.read(body)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.write(body)
    }

    /// - Returns: and the processor time that it took, in milliseconds. FTS5 does a part of its work as the transaction ends.
    func timedWrite<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> (value: Value, milliseconds: Double) {
        try await pool.writeWithoutTransaction { db in
            let start = Self.processorTime()
            var value: Value?
            try db.inTransaction {
                value = try body(db)
                return .commit
            }
            guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            return (value, Self.processorTime() - start)
        }
    }

    /// This thread's, in milliseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    /// What was written before is on the disk when this returns.
    func settle() async throws {
        try await pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }
            _ = try db.checkpoint(.passive)
        }
    }

    /// No deleted word is in the files when this returns.
    func purge() async throws {
        try await pool.write { db in
            // The last of their items may be gone.
            try db.execute(
                sql: """
                    DELETE FROM domain WHERE NOT EXISTS (
                        SELECT 1 FROM item WHERE item.domain = domain.id AND item.domain <> 0);
                    DELETE FROM owner WHERE NOT EXISTS (
                        SELECT 1 FROM item WHERE item.source IN (1, 2, 3, 4) AND item.owner = owner.id);
                    DELETE FROM usage WHERE items <= 0 AND error = '';
                    """)
            for table in ["text_index", "name_index"] {
                try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('optimize')")
            }
        }
        try await pool.writeWithoutTransaction { db in
            _ = try db.checkpoint(.truncate)
        }
    }

    /// Bytes of the file and its log.
    var size: UInt64 {
        ["", "-wal"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.uint64Value ?? 0)
        }
    }

    /// Blocks.
    func close() throws {
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
    }
}
