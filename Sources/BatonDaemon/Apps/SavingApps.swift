import BatonCore
import BatonTransport
import BatonWire
import Handoff
import LaunchServices
import SavedActivities

/// This device's apps, for saved activities.
struct SavingApps: SavedActivityApps {
    let launchServices: LaunchServices
    let handoff: HandoffService

    func app(of sessionID: String, process: PeerProcess) throws -> AppIdentity {
        try handoff.app(of: sessionID, process: process)
    }

    func isPresent(_ app: AppIdentity) -> Bool {
        app.team.isDevelopment
            ? launchServices.runningProcess(app) != nil : launchServices.app(app.bundleID)?.identity == app
    }

    func name(of app: AppIdentity) -> String {
        let installed = launchServices.app(app.bundleID).flatMap { $0.identity == app ? $0.name : nil }
        return installed ?? handoff.developmentApps.first { $0.identity == app }?.name ?? app.bundleID.rawValue
    }

    func check(_ description: Baton_Value_V1_ActivityDescription) throws { try HandoffService.check(description) }

    func open(_ payload: Baton_Value_V1_ActivityPayload, with app: AppIdentity) async throws -> Bool {
        try await handoff.open(payload, with: app)
    }
}
