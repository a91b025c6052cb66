import BatonCore
import BatonStore
import FileSync
import Foundation
import GRDB
import Packs
import Sync

/// The state of every container that outlives a crash, in the daemon's database. Every method blocks.
struct DocumentsStore: Sendable {
    /// One container.
    struct Container: Sendable {
        var id: Int64
        var name: ContainerName
        /// Whose tree it is.
        var account: String
        /// Another one after the tree was begun anew.
        var identity: Data
        var actor: UInt64
        var rootHandle: Data
        var lastTime: UInt64
        var isComplete: Bool
    }

    /// The changes of one round that are to be kept. Nil: it is gone.
    struct Changes: Sendable {
        var lastTime: UInt64 = 0
        var actor: UInt64 = 0
        var isComplete = false
        var entries: [EntryID: Data?] = [:]
        /// The zone's versions that are others than before, of entries that are kept.
        var versions: [EntryID: UInt64?] = [:]
        var base: [EntryID: Data?] = [:]
        var intents: [EntryID: Data?] = [:]
        var displaced: [LocalHandle: Data?] = [:]
        var marks: [Mark: Data?] = [:]
        var packs: [String: UInt64?] = [:]

        var isEmpty: Bool {
            entries.isEmpty && versions.isEmpty && base.isEmpty && intents.isEmpty && displaced.isEmpty
                && marks.isEmpty && packs.isEmpty
        }
    }

    /// A note about an entry or a content.
    struct Mark: Hashable, Sendable {
        enum Kind: Int64, Sendable {
            case unsent = 1
            case unstored, replaced, evicted, held, kept, leftForRoom
        }
        var kind: Kind
        var id: Data
    }

    private static let packTables = PackTables(prefix: "documents", owner: "container", in: "documents_container")

    static let migrations = [
        DaemonDatabase.Migration("documents-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE documents_container (
                        id INTEGER PRIMARY KEY,
                        -- The fingerprint of the team; empty for programs in development.
                        team BLOB NOT NULL,
                        identifier TEXT NOT NULL,
                        directory TEXT NOT NULL UNIQUE,
                        account TEXT NOT NULL,
                        identity BLOB NOT NULL,
                        actor INTEGER NOT NULL,
                        root_handle BLOB NOT NULL,
                        last_time INTEGER NOT NULL,
                        complete INTEGER NOT NULL,
                        UNIQUE (team, identifier)
                    ) STRICT;
                    CREATE TABLE documents_entry (
                        container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                        id BLOB NOT NULL,
                        -- A message DocumentEntry.
                        content BLOB NOT NULL,
                        -- What the zone has of it; null: nothing.
                        version INTEGER,
                        PRIMARY KEY (container, id)
                    ) STRICT;
                    CREATE TABLE documents_base (
                        container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                        id BLOB NOT NULL, record BLOB NOT NULL, PRIMARY KEY (container, id)
                    ) STRICT;
                    CREATE TABLE documents_intent (
                        container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                        id BLOB NOT NULL, record BLOB NOT NULL, PRIMARY KEY (container, id)
                    ) STRICT;
                    CREATE TABLE documents_displaced (
                        container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                        handle BLOB NOT NULL, record BLOB NOT NULL, PRIMARY KEY (container, handle)
                    ) STRICT;
                    CREATE TABLE documents_mark (
                        container INTEGER NOT NULL REFERENCES documents_container (id) ON DELETE CASCADE,
                        kind INTEGER NOT NULL, id BLOB NOT NULL, value BLOB NOT NULL,
                        PRIMARY KEY (container, kind, id)
                    ) STRICT;
                    """)
            try db.execute(sql: packTables.schema)
        },
        DaemonDatabase.Migration("documents-2") { db in
            try db.execute(
                sql: """
                    -- Apps for which documents are switched off on this device.
                    CREATE TABLE documents_off (
                        team BLOB NOT NULL,
                        bundle TEXT NOT NULL,
                        PRIMARY KEY (team, bundle)
                    ) STRICT;
                    """)
        },
        DaemonDatabase.Migration("documents-3") { db in
            try db.execute(
                sql: """
                    -- Where the person's folders are on this device.
                    CREATE TABLE documents_folder (
                        name TEXT NOT NULL PRIMARY KEY,
                        path TEXT NOT NULL UNIQUE
                    ) STRICT;
                    """)
        },
        directMigration,
        DaemonDatabase.Migration("documents-5") { db in
            // A folder that only receives on this device.
            try db.execute(sql: "ALTER TABLE documents_folder ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0")
        },
        lookMigration,
    ]

    let database: DaemonDatabase
    /// The packs of containers, and where each chunk is.
    var packs: PackIndex<DocumentPack> { PackIndex(Self.packTables, in: database) }
    /// Small contents of entries that were saved lately.
    let recent = SmallContentCache()

    // MARK: Containers

    func containers() throws -> [Container] {
        try database.readBlocking { db in
            try Row.fetchAll(db, sql: "SELECT * FROM documents_container ORDER BY identifier").compactMap(
                Self.container)
        }
    }

    /// Begins a tree: for a container that is new, or in place of a tree of another account.
    static func newIdentity() -> Data { Data((0..<16).map { _ in UInt8.random(in: 0...255) }) }

    func create(
        _ name: ContainerName, account: String, rootHandle: LocalHandle, identity: Data = DocumentsStore.newIdentity()
    ) throws -> Container {
        try database.writeBlocking { db in
            let team = Data(name.team.fingerprint)
            try db.execute(
                sql: "DELETE FROM documents_container WHERE team = ? AND identifier = ?",
                arguments: [team, name.identifier])
            let other = try Row.fetchOne(
                db, sql: "SELECT 1 FROM documents_container WHERE directory = ?", arguments: [name.directory])
            guard other == nil else {
                throw BatonError(
                    .alreadyExists, reason: "container_taken",
                    "There is a container \(name.identifier) of another team whose Team ID is the same. It is not opened."
                )
            }
            var container = Container(
                id: 0, name: name, account: account, identity: identity,
                actor: UInt64.random(in: 1...UInt64(Int64.max)), rootHandle: Data(rootHandle.bytes.bytes), lastTime: 0,
                isComplete: false)
            try db.execute(
                sql: """
                    INSERT INTO documents_container
                        (team, identifier, directory, account, identity, actor, root_handle, last_time, complete)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)
                    """,
                arguments: [
                    team, name.identifier, name.directory, account, container.identity,
                    Int64(bitPattern: container.actor), container.rootHandle,
                ])
            container.id = db.lastInsertedRowID
            return container
        }
    }

    /// The container's folder was replaced: the recorded state of the disk counts no more.
    func forgetDisk(_ container: Int64, rootHandle: LocalHandle) throws {
        try database.writeBlocking { db in
            for table in ["documents_base", "documents_intent", "documents_displaced"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE container = ?", arguments: [container])
            }
            try db.execute(
                sql: "DELETE FROM documents_mark WHERE container = ? AND kind = ?",
                arguments: [container, Mark.Kind.held.rawValue])
            try db.execute(
                sql: "UPDATE documents_container SET root_handle = ? WHERE id = ?",
                arguments: [Data(rootHandle.bytes.bytes), container])
        }
    }

    // MARK: Saving

    /// All or nothing; on the disk when it returns.
    func save(_ changes: Changes, of container: Int64) throws {
        try database.writeBlocking { db in
            try db.execute(
                sql: "UPDATE documents_container SET last_time = ?, actor = ?, complete = ? WHERE id = ?",
                arguments: [
                    Int64(bitPattern: changes.lastTime), Int64(bitPattern: changes.actor), changes.isComplete,
                    container,
                ])
            let insertion = try db.cachedStatement(
                sql: """
                    INSERT INTO documents_entry (container, id, content) VALUES (?, ?, ?)
                    ON CONFLICT (container, id) DO UPDATE SET content = excluded.content
                    """)
            let deletion = try db.cachedStatement(sql: "DELETE FROM documents_entry WHERE container = ? AND id = ?")
            for (id, entry) in changes.entries {
                let bytes = EntryCodec.bytes(of: id)
                if let entry {
                    try insertion.execute(arguments: [container, bytes, entry])
                } else {
                    try deletion.execute(arguments: [container, bytes])
                }
            }
            let update = try db.cachedStatement(
                sql: "UPDATE documents_entry SET version = ?1 WHERE container = ?2 AND id = ?3 AND version IS NOT ?1")
            for (id, version) in changes.versions {
                try update.execute(
                    arguments: [version.map { Int64(bitPattern: $0) }, container, EntryCodec.bytes(of: id)])
            }
            let base = changes.base.map { (EntryCodec.bytes(of: $0.key), $0.value) }
            try Self.write(base, to: "documents_base", key: "id", container, db)
            let intents = changes.intents.map { (EntryCodec.bytes(of: $0.key), $0.value) }
            try Self.write(intents, to: "documents_intent", key: "id", container, db)
            let displaced = changes.displaced.map { (Data($0.key.bytes.bytes), $0.value) }
            try Self.write(displaced, to: "documents_displaced", key: "handle", container, db)
            try Self.write(changes.marks, container, db)
            try packs.setVersions(changes.packs, of: container, db)
        }
    }

    private static func write(
        _ rows: [(Data, Data?)], to table: String, key: String, _ container: Int64, _ db: Database
    ) throws {
        guard !rows.isEmpty else { return }
        let insertion = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO \(table) (container, \(key), record) VALUES (?, ?, ?)")
        let deletion = try db.cachedStatement(sql: "DELETE FROM \(table) WHERE container = ? AND \(key) = ?")
        for (id, record) in rows {
            if let record {
                try insertion.execute(arguments: [container, id, record])
            } else {
                try deletion.execute(arguments: [container, id])
            }
        }
    }

    private static func write(_ marks: [Mark: Data?], _ container: Int64, _ db: Database) throws {
        let insertion = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO documents_mark (container, kind, id, value) VALUES (?, ?, ?, ?)")
        let deletion = try db.cachedStatement(
            sql: "DELETE FROM documents_mark WHERE container = ? AND kind = ? AND id = ?")
        for (mark, value) in marks {
            if let value {
                try insertion.execute(arguments: [container, mark.kind.rawValue, mark.id, value])
            } else {
                try deletion.execute(arguments: [container, mark.kind.rawValue, mark.id])
            }
        }
    }

    private static func container(_ row: Row) -> Container? {
        let team: Data = row["team"]
        let identity =
            team.isEmpty ? TeamIdentity.development : team.count == 32 ? TeamIdentity(fingerprint: Array(team)) : nil
        guard let identity, let name = ContainerName(team: identity, identifier: row["identifier"]) else { return nil }
        return Container(
            id: row["id"], name: name, account: row["account"], identity: row["identity"],
            actor: UInt64(bitPattern: row["actor"]), rootHandle: row["root_handle"],
            lastTime: UInt64(bitPattern: row["last_time"]), isComplete: row["complete"])
    }
}
