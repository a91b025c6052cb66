import BackupFormat
import BatonCore
import FileSync
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

    /// A file as it was when it was read.
    struct Known {
        /// Size, times and inode; where they differ, the file is read.
        var fingerprint: [UInt8]
        var entry: BackupEntry
    }

    private let queue: DatabaseQueue
    private let table: String

    /// - Parameters:
    ///   - path: of the cache; a damaged one is made anew.
    ///   - target: names the target's tables.
    init(path: String, target: String) throws {
        table = target
        do {
            queue = try Self.open(path)
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            queue = try Self.open(path)
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
                    CREATE TABLE IF NOT EXISTS file
                        (target TEXT NOT NULL, path BLOB NOT NULL, seen INTEGER NOT NULL, fingerprint BLOB NOT NULL, entry BLOB NOT NULL,
                         PRIMARY KEY (target, path)) WITHOUT ROWID;
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
    }

    func remove(_ pack: BackupPack.ID) throws {
        try queue.write { [table] in
            try $0.execute(sql: "DELETE FROM pack WHERE target = ? AND name = ?", arguments: [table, pack.description])
        }
    }

    /// Those that no backup uses any more.
    func setMarked(_ packs: Set<BackupPack.ID>) throws {
        try queue.write { [table] db in
            try db.execute(sql: "UPDATE pack SET marked = 0 WHERE target = ?", arguments: [table])
            for pack in packs {
                try db.execute(
                    sql: "UPDATE pack SET marked = 1 WHERE target = ? AND name = ?",
                    arguments: [table, pack.description])
            }
        }
    }

    /// All places of a chunk, the usable ones first.
    func locations(of hash: ContentHash) throws -> [Location] {
        try queue.read { [table] db in
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
        try queue.read { [table] db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT 1 FROM chunk JOIN pack ON pack.id = chunk.pack WHERE hash = ? AND target = ? AND marked = 0 LIMIT 1
                    """)
            return try Int.fetchOne(statement, arguments: [Data(hash.bytes), table]) != nil
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

    // MARK: Files

    func file(_ path: [UInt8]) throws -> Known? {
        let row = try queue.read { [table] db in
            let statement = try db.cachedStatement(
                sql: "SELECT fingerprint, entry FROM file WHERE target = ? AND path = ?")
            return try Row.fetchOne(statement, arguments: [table, Data(path)])
        }
        guard let row, let entry = try? BackupEntry(decoding: Array(row[1] as Data)) else { return nil }
        return Known(fingerprint: Array(row[0] as Data), entry: entry)
    }

    /// - Parameter round: the number of the backup that saw them.
    func keep(_ files: [(path: [UInt8], known: Known)], round: UInt64) throws {
        try queue.write { [table] db in
            let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)")
            for (path, known) in files {
                try statement.execute(arguments: [
                    table, Data(path), Int64(clamping: round), Data(known.fingerprint), Data(known.entry.encoded),
                ])
            }
        }
    }

    /// Bound: twice as many as the last backup had. Beyond it, files that are gone are most of it, and all are read again.
    func boundFiles(to count: UInt64) throws {
        try queue.write { [table] db in
            let kept =
                try Int64.fetchOne(db, sql: "SELECT count(*) FROM file WHERE target = ?", arguments: [table]) ?? 0
            guard kept > 2 * Int64(clamping: count) + 1000 else { return }
            try db.execute(sql: "DELETE FROM file WHERE target = ?", arguments: [table])
        }
    }

    func close() { try? queue.close() }
}
