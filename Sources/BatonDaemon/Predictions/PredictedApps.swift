import AppSessions
import BatonCore
import LaunchServices
import Prediction
import Predictions

/// This device's apps, for predictions.
struct PredictedApps: PredictionApps {
    let launchServices: LaunchServices
    let sessions: AppSessions
    /// Plays what an app was predicted to play, and says whether it could.
    let playing: Hooks<@Sendable (_ media: String, _ app: BundleID) async throws -> Bool>

    /// Has an app do what it offers, and says whether it did; nil where it offers that no longer.
    let performing: @Sendable (_ shortcut: String, _ app: BundleID) async throws -> Bool?

    func name(of app: BundleID) -> String? {
        if let installed = launchServices.app(app) { return installed.name }
        return sessions.sessions.first { $0.app.identity.bundleID == app }?.app.name
    }

    var installed: Set<BundleID> { Set(launchServices.apps().map(\.bundleID)) }

    func open(_ item: PredictionItem) async throws {
        let app = try BundleID(validating: item.app)
        if item.kind == .media {
            for play in playing.all where try await play(item.id, app) { return }
        }
        if item.kind == .shortcut {
            guard let isHandled = try await performing(item.id, app) else {
                throw BatonError(
                    .notFound, reason: "unknown_prediction",
                    "The app offers that no longer. “baton today” says what is likely now.")
            }
            guard isHandled else {
                throw BatonError(.aborted, reason: "not_handled", "\(app) was opened, but did not take it.")
            }
            return
        }
        _ = try await launchServices.launch(app)
    }

    /// Whether it is the app of that name. A program in development may take the name of an installed app, but not its history.
    func isGenuine(_ app: AppIdentity) -> Bool {
        app.team.isDevelopment
            ? launchServices.app(app.bundleID) == nil : launchServices.app(app.bundleID)?.identity == app
    }
}
