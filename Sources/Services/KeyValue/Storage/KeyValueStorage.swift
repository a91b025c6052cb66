import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf

/// The stores in the daemon's database. Every method blocks.
struct KeyValueStorage: Sendable {
    /// A store's data besides its keys.
    struct Header: Hashable, Sendable {
        var id: Int64
        var name: KeyValueStoreName
        var phase: KeyValueReplica.Phase
        var era: UInt64
    }

    /// The changes of one store to commit.
    struct Change: Sendable {
        var header: Header
        var slots: [String: KeyValueReplica.Slot?] = [:]
    }

    static let migrations = [
        DaemonDatabase.Migration("key-value-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE key_value_store (
                        id INTEGER PRIMARY KEY,
                        name TEXT NOT NULL UNIQUE,
                        -- Null while nobody is signed in.
                        account TEXT,
                        -- Whether everything that the account has was received.
                        synced INTEGER NOT NULL,
                        era INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE key_value (
                        store INTEGER NOT NULL REFERENCES key_value_store (id) ON DELETE CASCADE,
                        -- UTF-8, byte by byte.
                        key BLOB NOT NULL,
                        -- A message PropertyValue; null: removed.
                        value BLOB,
                        -- A hybrid timestamp, and who wrote it.
                        time INTEGER NOT NULL,
                        device TEXT NOT NULL,
                        -- What the cloud has; null: nothing.
                        cloud_version INTEGER,
                        cloud_time INTEGER,
                        cloud_device TEXT,
                        PRIMARY KEY (store, key)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX key_value_removal ON key_value (time) WHERE value IS NULL;
                    """)
        },
        DaemonDatabase.Migration("key-value-2") { db in
            // Whether the cloud has deleted the item; what it has of it is then the removal that was the reason.
            try db.execute(
                sql: """
                    ALTER TABLE key_value ADD COLUMN cloud_deleted INTEGER NOT NULL DEFAULT 0;
                    DROP INDEX key_value_removal;
                    CREATE INDEX key_value_removal ON key_value (time) WHERE value IS NULL AND cloud_deleted = 0;
                    """)
        },
    ]

    let database: DaemonDatabase

    // MARK: Reading

    func headers() throws -> [Header] {
        try database.readBlocking { db in
            try Row.fetchAll(db, sql: "SELECT * FROM key_value_store ORDER BY name").compactMap(Self.header)
        }
    }

    /// Nil when there is none.
    func load(_ name: KeyValueStoreName) throws -> (Header, [String: KeyValueReplica.Slot])? {
        try database.readBlocking { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM key_value_store WHERE name = ?", arguments: [name.rawValue])
            guard let header = row.flatMap(Self.header) else { return nil }
            var slots: [String: KeyValueReplica.Slot] = [:]
            let rows = try Row.fetchCursor(
                db, sql: "SELECT * FROM key_value WHERE store = ?", arguments: [header.id])
            while let row = try rows.next() {
                let key: Data = row["key"]
                slots[String(decoding: key, as: UTF8.self)] = try Self.slot(row)
            }
            return (header, slots)
        }
    }

    /// The stores with removals that may be old enough to be deleted from the cloud.
    /// - Parameter time: milliseconds since 1970.
    func storesWithRemovals(before time: UInt64) throws -> [KeyValueStoreName] {
        let stamp = HybridTimestamp(milliseconds: time, counter: 0)
        return try database.readBlocking { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT name FROM key_value_store JOIN key_value ON store = key_value_store.id
                    WHERE value IS NULL AND cloud_deleted = 0 AND time < ? ORDER BY name
                    """, arguments: [Self.integer(stamp.rawValue)]
            ).compactMap(KeyValueStoreName.init(rawValue:))
        }
    }

    // MARK: Writing

    /// - Parameter maximum: of stores; one that is not needed goes for another one.
    /// - Throws: `resource_exhausted` when there is no room for one more.
    func create(
        _ name: KeyValueStoreName, phase: KeyValueReplica.Phase, maximum: Int, isInUse: (KeyValueStoreName) -> Bool
    ) throws -> (header: Header, replaced: KeyValueStoreName?) {
        try database.writeBlocking { db in
            var replaced: KeyValueStoreName?
            if try Int.fetchOne(db, sql: "SELECT count(*) FROM key_value_store") ?? 0 >= maximum {
                replaced = try Self.dispensable(db, isInUse)
                guard let replaced else { throw Self.tooMany(maximum) }
                try db.execute(sql: "DELETE FROM key_value_store WHERE name = ?", arguments: [replaced.rawValue])
            }
            let (account, isSynced) = Self.columns(phase)
            // Another one than any before: what was read into a store that is gone is not in this one.
            let era = UInt64.random(in: 1..<1 << 48)
            try db.execute(
                sql: "INSERT INTO key_value_store (name, account, synced, era) VALUES (?, ?, ?, ?)",
                arguments: [name.rawValue, account, isSynced, Self.integer(era)])
            return (Header(id: db.lastInsertedRowID, name: name, phase: phase, era: era), replaced)
        }
    }

    func delete(_ name: KeyValueStoreName) throws {
        try database.writeBlocking { db in
            try db.execute(sql: "DELETE FROM key_value_store WHERE name = ?", arguments: [name.rawValue])
        }
    }

    /// A store that the account has whole, or an empty one: its app would get it again.
    private static func dispensable(
        _ db: Database, _ isInUse: (KeyValueStoreName) -> Bool
    ) throws -> KeyValueStoreName? {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM key_value_store WHERE NOT EXISTS (
                    SELECT 1 FROM key_value WHERE store = key_value_store.id AND (account IS NULL OR NOT synced
                        OR cloud_time IS NOT time OR cloud_device IS NOT device))
                ORDER BY id
                """)
        return names.compactMap(KeyValueStoreName.init(rawValue:)).first { !isInUse($0) }
    }

    /// All or nothing; on the disk when it returns.
    func save(_ changes: some Collection<Change>) throws {
        try database.writeBlocking { db in
            for change in changes { try Self.save(change, db) }
        }
    }

    private static func save(_ change: Change, _ db: Database) throws {
        let id = change.header.id
        let (account, isSynced) = columns(change.header.phase)
        try db.execute(
            sql: "UPDATE key_value_store SET account = ?, synced = ?, era = ? WHERE id = ?",
            arguments: [account, isSynced, integer(change.header.era), id])
        let insertion = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO key_value (store, key, value, time, device, cloud_version, cloud_time,
                    cloud_device, cloud_deleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let deletion = try db.cachedStatement(sql: "DELETE FROM key_value WHERE store = ? AND key = ?")
        for (key, slot) in change.slots {
            guard let slot else {
                try deletion.execute(arguments: [id, Data(key.utf8)])
                continue
            }
            let value = try slot.entry.value.map { try KeyValueWire.bytes(of: $0) }
            let cloud = slot.cloud
            try insertion.execute(
                arguments: [
                    id, Data(key.utf8), value, integer(slot.entry.stamp.time.rawValue),
                    slot.entry.stamp.device.rawValue, cloud.map { integer($0.version) },
                    cloud?.stamp.map { integer($0.time.rawValue) }, cloud?.stamp?.device.rawValue,
                    cloud?.isDeleted ?? false,
                ])
        }
    }

    // MARK: Rows

    /// Nil for a store that this version cannot name.
    private static func header(_ row: Row) -> Header? {
        guard let name = KeyValueStoreName(rawValue: row["name"]) else { return nil }
        let account = (row["account"] as String?).flatMap(AccountID.init(rawValue:))
        let isSynced: Bool = row["synced"]
        let phase: KeyValueReplica.Phase = account.map { isSynced ? .synced($0) : .initial($0) } ?? .local
        return Header(id: row["id"], name: name, phase: phase, era: unsigned(row["era"]))
    }

    private static func columns(_ phase: KeyValueReplica.Phase) -> (account: String?, isSynced: Bool) {
        if case .synced(let account) = phase { return (account.rawValue, true) }
        return (phase.account?.rawValue, false)
    }

    private static func slot(_ row: Row) throws -> KeyValueReplica.Slot {
        guard let device = DeviceID(rawValue: row["device"]) else { throw damaged }
        let value = try (row["value"] as Data?).map { try KeyValueWire.value(of: $0) }
        let stamp = KeyValueStamp(time: HybridTimestamp(rawValue: unsigned(row["time"])), device: device)
        var slot = KeyValueReplica.Slot(entry: KeyValueEntry(value: value, stamp: stamp))
        if let version = row["cloud_version"] as Int64? {
            var stamp: KeyValueStamp?
            if let time = row["cloud_time"] as Int64?,
                let device = (row["cloud_device"] as String?).flatMap(DeviceID.init(rawValue:))
            {
                stamp = KeyValueStamp(time: HybridTimestamp(rawValue: unsigned(time)), device: device)
            }
            slot.cloud = .init(version: unsigned(version), stamp: stamp, isDeleted: row["cloud_deleted"])
        }
        return slot
    }

    /// SQLite has no unsigned integers; times and versions keep their order below 2^63, where they all are.
    private static func integer(_ value: UInt64) -> Int64 { Int64(bitPattern: value) }
    private static func unsigned(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) }

    private static var damaged: BatonError {
        BatonError(
            .dataLoss, reason: "database_damaged",
            "A key-value store in the database cannot be read. Restore the database from a backup.")
    }

    private static func tooMany(_ maximum: Int) -> BatonError {
        BatonError(
            .resourceExhausted, reason: "too_many_stores",
            "There are \(maximum) key-value stores on this device, and each holds something that no other device has. "
                + "Sign in to the account's cloud, or use fewer names for programs in development.")
    }
}
