import AppSessions
import BatonTransport
import Devices
import LaunchServices
import ServiceLifecycle

/// Attached app processes.
struct SessionsPart: DaemonPart {
    let sessions: AppSessions
    /// Admits each call of the app plane.
    var admission: AppAdmission { sessions.admit }
    private let exits: EventFollower<LaunchEvent>

    init(_ daemon: DaemonComposition) throws {
        let apps = try daemon.part(AppsPart.self)
        let account = try daemon.part(DevicesPart.self).account
        let sessions = AppSessions(apps: apps.installed, deviceName: account.ownName, recorder: daemon.log)
        self.sessions = sessions
        exits = EventFollower(apps.launchServices.events()) { [launchServices = apps.launchServices] event in
            guard case .exited(let bundleID, let process, let description) = event,
                let app = launchServices.app(bundleID)
            else { return }
            sessions.processEnded(
                app.identity, process: process,
                message: "\(app.name) ended before it could take what it was started for: \(description)")
        }
    }

    func registerLocal(on router: inout ConnectRouter) {
        AppSessionsHarness(sessions).register(on: &router)
    }

    var services: [any Service] { [sessions, exits] }
}
