import BatonCore
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
        // What makes room goes first: over the quota nothing else would be taken.
        return (deletions + writes).prefix(limit).map { name, content in
            OutgoingItem(name: name, content: content, replaces: known[name]?.version ?? 0)
        }
    }

    package func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try await keep(items.map { IncomingItem(name: $0.item.name, version: $0.version, content: $0.item.content) })
    }

    /// Before something is sealed under a key that nobody else may have: it must lie there for every member, or what is
    /// sealed could be opened by nobody if this device were lost.
    ///
    /// The first key is every member's since it joined.
    /// - Throws: `failed_precondition`, `content_key_not_shared`, until it does.
    func checkShared() throws(BatonError) {
        guard let snapshot = account.snapshot(), let key = snapshot.keyRing.usable(in: snapshot.membership),
            key.issuer != nil
        else { return }
        let isShared = entries.withLock { entries in
            snapshot.membership.members().keys.allSatisfy { member in
                let item = ContentKeyEnvelopes.itemID(generation: key.id, recipient: member)
                return entries[KeyZoneCodec.name(item)]?.content != nil
            }
        }
        guard !isShared else { return }
        throw BatonError(
            .failedPrecondition, reason: "content_key_not_shared",
            "The account has a new content key, which is being handed to its devices through the cloud first.")
    }

    // MARK: Reading

    package func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        try await keep(items)
        try await account.mergeContentKeyEnvelopes(items.compactMap(\.content))
    }

    private func keep(_ items: [IncomingItem]) async throws {
        let needed = needed()
        let news = entries.withLock { entries in
            var count = entries.count
            return items.filter { item in
                if let known = entries[item.name] { return known.version <= item.version || item.version == 0 }
                // Whatever a member has put there, what the members need has room.
                if needed.contains(item.name) { return true }
                count += 1
                return count <= Self.maximumEntries
            }
        }.map(Self.bounded)
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

    /// What no envelope can be is kept without its bytes: it is damaged.
    private static func bounded(_ item: IncomingItem) -> IncomingItem {
        guard let content = item.content, content.count > ContentKeyEnvelope.maximumSize else { return item }
        return IncomingItem(name: item.name, version: item.version, content: Data())
    }

    /// The names of the envelopes that the present members need.
    private func needed() -> Set<String> {
        guard let snapshot = account.snapshot() else { return [] }
        let members = snapshot.membership.members().keys
        return snapshot.keyRing.generations.reduce(into: []) { names, key in
            for member in members {
                names.insert(KeyZoneCodec.name(ContentKeyEnvelopes.itemID(generation: key.id, recipient: member)))
            }
        }
    }

    package func itemNames(in zone: ZoneName) async throws -> Set<String> { entries.withLock { Set($0.keys) } }

    /// What is missing is written again if it is needed.
    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        let gone = entries.withLock { entries in entries.keys.filter { !names.contains($0) } }
        try await keep(gone.map { IncomingItem(name: $0, version: 0, content: nil) })
    }

    package func orderReplaced(of zone: ZoneName) async throws { try await startedOver(zone, holding: []) }

    /// What came before the statements that it depends on may be understood now.
    package func caughtUp(_ zone: ZoneName, by teller: ZoneTeller) async throws {
        let contents = entries.withLock { $0.values.compactMap(\.content) }
        try await account.mergeContentKeyEnvelopes(contents)
    }
}
