import BatonCore
package import BatonStore
import BatonTrust
package import Devices
import Foundation
import GRDB

/// Records that the account's devices exchange through the cloud, besides content keys: the address of the account's
/// cloud, so that a device finds the next one through the previous one, the names of devices, and the newest discovery
/// key. Every member writes missing records.
package final class AccountZone: ZoneSource {
    package static let zone = ZoneName(kind: .account, name: "")
    private static let table = "sync_account_item"
    /// Names of devices that are not known yet, or are gone, and deletions of such.
    private static let maximumEntries = 4 * Membership.maximumDevices

    package let kind = ZoneName.Kind.account
    package let policy = ZonePolicy(priority: 1, burst: 20, pause: 250)
    private let account: AccountService
    let items: CachedItems

    package static let migrations = [
        DaemonDatabase.Migration("sync-account-1") { try $0.execute(sql: CachedItems.schema(of: table)) }
    ]

    /// Reads what is stored.
    package init(database: DaemonDatabase, account: AccountService) async throws {
        self.account = account
        items = try await CachedItems(
            database: database, table: Self.table, maximumSize: SignedCloudEndpoint.maximumSize,
            maximumCount: Self.maximumEntries)
    }

    package func title(of zone: ZoneName) -> String { "Names of devices, and the account's cloud" }

    package func zones() async throws -> [ZoneName] { [Self.zone] }

    package func news(of event: AccountEvent) -> [ZoneName: ZoneNews] {
        switch event {
        case .cloudEndpointChanged, .profilesChanged: [Self.zone: .changed]
        // Records signed by a device that was unknown until now can be understood.
        case .membershipChanged: [Self.zone: .opened]
        case .accountChanged, .revokedSelf, .contentKeysChanged: [:]
        }
    }

    // MARK: Writing

    package func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        guard account.standing == .member else { return [] }
        let changes = try await account.accountItems(existing: items.contents)
        let deletions = changes.deletions.sorted().map { ($0, Data?.none) }
        // Deletions go first: over the quota nothing else would be accepted.
        let writes = changes.writes.sorted { $0.key < $1.key }.map { ($0.key, Data?.some($0.value)) }
        return (deletions + writes).prefix(limit).map { name, content in
            OutgoingItem(name: name, content: content, replaces: items.version(of: name))
        }
    }

    package func written(_ written: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try await keep(written.map { IncomingItem(name: $0.item.name, version: $0.version, content: $0.item.content) })
    }

    // MARK: Reading

    package func received(_ received: [IncomingItem], in zone: ZoneName) async throws {
        try await keep(received)
        let contents = received.compactMap { item in item.content.map { (item.name, $0) } }
        try await account.mergeAccountItems(Dictionary(contents) { _, last in last })
    }

    /// Stores items. Records that the account needs always have room, whatever else has been written there.
    private func keep(_ news: [IncomingItem]) async throws {
        let news = news.filter { AccountItems.isKnown($0.name) }
        let members = account.membership()?.members().keys.map(AccountItems.profile(of:)) ?? []
        try await items.keep(news, needed: Set(members + [AccountItems.cloud, AccountItems.discoveryKey]))
    }

    /// Missing records are written again if they are needed.
    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        try await items.forget(allBut: names)
    }

    package func zoneReset(of zone: ZoneName) async throws { try await items.forget(allBut: []) }

    /// Records that arrived before the statements that they depend on may be understood now.
    package func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {
        try await account.mergeAccountItems(items.contents)
    }
}

extension ZoneName.Kind {
    /// Where the account's cloud is, and what its devices are called.
    package static let account = Self("account")
}
