import AppSessions
import BatonCore
import BatonStore
import BatonTransport
import LaunchServices
import Logging
import Opening
import SiteAssociations

/// Opening URLs and files, as the daemon composes it.
struct OpeningPart: Sendable {
    static var migrations: [DaemonDatabase.Migration] { HandlerDefaults.migrations }

    let service: OpeningService
    private let handlers: InstalledHandlers
    private let desktop: DesktopIntegration
    private let sessions: AppSessions

    /// - Parameter hasHome: whether the device has a folder of its own.
    init(
        database: DaemonDatabase, launchServices: LaunchServices, sessions: AppSessions, sites: SiteAssociations,
        browser: SystemBrowser, icons: AppIcons, locations: Locations, hasHome: Bool, recorder: any EventRecorder,
        logger: Logger
    ) async throws {
        handlers = InstalledHandlers(launchServices: launchServices)
        service = OpeningService(
            apps: handlers, sessions: sessions, links: PageClaims(associations: sites),
            desktop: DesktopHandlers(browser: browser), defaults: try await HandlerDefaults(database: database),
            recorder: recorder)
        desktop = DesktopIntegration(
            locations: locations, hasHome: hasHome, icons: icons, handlers: handlers, logger: logger)
        self.sessions = sessions
    }

    func register(on router: inout ConnectRouter) {
        OpeningHarness(service, sessions: sessions, apps: handlers).register(on: &router)
    }

    /// Apps have come or gone, or the daemon has started.
    func appsChanged() async {
        handlers.refresh()
        await desktop.update()
    }
}
