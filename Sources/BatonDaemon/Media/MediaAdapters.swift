import AppSessions
import BatonCore
import BatonWire
import LaunchServices
import Media
import SwiftProtobuf

/// This device's apps, for media.
struct PlayingApps: MediaApps {
    let launchServices: LaunchServices
    let sessions: AppSessions

    /// An app whose activity types have it goes on with what another app of its team played.
    private static let type = ActivityType(unchecked: "INPlayMediaIntent")

    func desktopEntry(of app: AppIdentity) -> String? {
        launchServices.app(app.bundleID)?.identity == app ? app.bundleID.rawValue : nil
    }

    func receiver(for app: AppIdentity) -> AppCaller? {
        if let installed = launchServices.app(app.bundleID), installed.identity == app {
            return AppCaller(identity: app, name: installed.name)
        }
        if let running = sessions.sessions.first(where: { $0.app.identity == app }) { return running.app }
        // Programs in development have no team.
        guard !app.team.isDevelopment else { return nil }
        return launchServices.apps().filter { $0.identity.team == app.team && $0.activityTypes.contains(Self.type) }
            .min { $0.bundleID < $1.bundleID }
            .map { AppCaller(identity: $0.identity, name: $0.name) }
    }
}
