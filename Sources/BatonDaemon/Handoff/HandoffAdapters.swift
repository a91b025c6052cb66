import AppSessions
import AssociatedDomains
import BatonCore
import Foundation
import Handoff
import LaunchServices
import SiteAssociations

extension InstalledApps: HandoffApps {
    func app(_ identity: AppIdentity) -> ContinuationApp? {
        launchServices.app(identity.bundleID).flatMap { $0.identity == identity ? ContinuationApp($0) : nil }
    }

    var all: [ContinuationApp] { launchServices.apps().map(ContinuationApp.init) }
}

/// The sites' claims on this device's apps, for Handoff.
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
