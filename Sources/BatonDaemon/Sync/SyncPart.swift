import BatonCore
import BatonDiscovery
import BatonStore
import BatonTransport
import ServiceLifecycle
import Sync

/// Keeps the zones of the parts before it the same on this device, in the account's cloud, and on devices that are near.
struct SyncPart: DaemonPart {
    static let migrations = SyncStore.migrations + KeyZone.migrations + AccountZone.migrations

    let sync: SyncService
    private let exchange: DirectExchange
    private let peers: any SyncPeers

    init(_ daemon: DaemonComposition) async throws {
        let devices = try daemon.part(DevicesPart.self)
        let zones = daemon.parts.flatMap(\.zones)
        let prepare: @Sendable () async -> Void = { for zone in zones { await zone.prepare() } }
        let sync = SyncService(
            account: devices.account,
            access: AccountAccess(
                account: devices.account,
                connectors: CloudConnectors(authorities: daemon.options.cloudAuthorities)),
            sources: [
                try await KeyZone(database: daemon.database, account: devices.account),
                try await AccountZone(database: daemon.database, account: devices.account),
            ] + zones.map(\.source),
            store: SyncStore(database: daemon.database),
            blobs: try daemon.part(BlobsPart.self).blobs,
            prepareSources: prepare, recorder: daemon.log, logger: daemon.logger)
        self.sync = sync
        for zone in zones { zone.connect(sync) }
        devices.membershipPublishers.add(sync.tellMembership)
        devices.accountLeft.add(prepare)
        peers = devices.peers
        exchange = DirectExchange(sync: sync, peers: peers, presence: devices.presence)
    }

    func registerLocal(on router: inout ConnectRouter) {
        CloudControlHarness(sync: sync).register(on: &router)
    }

    func registerLink(on router: inout ConnectRouter) {
        DirectExchangeHarness(sync: sync, peers: peers).register(on: &router)
    }

    var services: [any Service] {
        [exchange, sync, ReachabilityMonitor(changed: sync.networkChanged)]
    }
}
