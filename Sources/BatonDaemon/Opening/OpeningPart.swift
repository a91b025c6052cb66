import AppSessions
import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import LaunchServices
import Notices
import Opening
import Protection
import ServiceLifecycle
import SessionBus

/// Opening URLs and files.
struct OpeningPart: DaemonPart {
    static let migrations = HandlerDefaults.migrations

    let service: OpeningService
    /// The questions that wait for the person's answer.
    let questions = QuestionService()
    /// Open URLs of the system's own. Filled by later parts.
    let ownLinks = Hooks<@Sendable (_ url: String) async throws -> OpeningService.Outcome?>()
    /// The apps that say that they are in front. Filled by the part of suggestions, which comes later.
    let front = Hooks<@Sendable () -> Set<AppIdentity>>()
    private let handlers: InstalledHandlers
    private let workspace: WorkspaceAppsHere
    /// The person's, for paths that begin with `~`.
    private let home: String
    let bus: ApplicationBus
    private let appsFollower: EventFollower<LaunchEvent>
    private let namesFollower: EventFollower<Void>

    init(_ daemon: DaemonComposition) async throws {
        let apps = try daemon.part(AppsPart.self)
        let sessions = try daemon.part(SessionsPart.self).sessions
        let handlers = InstalledHandlers(
            launchServices: apps.launchServices, environment: daemon.options.environment)
        self.handlers = handlers
        workspace = WorkspaceAppsHere(launchServices: apps.launchServices, sessions: sessions, front: front)
        home = daemon.options.environment["HOME"] ?? ""
        let links = PageClaims(associations: try daemon.part(SitesPart.self).sites)
        service = OpeningService(
            apps: handlers, sessions: sessions, links: links,
            desktop: DesktopHandlers(browser: try daemon.part(SettingsPart.self).browser),
            defaults: try await HandlerDefaults(database: daemon.database), recorder: daemon.log,
            arrived: try daemon.part(ProtectionPart.self).service.arrived
        ) { [ownLinks] url in
            for open in ownLinks.all {
                if let outcome = try await open(url) { return outcome }
            }
            return nil
        }
        let bus = ApplicationBus(
            address: BusAddress.session(in: daemon.options.environment),
            handler: ApplicationCalls(service: service, launchServices: apps.launchServices, links: links),
            recorder: daemon.log)
        self.bus = bus
        let desktop = DesktopIntegration(
            locations: daemon.options.locations, hasHome: daemon.options.hasHome,
            environment: daemon.options.environment, icons: apps.icons, handlers: handlers, bus: bus,
            logger: daemon.logger)
        for app in handlers.claimants() {
            guard let container = handlers.container(of: app.bundleID) else { continue }
            Inbox(container: container, directory: handlers.inbox(of: app.bundleID)).removeUnfinished()
        }
        let update: @Sendable () async -> Void = { await desktop.update() }
        appsFollower = EventFollower(apps.launchServices.events(), atStart: update) { event in
            if case .registryChanged = event { await update() }
        }
        namesFollower = EventFollower(bus.heldChanges()) { await desktop.update() }
    }

    func registerLocal(on router: inout ConnectRouter) {
        OpeningHarness(service, apps: handlers).register(on: &router)
        WorkspaceHarness(service, apps: workspace).register(on: &router)
        QuestionsHarness(questions) { [service, home] path, app, types, isWanted in
            let path = path.hasPrefix("~/") ? home + path.dropFirst() : path
            return try await service.copy(picked: path, to: app, types: types, isWanted: isWanted)
        }.register(on: &router)
    }

    var services: [any Service] { [bus, appsFollower, namesFollower] }

    var stages: [Baton_Link_V1_Stage] {
        let problem = bus.problem ?? ""
        let taken = bus.takenNames ?? ""
        return [
            .init("desktop_bus", problem.isEmpty ? .ok : .failed, problem),
            .init("desktop_names", taken.isEmpty ? .ok : .failed, taken),
        ]
    }

    func explain(
        _ subject: Baton_Control_V1_ExplainRequest.OneOf_Subject
    ) async throws -> [Baton_Control_V1_Explanation]? {
        switch subject {
        case .url(let url): [service.explain(url: url)]
        case .file(let path): [await service.explain(file: path)]
        default: nil
        }
    }
}
