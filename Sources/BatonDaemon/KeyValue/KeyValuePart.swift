import BatonCore
import BatonStore
import BatonTransport
import Devices
import KeyValue
import LaunchServices
import ServiceLifecycle
import Sync

/// The key-value stores of this device's apps.
struct KeyValuePart: DaemonPart {
    static let migrations = KeyValueService.migrations

    private let service: KeyValueService
    private let adapter: KeyValueAdapter
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) async throws {
        let launchServices = try daemon.part(AppsPart.self).launchServices
        let account = try daemon.part(DevicesPart.self).account
        service = KeyValueService(database: daemon.database, recorder: daemon.log)
        let adapter = KeyValueAdapter(
            service: service, launchServices: launchServices, account: account,
            teams: daemon.options.locations.teams, recorder: daemon.log)
        self.adapter = adapter
        followers = [
            EventFollower(launchServices.events(), atStart: adapter.prepareStores) { event in
                if case .registryChanged = event { await adapter.prepareStores() }
            },
            EventFollower(account.changes()) { await adapter.accountChanged() },
        ]
        try await adapter.start()
    }

    var zones: [SyncedZones] {
        [
            SyncedZones(
                source: KeyValueZones(service), prepare: adapter.accountChanged,
                connect: { [service] in service.connect(to: $0) })
        ]
    }

    func registerLocal(on router: inout ConnectRouter) {
        KeyValueHarness(service, apps: adapter).register(on: &router)
    }

    var services: [any Service] { followers + [service] }
}
