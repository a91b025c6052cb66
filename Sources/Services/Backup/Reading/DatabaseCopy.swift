import BatonCore
import Foundation
import GRDB
import GRDBSQLite

/// Takes a SQLite database by SQLite's backup interface, so that the copy opens whole whatever its app does meanwhile.
enum DatabaseCopy {
    static let heading = Array("SQLite format 3\0".utf8)
    /// As much of a database as says what it is.
    static let headingSize = 20
    /// Names of files beside a database that belong to it.
    static let companions = ["-wal", "-shm", "-journal"]

    /// A database's log, journal and index.
    static func companions(of database: [UInt8]) -> [[UInt8]] { companions.map { database + Array($0.utf8) } }

    /// Seconds in which a database's writers end, mostly.
    static let patience = 5.0
    /// Where one was locked for longer: a program that runs keeps many of its databases so.
    static let shortPatience = 0.2

    static func isBusy(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_BUSY }

    /// Whether what is written to a database goes to a log beside it first.
    static func hasLog(_ heading: [UInt8]) -> Bool {
        heading.count == headingSize && heading[18...].allSatisfy { $0 == 2 }
    }

    /// SQLite opens a journal by its name and would wait for ever on a named pipe. An app may put one there at any moment, so
    /// nothing that SQLite opens in this process waits: for regular files the flag means nothing.
    private static let opensWithoutWaiting: Bool = {
        let open: @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32 = { path, flags, mode in
            guard let path else {
                errno = EFAULT
                return -1
            }
            return Glibc.open(path, flags | O_NONBLOCK | O_NOCTTY, mode_t(truncatingIfNeeded: mode))
        }
        guard let system = sqlite3_vfs_find("unix"), let set = system.pointee.xSetSystemCall else { return false }
        // SQLite keeps every system call as a function without arguments, and calls this one with those of `open`.
        return set(system, "open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
    }()

    /// Copies the database at a path. Blocks.
    ///
    /// SQLite opens paths, and an app might exchange a directory on the way in the meantime. So the files that it has opened must be
    /// those that are expected, before the copy and after it: a log is opened whenever one is there.
    /// - Parameter patience: how many seconds it waits for its writers.
    /// - Parameter isOpened: whether SQLite has the expected database open, and its log where it reads one.
    /// - Throws: when it cannot be copied: the file is then taken as it is, with what is beside it.
    static func make(
        of path: String, at staging: String, patience: Double = patience, isOpened: (_ withLog: Bool) -> Bool
    ) throws {
        guard opensWithoutWaiting else {
            throw BatonError(.internal, reason: "database_not_copied", "SQLite cannot be kept from waiting for a file.")
        }
        unlink(staging)
        var source = Configuration()
        source.readonly = true
        source.busyMode = .timeout(patience)
        var target = Configuration()
        target.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
        let from = try DatabaseQueue(path: path, configuration: source)
        defer { try? from.close() }
        try from.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
        try check(from, isOpened)
        let to = try DatabaseQueue(path: staging, configuration: target)
        defer { try? to.close() }
        try from.backup(to: to)
        try check(from, isOpened)
    }

    private static func check(_ database: DatabaseQueue, _ isOpened: (_ withLog: Bool) -> Bool) throws {
        let mode = try database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        guard isOpened(mode == "wal") else {
            throw BatonError(.aborted, reason: "database_moved", "A database was moved while it was read.")
        }
    }
}
