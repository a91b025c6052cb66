import BatonCore
import BatonStore
import FileSync
import Foundation
import GRDB
import Sync

/// State of the exchange with nearby devices, and burials. Every method blocks.
extension DocumentsStore {
    static let directMigration = DaemonDatabase.Migration("documents-4") { db in
        try db.execute(
            sql: """
                -- Runs of chunks of large contents, by their hashes.
                CREATE TABLE documents_run (
                    container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                    hash BLOB NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (container, hash)
                ) STRICT, WITHOUT ROWID;
                -- Contents that devices of an account without a cloud keep for each other.
                CREATE TABLE documents_nearby (
                    container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                    hash BLOB NOT NULL, PRIMARY KEY (container, hash)
                ) STRICT, WITHOUT ROWID;
                -- Shards of the zone's graves; the version is null where the zone has another content.
                CREATE TABLE documents_graves (
                    container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                    name TEXT NOT NULL, content BLOB NOT NULL, version INTEGER, sent INTEGER NOT NULL,
                    PRIMARY KEY (container, name)
                ) STRICT, WITHOUT ROWID;
                -- Since when what is deleted is so, in milliseconds by the account's time.
                CREATE TABLE documents_age (
                    container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                    id BLOB NOT NULL, since INTEGER NOT NULL, stamp INTEGER NOT NULL, PRIMARY KEY (container, id)
                ) STRICT, WITHOUT ROWID;
                -- When another device was seen to have the same.
                CREATE TABLE documents_met (
                    container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                    device TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (container, device)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    static let lookMigration = DaemonDatabase.Migration("documents-6") { db in
        try db.execute(
            sql: """
                -- When ages of deletions were looked at last, in milliseconds by the account's time.
                CREATE TABLE documents_look (
                    container INTEGER PRIMARY KEY REFERENCES documents_container (id) ON DELETE CASCADE,
                    time INTEGER NOT NULL
                ) STRICT;
                """)
    }

    // MARK: Runs

    func addRuns(_ runs: [ContentHash: [UInt8]], to container: Int64) throws {
        guard !runs.isEmpty else { return }
        try database.writeBlocking { db in
            for (hash, bytes) in runs {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO documents_run (container, hash, bytes) VALUES (?, ?, ?)",
                    arguments: [container, Data(hash.bytes), Data(bytes)])
            }
        }
    }

    func run(_ hash: ContentHash, in container: Int64) throws -> [UInt8]? {
        try database.readBlocking { db in
            try Data.fetchOne(
                db, sql: "SELECT bytes FROM documents_run WHERE container = ? AND hash = ?",
                arguments: [container, Data(hash.bytes)]
            ).map { [UInt8]($0) }
        }
    }

    /// The chunks of a content.
    /// - Returns: nil where a run is not here.
    func chunks(of list: ChunkList, in container: Int64) throws -> [ChunkReference]? {
        guard list.isIndirect else { return list.references }
        var chunks: [ChunkReference] = []
        for reference in list.references {
            guard let bytes = try run(reference.hash, in: container) else { return nil }
            chunks += try ChunkRun(decoding: bytes, sizes: list.sizes).references
        }
        return chunks
    }

    /// Removes runs that no list names, and that none named at the look before. A content that was just read, or that comes to be kept for
    /// another device, is named a little later only.
    /// - Returns: those that stay though no list names them now.
    func forgetRuns(
        except named: Set<ContentHash>, unnamedBefore: Set<ContentHash>, of container: Int64
    ) throws -> Set<ContentHash> {
        try database.writeBlocking { db in
            let all = try Data.fetchAll(
                db, sql: "SELECT hash FROM documents_run WHERE container = ?", arguments: [container])
            var unnamed: Set<ContentHash> = []
            for bytes in all {
                if let hash = ContentHash(bytes) {
                    if named.contains(hash) { continue }
                    guard unnamedBefore.contains(hash) else {
                        unnamed.insert(hash)
                        continue
                    }
                }
                try db.execute(
                    sql: "DELETE FROM documents_run WHERE container = ? AND hash = ?", arguments: [container, bytes])
            }
            return unnamed
        }
    }

    // MARK: Contents that devices keep for each other

    func addNearby(_ hashes: some Sequence<ContentHash>, to container: Int64) throws {
        try database.writeBlocking { db in
            for hash in hashes {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO documents_nearby (container, hash) VALUES (?, ?)",
                    arguments: [container, Data(hash.bytes)])
            }
        }
    }

    func nearby(in container: Int64) throws -> [ContentHash] {
        try database.readBlocking { db in
            try Data.fetchAll(
                db, sql: "SELECT hash FROM documents_nearby WHERE container = ?", arguments: [container]
            ).compactMap { ContentHash($0) }
        }
    }

    func removeNearby(_ hash: ContentHash, from container: Int64) throws {
        try database.writeBlocking { db in
            try db.execute(
                sql: "DELETE FROM documents_nearby WHERE container = ? AND hash = ?",
                arguments: [container, Data(hash.bytes)])
        }
    }

    // MARK: Burial

    /// A shard of the graves.
    struct Graves: Sendable {
        var name: String
        var content: Data
        var version: UInt64?
        /// The zone has this content.
        var isSent: Bool
    }

    func graves(in container: Int64) throws -> [Graves] {
        try database.readBlocking { db in
            try Row.fetchAll(
                db, sql: "SELECT name, content, version, sent FROM documents_graves WHERE container = ?",
                arguments: [container]
            ).map { row in
                Graves(
                    name: row["name"], content: row["content"],
                    version: (row["version"] as Int64?).map { UInt64(bitPattern: $0) }, isSent: row["sent"])
            }
        }
    }

    func save(_ graves: [Graves], of container: Int64) throws {
        guard !graves.isEmpty else { return }
        try database.writeBlocking { db in
            for shard in graves {
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO documents_graves (container, name, content, version, sent)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        container, shard.name, shard.content, shard.version.map { Int64(bitPattern: $0) }, shard.isSent,
                    ])
            }
        }
    }

    func ages(in container: Int64) throws -> [EntryID: DeletionAges<EntryID>.Age] {
        try database.readBlocking { db in
            var ages: [EntryID: DeletionAges<EntryID>.Age] = [:]
            for row in try Row.fetchAll(
                db, sql: "SELECT id, since, stamp FROM documents_age WHERE container = ?", arguments: [container])
            {
                guard let id = EntryCodec.id(row["id"] as Data) else { continue }
                ages[id] = .init(
                    since: UInt64(clamping: row["since"] as Int64), stamp: UInt64(bitPattern: row["stamp"] as Int64))
            }
            return ages
        }
    }

    func save(_ ages: [EntryID: DeletionAges<EntryID>.Age], of container: Int64) throws {
        try database.writeBlocking { db in
            try db.execute(sql: "DELETE FROM documents_age WHERE container = ?", arguments: [container])
            for (id, age) in ages {
                try db.execute(
                    sql: "INSERT INTO documents_age (container, id, since, stamp) VALUES (?, ?, ?, ?)",
                    arguments: [
                        container, EntryCodec.bytes(of: id), Int64(clamping: age.since), Int64(bitPattern: age.stamp),
                    ])
            }
        }
    }

    func look(in container: Int64) throws -> UInt64? {
        try database.readBlocking { db in
            try Int64.fetchOne(db, sql: "SELECT time FROM documents_look WHERE container = ?", arguments: [container])
                .map { UInt64(clamping: $0) }
        }
    }

    func saveLook(_ time: UInt64, of container: Int64) throws {
        try database.writeBlocking { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO documents_look (container, time) VALUES (?, ?)",
                arguments: [container, Int64(clamping: time)])
        }
    }

    func met(in container: Int64) throws -> [DeviceID: UInt64] {
        try database.readBlocking { db in
            var met: [DeviceID: UInt64] = [:]
            for row in try Row.fetchAll(
                db, sql: "SELECT device, time FROM documents_met WHERE container = ?", arguments: [container])
            {
                guard let device = try? DeviceID(validating: row["device"] as String) else { continue }
                met[device] = UInt64(clamping: row["time"] as Int64)
            }
            return met
        }
    }

    func saveMet(_ device: DeviceID, _ time: UInt64, of container: Int64) throws {
        try database.writeBlocking { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO documents_met (container, device, time) VALUES (?, ?, ?)",
                arguments: [container, device.rawValue, Int64(clamping: time)])
        }
    }
}
