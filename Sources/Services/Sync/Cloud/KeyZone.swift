package import BatonStore
package import Devices
package import Foundation
import GRDB
import Synchronization

/// The account's content keys in the cloud: each generation sealed once for each member, so that devices that never meet have
/// them. Every member writes what is missing, and takes in what is for it.
package final class KeyZone: ZoneSource {
    private struct Entry {
        var version: UInt64
        /// Nil: deleted.
        var content: Data?
    }

    package static let zone = ZoneName(kind: .contentKeys, name: "")
    /// What the cloud may bring: generations times devices, and their deletions. More is passed over.
    private static let maximumEntries = 65_536

    package let kind = ZoneName.Kind.contentKeys
    private let database: DaemonDatabase
    private let account: AccountService
    private let entries: Mutex<[String: Entry]>

    package static let migrations = [
        DaemonDatabase.Migration("sync-keys-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE sync_key_envelope (
                        name TEXT NOT NULL PRIMARY KEY,
                        version INTEGER NOT NULL,
                        content BLOB
                    ) STRICT;
                    """)
        }
    ]

    /// Reads what is stored.
    package init(
        database: DaemonDatabase, account: AccountService
    ) async throws {
        self.database = database
        self.account = account
        let rows = try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT name, version, content FROM sync_key_envelope").map { row in
                (row["name"] as String, Entry(version: UInt64(bitPattern: row["version"]), content: row["content"]))
            }
        }
        entries = Mutex(Dictionary(rows) { first, _ in first })
    }

    package func zones() async throws -> [ZoneName] { [Self.zone] }

    // MARK: Writing

    package func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        guard account.standing == .member else { return [] }
        try await account.makeContentKeyIfNeeded()
        let known = entries.withLock { $0 }
        let codec = KeyZoneCodec()
        let existing = Dictionary(
            known.compactMap { name, entry in entry.content.map { (codec.itemID(of: name, in: zone), $0) } }
        ) { first, _ in first }
        let changes = try await account.contentKeyEnvelopes(existing: existing)
        let writes = changes.writes.map { (KeyZoneCodec.name($0.key), Data?.some($0.value)) }
        let deletions = changes.deletions.map { (KeyZoneCodec.name($0), Data?.none) }
        return (writes + deletions).prefix(limit).map { name, content in
            OutgoingItem(name: name, content: content, replaces: known[name]?.version ?? 0)
        }
    }

    package func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try await keep(items.map { IncomingItem(name: $0.item.name, version: $0.version, content: $0.item.content) })
    }

    // MARK: Reading

    package func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        try await keep(items)
        try await account.mergeContentKeyEnvelopes(items.compactMap(\.content))
    }

    private func keep(_ items: [IncomingItem]) async throws {
        let news = entries.withLock { entries in
            items.filter { item in
                entries[item.name].map { $0.version <= item.version || item.version == 0 }
                    ?? (entries.count < Self.maximumEntries)
            }
        }
        try await database.write { db in
            for item in news {
                guard item.version > 0 else {
                    try db.execute(sql: "DELETE FROM sync_key_envelope WHERE name = ?", arguments: [item.name])
                    continue
                }
                try db.execute(
                    sql: "INSERT OR REPLACE INTO sync_key_envelope VALUES (?, ?, ?)",
                    arguments: [item.name, Int64(bitPattern: item.version), item.content])
            }
        }
        entries.withLock { entries in
            for item in news {
                entries[item.name] = item.version > 0 ? Entry(version: item.version, content: item.content) : nil
            }
        }
    }

    package func itemNames(in zone: ZoneName) async throws -> Set<String> { entries.withLock { Set($0.keys) } }

    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        let gone = entries.withLock { entries in entries.keys.filter { !names.contains($0) } }
        try await keep(gone.map { IncomingItem(name: $0, version: 0, content: nil) })
    }

    package func orderReplaced(of zone: ZoneName) async throws { try await startedOver(zone, holding: []) }

    package func caughtUp(_ zone: ZoneName, by teller: ZoneTeller) async throws {}

    // MARK: Direct exchange

    /// Presence hands keys over by itself.
    package func digest(of zone: ZoneName) async throws -> Data? { nil }
    package func stamps(in zone: ZoneName) async throws -> [String: Data] { [:] }
    package func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] { [:] }
    package func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {}
}
