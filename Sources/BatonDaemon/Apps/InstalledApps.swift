import AppSessions
import AssociatedDomains
import BatonCore
import BatonTransport
import LaunchServices
import SiteAssociations

/// This device's apps, for their sessions and for what sites say of them.
struct InstalledApps: AppSessionApps {
    let launchServices: LaunchServices

    func installedApp(of process: PeerProcess, claiming bundleID: String) throws(BatonError) -> AppCaller? {
        try launchServices.responsibleApp(for: process).app(claiming: bundleID).map {
            AppCaller(identity: $0.identity, name: $0.name)
        }
    }

    func launch(
        _ app: AppIdentity, environment: [String: String]
    ) async throws -> (processID: Int32, wasRunning: Bool) {
        guard let installed = launchServices.app(app.bundleID), installed.identity == app else {
            throw BatonError(
                .notFound, reason: "not_installed", "\(app.bundleID) is not installed (any more).")
        }
        return try await launchServices.launch(app.bundleID, environment: environment)
    }

    func noteRunning(_ app: AppIdentity, process: PeerProcess) {
        launchServices.noteRunning(app, processID: process.processID)
    }

    func noteEnded(_ app: AppIdentity, process: PeerProcess) {
        launchServices.noteEnded(app, processID: process.processID)
    }

    /// Those that may claim sites.
    var claiming: [ClaimingApp] {
        launchServices.apps().map {
            ClaimingApp(identity: $0.identity, name: $0.name, domains: AssociatedDomains($0.associatedDomains))
        }
    }
}
