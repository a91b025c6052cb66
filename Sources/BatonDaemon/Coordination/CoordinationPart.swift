import AppSessions
import BatonCore
import BatonTransport
import BatonTrust
import Coordination
import FileCoordination
import Files
import Glibc
import LaunchServices
import ServiceLifecycle

/// Coordinated access to files, among all processes of the person.
struct CoordinationPart: DaemonPart {
    /// Parts that change files, or hear of changes, participate.
    let service: CoordinationService
    /// Directories besides its container that a confined app may read, such as those of documents in the cloud.
    let readable = Hooks<@Sendable (AppIdentity) -> [String]>()

    init(_ daemon: DaemonComposition) throws {
        service = CoordinationService(
            reach: ConfinedReach(
                launchServices: try daemon.part(AppsPart.self).launchServices, readable: readable),
            registry: CoordinatorRegistry(path: daemon.options.locations.runtime + "/coordinators"),
            recorder: daemon.log)
    }

    func registerLocal(on router: inout ConnectRouter) {
        CoordinationHarness(service).register(on: &router)
    }

    var services: [any Service] { [service] }
}

/// A confined process may name what its app may read, any other whatever its person names.
struct ConfinedReach: CoordinationReach {
    let launchServices: LaunchServices
    let readable: Hooks<@Sendable (AppIdentity) -> [String]>

    func paths(of app: AppCaller, _ process: PeerProcess) -> [CoordinatedPath]? {
        // Nil for a process that is just ending.
        guard ConfinementMark.isOn(process.processID) != false else { return nil }
        guard let installed = launchServices.app(app.identity.bundleID), installed.identity == app.identity else {
            return []
        }
        guard !installed.traits.sandbox.isUnconfined else { return nil }
        let paths = launchServices.readablePaths(of: installed) + readable.all.flatMap { $0(app.identity) }
        // As the library resolves links before it asks.
        return paths.compactMap { CoordinatedPath(RealPath.resolved($0) ?? $0) }
    }
}
