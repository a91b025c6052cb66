import BatonStore
import BatonTransport
import BatonWire
import LaunchServices
import ServiceLifecycle
import SiteAssociations

/// The sites that installed apps claim.
struct SitesPart: DaemonPart {
    static let migrations = SiteAssociations.migrations

    let sites: SiteAssociations
    private let appsFollower: EventFollower<LaunchEvent>

    init(_ daemon: DaemonComposition) async throws {
        let apps = try daemon.part(AppsPart.self)
        let sites = try await SiteAssociations(
            database: daemon.database, recorder: daemon.log, logger: daemon.logger, settings: daemon.options.sites)
        self.sites = sites
        appsFollower = EventFollower(apps.launchServices.events()) { [installed = apps.installed] event in
            if case .registryChanged = event { sites.appsChanged(installed.claiming) }
        }
        sites.appsChanged(apps.installed.claiming)
    }

    func registerLocal(on router: inout ConnectRouter) {
        SiteAssociationsHarness(sites).register(on: &router)
    }

    var services: [any Service] { [appsFollower, sites] }

    func explain(
        _ subject: Baton_Control_V1_ExplainRequest.OneOf_Subject
    ) async throws -> [Baton_Control_V1_Explanation]? {
        guard case .page(let text) = subject else { return nil }
        return try sites.explain(text)
    }
}
