import BatonCore
import BatonStore
import BatonTransport
import Devices
import Documents
import Glibc
import Handoff
import LaunchServices
import ServiceLifecycle

/// The iCloud containers of this device's apps.
struct DocumentsPart: DaemonPart {
    static let migrations = DocumentsService.migrations

    let service: DocumentsService
    let adapter: DocumentsAdapter
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) async throws {
        // A lease that is broken says so by this signal, which would end the process. Programs that are started do not inherit
        // a function.
        signal(SIGIO) { _ in }
        let launchServices = try daemon.part(AppsPart.self).launchServices
        let account = try daemon.part(DevicesPart.self).account
        let types = PackageTypes(launchServices)
        let service = try DocumentsService(
            database: daemon.database, blobs: try daemon.part(BlobsPart.self).blobs,
            directory: launchServices.documents,
            arbiter: DocumentsArbiter(try daemon.part(CoordinationPart.self).service, types: types),
            isPackage: types.isPackage, reserved: daemon.options.locations.own,
            peers: DocumentNeighbours(peers: try daemon.part(DevicesPart.self).peers),
            recorder: daemon.log)
        self.service = service
        // URLs of documents in activities point at the same document on every device (H-24).
        try daemon.part(HandoffPart.self).documentRoots.add {
            service.running.compactMap {
                try? DocumentRoot(name: $0.name.identifier, directory: $0.path, team: $0.name.team)
            }
        }
        let options = daemon.options
        let adapter = DocumentsAdapter(
            service: service, launchServices: launchServices, account: account,
            folders: VisibleFolders(
                directory: options.locations.visibleDocuments(
                    hasHome: options.hasHome, environment: options.environment),
                documents: launchServices.documents, recorder: daemon.log))
        self.adapter = adapter
        followers = [
            EventFollower(launchServices.events()) { event in
                if case .registryChanged = event { await adapter.prepareContainers() }
            },
            EventFollower(account.changes(), atStart: adapter.accountChanged) { await adapter.accountChanged() },
        ]
    }

    var zones: [SyncedZones] {
        [
            SyncedZones(
                source: DocumentsZones(service), prepare: adapter.accountChanged,
                connect: { [service] in service.connect(to: $0) })
        ]
    }

    func registerLocal(on router: inout ConnectRouter) {
        DocumentsHarness(service, apps: adapter).register(on: &router)
        DocumentsControlHarness(service, apps: adapter).register(on: &router)
        FoldersHarness(service).register(on: &router)
    }

    func registerLink(on router: inout ConnectRouter) { DocumentLinkHarness(service).register(on: &router) }

    var services: [any Service] { followers + [service] }
}
