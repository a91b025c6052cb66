import BatonStore
import BatonTransport
import LaunchServices
import SavedActivities
import ServiceLifecycle

/// Activities that apps have saved on this device.
struct SavedActivitiesPart: DaemonPart {
    static let migrations = SavedActivities.migrations

    let saved: SavedActivities
    private let appsFollower: EventFollower<LaunchEvent>

    init(_ daemon: DaemonComposition) throws {
        let apps = try daemon.part(AppsPart.self)
        let saved = SavedActivities(
            database: daemon.database,
            apps: SavingApps(
                launchServices: apps.launchServices, sessions: try daemon.part(SessionsPart.self).sessions,
                recorder: daemon.log),
            recorder: daemon.log)
        self.saved = saved
        apps.uninstalled.add(saved.appsRemoved)
        appsFollower = EventFollower(apps.launchServices.events()) { event in
            switch event {
            case .registryChanged, .exited: saved.appsChanged()
            case .launched: break
            }
        }
    }

    func registerLocal(on router: inout ConnectRouter) {
        SavedActivitiesHarness(saved).register(on: &router)
    }

    var services: [any Service] { [appsFollower, saved] }
}
