import BatonCore
package import BatonStore
import BatonTrust
package import Devices
import Foundation
import GRDB

/// The account's content keys in the cloud: each generation sealed once for each member, so that devices that never meet have
/// them. Every member writes what is missing, and takes in what is for it.
package final class KeyZone: ZoneSource {
    package static let zone = ZoneName(kind: .contentKeys, name: "")
    private static let table = "sync_key_envelope"
    /// Limit of items from the cloud: generations times devices, and their deletions.
    private static let maximumEntries = 65_536

    package let kind = ZoneName.Kind.contentKeys
    package let policy = ZonePolicy(priority: 2, requires: [], burst: 20, pause: 250)
    /// The zone's contents are sealed for one device each.
    package let codec: (any ZoneCodec)? = KeyZoneCodec()
    private let account: AccountService
    let items: CachedItems

    package static let migrations = [
        DaemonDatabase.Migration("sync-keys-1") { try $0.execute(sql: CachedItems.schema(of: table)) }
    ]

    /// Reads what is stored.
    package init(database: DaemonDatabase, account: AccountService) async throws {
        self.account = account
        items = try await CachedItems(
            database: database, table: Self.table, maximumSize: ContentKeyEnvelope.maximumSize,
            maximumCount: Self.maximumEntries)
    }

    package func title(of zone: ZoneName) -> String { "Content keys" }

    package func zones() async throws -> [ZoneName] { [Self.zone] }

    package func news(of event: AccountEvent) -> [ZoneName: ZoneNews] {
        switch event {
        // A new member needs the keys, and a former one must get no more of them.
        case .membershipChanged, .contentKeysChanged: [Self.zone: .changed]
        case .accountChanged, .revokedSelf, .cloudEndpointChanged, .profilesChanged: [:]
        }
    }

    /// Sees to a key that all members, and only they, may know.
    package func prepareDependents() async throws {
        try await account.makeContentKeyIfNeeded()
        try checkShared()
    }

    // MARK: Writing

    package func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        guard account.standing == .member else { return [] }
        let codec = KeyZoneCodec()
        let existing = Dictionary(
            items.contents.map { (codec.itemID(of: $0.key, in: zone), $0.value) }
        ) { first, _ in first }
        let changes = try await account.contentKeyEnvelopes(existing: existing)
        let writes = changes.writes.map { (KeyZoneCodec.name($0.key), Data?.some($0.value)) }
        let deletions = changes.deletions.map { (KeyZoneCodec.name($0), Data?.none) }
        // Deletions go first: over the quota nothing else would be accepted.
        return (deletions + writes).prefix(limit).map { name, content in
            OutgoingItem(name: name, content: content, replaces: items.version(of: name))
        }
    }

    package func written(_ written: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try await keep(written.map { IncomingItem(name: $0.item.name, version: $0.version, content: $0.item.content) })
    }

    /// Before something is sealed under a key that no other device may have: it must lie there for every member, or what is
    /// sealed could never be opened if this device were lost.
    ///
    /// The first key is every member's since it joined.
    /// - Throws: `failed_precondition`, `content_key_not_shared`, until it does.
    func checkShared() throws(BatonError) {
        guard let snapshot = account.snapshot(), let key = snapshot.keyRing.usable(in: snapshot.membership),
            key.issuer != nil
        else { return }
        let isShared = snapshot.membership.members().keys.allSatisfy { member in
            let item = ContentKeyEnvelopes.itemID(generation: key.id, recipient: member)
            return items.hasContent(KeyZoneCodec.name(item))
        }
        guard !isShared else { return }
        throw BatonError(
            .failedPrecondition, reason: "content_key_not_shared",
            "The account has a new content key, which is being handed to its devices through the cloud first.")
    }

    // MARK: Reading

    package func received(_ received: [IncomingItem], in zone: ZoneName) async throws {
        try await keep(received)
        try await account.mergeContentKeyEnvelopes(received.compactMap(\.content))
    }

    /// Stores items. Envelopes that members need always have room, whatever else a member has written there.
    private func keep(_ news: [IncomingItem]) async throws { try await items.keep(news, needed: needed()) }

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

    /// Missing envelopes are written again if they are needed.
    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        try await items.forget(allBut: names)
    }

    package func zoneReset(of zone: ZoneName) async throws { try await startedOver(zone, holding: []) }

    /// Envelopes that arrived before the statements that they depend on may be understood now.
    package func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {
        try await account.mergeContentKeyEnvelopes(Array(items.contents.values))
    }
}

extension ZoneName.Kind {
    /// The account's content keys, sealed for each device.
    package static let contentKeys = Self("content-keys")
}
