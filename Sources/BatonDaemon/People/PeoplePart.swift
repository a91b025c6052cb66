import AppSessions
import BatonCore
import BatonStore
import BatonTransport
import LaunchServices
import People
import ServiceLifecycle

/// People, and what apps say was done with them.
struct PeoplePart: DaemonPart {
    static let migrations = PeopleService.migrations

    let service: PeopleService
    private let follower: EventFollower<LaunchEvent>

    init(_ daemon: DaemonComposition) throws {
        let apps = try daemon.part(AppsPart.self)
        let service = PeopleService(
            database: daemon.database,
            contacts: NoContacts(),
            apps: PeopleAppsHere(
                launchServices: apps.launchServices, sessions: try daemon.part(SessionsPart.self).sessions,
                development: apps.developmentApps, opening: try daemon.part(OpeningPart.self).service),
            recorder: daemon.log)
        self.service = service
        apps.uninstalled.add(service.appsRemoved)
        try daemon.part(SpotlightPart.self).emptied.add { try await service.deleteAll(of: $0) }
        follower = EventFollower(apps.launchServices.events()) { event in
            switch event {
            case .registryChanged, .exited: service.appsChanged()
            case .launched: break
            }
        }
    }

    func registerLocal(on router: inout ConnectRouter) {
        IntentsHarness(service).register(on: &router)
        PeopleHarness(service).register(on: &router)
    }

    var services: [any Service] { [follower, service] }
}
