import BackupFormat
import BatonCore
import FileSync
import Files
import Foundation
import GRDB

/// All that this device knows of the target's packs, and of its own files at the last backup. A cache: it is made again from the packs'
/// directories, and without it every file is read.
final class BackupIndex {
    struct Location: Hashable {
        var pack: BackupPack.ID
        var chunk: BackupPack.Chunk
        var isMarked: Bool
    }

    let queue: DatabaseQueue
    /// Names the target's rows.
    let table: String
    private var usable = Usable.unread

    /// The chunks that a backup need not store again, in memory: each file of a backup asks after some.
    private enum Usable {
        case unread
        case all(Set<ContentHash>)
        /// More than ``maximumUsable``: the tables are asked.
        case tooMany
    }
    /// Bound: some 40 MB.
    static let maximumUsable = 1 << 19

    /// - Parameters:
    ///   - path: of the cache; a damaged one is made anew.
    ///   - target: names the target's tables.
    init(path: String, target: String) throws {
        table = target
        do {
            queue = try Self.open(path)
        } catch {
            Self.remove(path)
            queue = try Self.open(path)
        }
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    /// A failure of the cache as one that says what to do; others as they are. A damaged cache goes: the next work makes it anew.
    static func failure(_ error: any Error, path: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            remove(path)
            return BatonError(
                .aborted, reason: "backup_index_damaged",
                "This device's index of the backups was damaged, and is made anew: nothing is lost. Give the command again."
            )
        case .SQLITE_FULL:
            return BatonError(
                .resourceExhausted, reason: "own_disk_full",
                "The disk of this device is full, and Baton keeps an index of the backups there: “\(PrintableName.escaped(path))”. Free "
                    + "some space and try again.")
        default:
            return BatonError(
                .unavailable, reason: "backup_index_failed",
                "This device's index of the backups, “\(PrintableName.escaped(path))”, cannot be used: "
                    + "\(error.message ?? "SQLite failed"). Check the disk and who owns that file.")
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "baton.backup.index"
        configuration.prepareDatabase { db in
            // A cache: what a loss of power takes is read again.
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS pack
                        (id INTEGER PRIMARY KEY, target TEXT NOT NULL, name TEXT NOT NULL, marked INTEGER NOT NULL DEFAULT 0,
                         UNIQUE (target, name));
                    CREATE TABLE IF NOT EXISTS chunk
                        (hash BLOB NOT NULL, pack INTEGER NOT NULL REFERENCES pack ON DELETE CASCADE, position INTEGER NOT NULL,
                         stored INTEGER NOT NULL, length INTEGER NOT NULL, compression INTEGER NOT NULL,
                         PRIMARY KEY (hash, pack)) WITHOUT ROWID;
                    CREATE INDEX IF NOT EXISTS chunk_pack ON chunk (pack);
                    DROP TABLE IF EXISTS file;
                    CREATE TABLE IF NOT EXISTS place
                        (id INTEGER PRIMARY KEY, target TEXT NOT NULL, path BLOB NOT NULL, UNIQUE (target, path));
                    CREATE TABLE IF NOT EXISTS known
                        (place INTEGER NOT NULL, name BLOB NOT NULL, fingerprint BLOB NOT NULL, entry BLOB NOT NULL,
                         PRIMARY KEY (place, name)) WITHOUT ROWID;
                    """)
        }
        return queue
    }

    // MARK: Packs

    func packs() throws -> Set<BackupPack.ID> {
        let names = try queue.read { [table] in
            try String.fetchAll($0, sql: "SELECT name FROM pack WHERE target = ?", arguments: [table])
        }
        return Set(names.compactMap { BackupPack.ID($0) })
    }

    func add(_ pack: BackupPack.ID, _ directory: BackupPack) throws {
        try queue.write { [table] db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO pack (target, name) VALUES (?, ?)", arguments: [table, pack.description])
            let id = db.lastInsertedRowID
            let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?, ?)")
            for chunk in directory.chunks {
                try statement.execute(arguments: [
                    Data(chunk.reference.hash.bytes), id, Int64(chunk.offset), Int64(chunk.storedLength),
                    Int64(chunk.reference.length), Int64(chunk.compression.rawValue),
                ])
            }
        }
        guard case .all(var hashes) = usable else { return }
        // Held here alone, so that it grows in its place.
        usable = .unread
        for chunk in directory.chunks { hashes.insert(chunk.reference.hash) }
        usable = hashes.count > Self.maximumUsable ? .tooMany : .all(hashes)
    }

    func remove(_ pack: BackupPack.ID) throws {
        usable = .unread
        try queue.write { [table] in
            try $0.execute(sql: "DELETE FROM pack WHERE target = ? AND name = ?", arguments: [table, pack.description])
        }
    }

    /// Those that no backup uses any more.
    func setMarked(_ packs: Set<BackupPack.ID>) throws {
        let known = try queue.read { [table] in
            try String.fetchAll($0, sql: "SELECT name FROM pack WHERE target = ? AND marked = 1", arguments: [table])
        }
        let present = try self.packs()
        guard Set(known.compactMap { BackupPack.ID($0) }) != packs.intersection(present) else { return }
        usable = .unread
        try queue.write { [table] db in
            try db.execute(sql: "UPDATE pack SET marked = 0 WHERE target = ?", arguments: [table])
            for pack in packs {
                try db.execute(
                    sql: "UPDATE pack SET marked = 1 WHERE target = ? AND name = ?",
                    arguments: [table, pack.description])
            }
        }
    }

    /// All places of a chunk, the usable ones first. May be called on any thread.
    func locations(of hash: ContentHash) throws -> [Location] {
        // One statement needs no transaction, which would take longer than the statement.
        try queue.writeWithoutTransaction { [table] db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT pack.name, pack.marked, position, stored, length, compression FROM chunk JOIN pack ON pack.id = chunk.pack
                    WHERE hash = ? AND target = ? ORDER BY marked, name
                    """)
            return try Row.fetchAll(statement, arguments: [Data(hash.bytes), table]).compactMap { row in
                guard let pack = BackupPack.ID(row[0] as String),
                    let compression = BackupPack.Compression(rawValue: UInt8(clamping: row[5] as Int64))
                else { return nil }
                return Location(
                    pack: pack,
                    chunk: .init(
                        reference: ChunkReference(hash: hash, length: UInt32(clamping: row[4] as Int64)),
                        offset: UInt32(clamping: row[2] as Int64), storedLength: UInt32(clamping: row[3] as Int64),
                        compression: compression), isMarked: row[1] as Int64 != 0)
            }
        }
    }

    func isUsable(_ hash: ContentHash) throws -> Bool {
        if case .unread = usable { usable = try readUsable() }
        if case .all(let hashes) = usable { return hashes.contains(hash) }
        return try queue.writeWithoutTransaction { [table] db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT 1 FROM chunk JOIN pack ON pack.id = chunk.pack WHERE hash = ? AND target = ? AND marked = 0 LIMIT 1
                    """)
            return try Int.fetchOne(statement, arguments: [Data(hash.bytes), table]) != nil
        }
    }

    private func readUsable() throws -> Usable {
        try queue.read { [table] db in
            let packs = try Set(
                Int64.fetchAll(db, sql: "SELECT id FROM pack WHERE target = ? AND marked = 0", arguments: [table]))
            // In the order of the table: the packs of other targets are few.
            let cursor = try Row.fetchCursor(db, sql: "SELECT hash, pack FROM chunk")
            var hashes: Set<ContentHash> = []
            while let row = try cursor.next() {
                guard packs.contains(row[1]),
                    let hash = try row.withUnsafeData(atIndex: 0, { $0.flatMap(ContentHash.init) })
                else { continue }
                hashes.insert(hash)
                guard hashes.count <= Self.maximumUsable else { return .tooMany }
            }
            return .all(hashes)
        }
    }

    /// For collecting.
    func chunks(of pack: BackupPack.ID) throws -> Set<ContentHash> {
        try queue.read { [table] db in
            let cursor = try Data.fetchCursor(
                db, sql: "SELECT hash FROM chunk WHERE pack = (SELECT id FROM pack WHERE target = ? AND name = ?)",
                arguments: [table, pack.description])
            var hashes: Set<ContentHash> = []
            while let data = try cursor.next() { if let hash = ContentHash(data) { hashes.insert(hash) } }
            return hashes
        }
    }

    /// Bytes of all chunks as they are stored.
    func storedBytes() throws -> UInt64 {
        try queue.read { [table] db in
            let sql = "SELECT sum(stored) FROM chunk JOIN pack ON pack.id = chunk.pack WHERE target = ?"
            return UInt64(clamping: try Int64.fetchOne(db, sql: sql, arguments: [table]) ?? 0)
        }
    }

    func close() { try? queue.close() }
}
