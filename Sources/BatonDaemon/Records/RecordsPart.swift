import BatonCore
import BatonStore
import BatonTransport
import Devices
import LaunchServices
import Peers
import Records
import ServiceLifecycle
import Sync

/// Databases of records of this device's apps.
struct RecordsPart: DaemonPart {
    private let service: RecordsService
    private let adapter: RecordsAdapter
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) async throws {
        let launchServices = try daemon.part(AppsPart.self).launchServices
        let account = try daemon.part(DevicesPart.self).account
        let service = RecordsService(
            directory: daemon.options.locations.data + "/records", blobs: try daemon.part(BlobsPart.self).blobs,
            peers: try daemon.part(DevicesPart.self).peers, recorder: daemon.log)
        self.service = service
        let adapter = RecordsAdapter(service: service, launchServices: launchServices, account: account)
        self.adapter = adapter
        service.connect(deviceNames: { adapter.deviceName(of: $0) })
        service.connect(members: adapter.members)
        followers = [
            EventFollower(launchServices.events()) { event in
                if case .registryChanged = event { await adapter.prepareContainers() }
            },
            EventFollower(try daemon.part(DevicesPart.self).presence.events()) { event in
                if case .connected = event { service.contentsMayCome() }
            },
            EventFollower(account.changes(), atStart: adapter.accountChanged) { await adapter.accountChanged() },
        ]
    }

    var zones: [SyncedZones] {
        [
            SyncedZones(
                source: RecordZones(service), prepare: adapter.accountChanged,
                connect: { [service] in service.connect(to: $0) })
        ]
    }

    func registerLocal(on router: inout ConnectRouter) {
        RecordsHarness(service, apps: adapter).register(on: &router)
        RecordsControlHarness(service, apps: adapter).register(on: &router)
    }

    func registerLink(on router: inout ConnectRouter) { RecordLinkHarness(service).register(on: &router) }

    var services: [any Service] { followers + [service] }
}
