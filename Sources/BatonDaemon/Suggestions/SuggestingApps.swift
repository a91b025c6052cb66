import AppSessions
import BatonConcurrency
import BatonCore
import BatonTransport
import BatonTrust
import Files
import Foundation
import LaunchServices
import Opening
import Suggestions
import Synchronization
import WebMarkup

/// This device's apps, for suggestions.
final class SuggestingApps: SuggestionApps {
    private let launchServices: LaunchServices
    private let sessions: AppSessions
    private let opening: OpeningService
    /// Where requests for directions are until the app has its copy.
    private let folder: String
    private let lastUsed = Mutex<BundleID?>(nil)
    private let files = BlockingQueue("baton.suggestions.files")

    /// The type of documents that routing apps declare (P-40).
    private static let type = "com.apple.maps.directionsrequest"

    init(launchServices: LaunchServices, sessions: AppSessions, opening: OpeningService, folder: String) {
        self.launchServices = launchServices
        self.sessions = sessions
        self.opening = opening
        self.folder = folder
    }

    func app(of sessionID: String, caller: AdmittedCaller) throws -> (identity: AppIdentity, name: String) {
        let app = try sessions.session(sessionID, of: caller).app
        return (app.identity, app.name)
    }

    func isPresent(_ app: AppIdentity) -> Bool {
        app.team.isDevelopment
            ? sessions.sessions.contains { $0.app.identity == app } : launchServices.app(app.bundleID)?.identity == app
    }

    func routingApp() -> RoutingApp? {
        let candidates = opening.handlers(ofType: Self.type).candidates
        let used = lastUsed.withLock { $0 }
        let chosen =
            candidates.first { $0.isPersonsChoice } ?? candidates.first { $0.bundleID == used } ?? candidates.first
        return chosen.map { RoutingApp(bundleID: $0.bundleID, name: $0.name, modes: modes(of: $0.bundleID)) }
    }

    /// `MKDirectionsApplicationSupportedModes` of an app's bundle, which was checked when it was installed.
    private func modes(of app: BundleID) -> [String] {
        guard let path = launchServices.app(app)?.bundlePath,
            let bytes = try? AtomicFile.read(path + "/Info.plist", limit: 1 << 20),
            let values = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any],
            let modes = values["MKDirectionsApplicationSupportedModes"] as? [String]
        else { return [] }
        return Array(modes.prefix(20))
    }

    func direct(to place: Place, with app: RoutingApp) async throws -> Bool {
        let request = DirectionsRequest.file(to: place)
        let path = try await files.run { [folder] in
            try SecureDirectory.prepare(folder)
            let path = folder + "/Request \(UUID().uuidString.prefix(8)).mkdirectionsrequest"
            try AtomicFile.write(request, to: path)
            return path
        }
        defer { unlink(path) }
        let outcome = try await opening.open(file: path, from: .person, with: app.bundleID)
        lastUsed.withLock { $0 = app.bundleID }
        return outcome.isHandled
    }

    func openOnDesktop(_ geo: String) async throws { _ = try await opening.open(geo, from: .person) }
}
