package import BatonCore
package import BatonStore
import BatonTrust
package import Devices
import Foundation
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
    private let recorder: any EventRecorder
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
        database: DaemonDatabase, account: AccountService, recorder: any EventRecorder = NullEventRecorder()
    ) async throws {
        self.database = database
        self.account = account
        self.recorder = recorder
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
        guard let membership = account.membership(), account.standing == .member else { return [] }
        try await account.makeContentKeyIfNeeded()
        let known = entries.withLock { $0 }
        let existing = Dictionary(
            known.compactMap { name, entry in entry.content.map { (KeyZoneCodec().itemID(of: name, in: zone), $0) } }
        ) { first, _ in first }
        return try account.missingEnvelopes(existing: existing, limit: limit).map { itemID, content in
            let name = KeyZoneCodec.name(itemID)
            return OutgoingItem(name: name, content: content, replaces: known[name]?.version ?? 0)
        } + superfluous(existing, membership).map {
            OutgoingItem(name: $0, content: nil, replaces: known[$0]?.version ?? 0)
        }
    }

    private func superfluous(_ existing: [Data: Data], _ membership: Membership) -> [String] {
        guard let ring = account.keyRing() else { return [] }
        return ContentKeyEnvelopes.superfluous(ring, membership: membership, existing: existing.keys)
            .map(KeyZoneCodec.name)
    }

    package func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try await keep(items.map { IncomingItem(name: $0.item.name, version: $0.version, content: $0.item.content) })
    }

    // MARK: Reading

    package func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        try await keep(items)
        for item in items {
            guard let content = item.content else { continue }
            do {
                try await account.takeEnvelope(content)
            } catch let error as BatonError {
                // Whatever is wrong with it, the others count.
                recorder.record("sync", "content_key_refused", error.message, ["reason": error.reason])
            }
        }
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

    package func caughtUp(_ zone: ZoneName) async throws {}

    // MARK: Direct exchange

    /// Presence hands keys over by itself.
    package func digest(of zone: ZoneName) async throws -> Data { Data() }
    package func stamps(in zone: ZoneName) async throws -> [String: Data] { [:] }
    package func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] { [:] }
    package func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {}
}
