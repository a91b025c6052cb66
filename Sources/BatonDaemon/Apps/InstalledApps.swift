import AppSessions
import AssociatedDomains
import BatonCore
import BatonTransport
import Foundation
import Handoff
import LaunchServices
import SiteAssociations

/// This device's apps, for their sessions and for Handoff.
struct InstalledApps: AppSessionApps, HandoffApps {
    let launchServices: LaunchServices

    func installedApp(of process: PeerProcess) -> AppCaller? {
        process.executable.flatMap(launchServices.app(forExecutable:)).map {
            AppCaller(identity: $0.identity, name: $0.name)
        }
    }

    func app(_ identity: AppIdentity) -> ContinuationApp? {
        launchServices.app(identity.bundleID).flatMap { $0.identity == identity ? ContinuationApp($0) : nil }
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

    var all: [ContinuationApp] { launchServices.apps().map(ContinuationApp.init) }
}

/// What sites say of this device's apps, for Handoff.
struct PageSites: HandoffSites {
    let associations: SiteAssociations

    func apps(claiming page: WebPage) -> [AppIdentity] {
        guard let url = URL(string: page.text) else { return [] }
        return associations.apps(claiming: url, for: .activityContinuation).map(\.app)
    }
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
