import AppSessions
import BatonCore
import BatonTransport
import BatonWire
import Handoff
import LaunchServices
import SavedActivities

/// This device's apps, for saved activities.
struct SavingApps: SavedActivityApps {
    let launchServices: LaunchServices
    let sessions: AppSessions
    let recorder: any EventRecorder

    func app(of sessionID: String, caller: AdmittedCaller) throws -> AppIdentity {
        try sessions.session(sessionID, of: caller).app.identity
    }

    func isPresent(_ app: AppIdentity) -> Bool {
        app.team.isDevelopment
            ? launchServices.runningProcess(app) != nil : launchServices.app(app.bundleID)?.identity == app
    }

    func name(of app: AppIdentity) -> String {
        let installed = launchServices.app(app.bundleID).flatMap { $0.identity == app ? $0.name : nil }
        return installed ?? sessions.sessions.first { $0.app.identity == app }?.app.name ?? app.bundleID.rawValue
    }

    func open(_ payload: Baton_Value_V1_ActivityPayload, with app: AppIdentity) async throws -> Bool {
        let delivery = try ActivityDelivery.make(payload, for: app, on: sessions.deviceName())
        recorder.record(
            "handoff", "opened", "A saved activity is opened.",
            [
                "acceptance_id": delivery.id.rawValue, "bundle_id": app.bundleID.rawValue,
                "activity_type": payload.description_p.activityType,
            ])
        return ActivityDelivery.isHandled(try await sessions.deliver(delivery))
    }
}
