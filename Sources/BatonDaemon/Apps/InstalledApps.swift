import BatonCore
import BatonTransport
import Handoff
import LaunchServices

/// This device's apps, for Handoff.
struct InstalledApps: HandoffApps {
    let launchServices: LaunchServices

    func installedApp(of process: PeerProcess) -> ContinuationApp? {
        process.executable.flatMap(launchServices.app(forExecutable:)).map(ContinuationApp.init)
    }

    func launch(_ app: AppIdentity, for type: ActivityType) async throws {
        guard let installed = launchServices.app(app.bundleID), installed.identity == app else {
            throw BatonError(
                .notFound, reason: "not_installed", "\(app.bundleID) is not installed (any more).")
        }
        _ = try await launchServices.launch(
            app.bundleID, environment: ["BATON_LAUNCH_ACTIVITY_TYPE": type.rawValue])
    }

    func noteRunning(_ app: AppIdentity, process: PeerProcess) {
        launchServices.noteRunning(app, processID: process.processID)
    }

    func noteEnded(_ app: AppIdentity, process: PeerProcess) {
        launchServices.noteEnded(app, processID: process.processID)
    }

    var all: [ContinuationApp] { launchServices.apps().map(ContinuationApp.init) }
}

extension ContinuationApp {
    init(_ app: InstalledApp) {
        self.init(
            identity: app.identity, name: app.name, activityTypes: app.activityTypes,
            activityTitles: app.activityTitles,
            version: AppVersion(app.build), versionText: app.build.isEmpty ? app.version : app.build)
    }
}

extension HandoffService {
    /// Apps in development, as they described themselves when they attached.
    var developmentApps: [DevelopmentApp] {
        attachedApps.filter(\.app.identity.team.isDevelopment).map { app, _ in
            DevelopmentApp(
                identity: app.identity, name: app.name, version: app.versionText, activityTypes: app.activityTypes)
        }
    }
}
