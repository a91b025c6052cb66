package import BatonCore

/// The effect of accepting an offer here.
package enum OfferRoute: Hashable, Sendable {
    /// An app of the origin's team continues the activity.
    case activity(ContinuationApp)
    /// The app that claims the page's site is given the page, and nothing else of the activity (H-85, H-86, H-95).
    case pageInApp(ContinuationApp)
    /// The browser opens the page (H-84).
    case pageInBrowser

    package var app: ContinuationApp? {
        switch self {
        case .activity(let app), .pageInApp(let app): app
        case .pageInBrowser: nil
        }
    }
}

/// Chooses the one route of each offer, in this order:
///
/// 1. an app of the origin's team that continues the activity itself, unless it is what a browser shows;
/// 2. an installed app that the page's site names;
/// 3. for what a browser shows: an app of that browser's team, its own on this device;
/// 4. the browser here;
/// 5. an app of the team that is too old, with this as an obstacle.
package struct OfferRouter: Sendable {
    package struct Finding: Hashable, Sendable {
        /// The match between the activity and the apps of the origin's team.
        package var match: OfferMatcher.Verdict
        /// Nil when the offer is not shown.
        package var route: OfferRoute?
        /// Why it cannot be continued though there is a route; nil when it can.
        package var obstacle: String?

        package init(match: OfferMatcher.Verdict, route: OfferRoute? = nil, obstacle: String? = nil) {
            self.match = match
            self.route = route
            self.obstacle = obstacle
        }
    }

    private let matcher: OfferMatcher
    private let installed: [AppIdentity: ContinuationApp]
    private let hasBrowser: Bool

    /// - Parameters:
    ///   - installed: the apps that may claim sites.
    ///   - development: unsigned apps that run; they claim none.
    package init(installed: [ContinuationApp] = [], development: [ContinuationApp] = [], hasBrowser: Bool = false) {
        matcher = OfferMatcher(apps: installed + development)
        self.installed = Dictionary(installed.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        self.hasBrowser = hasBrowser
    }

    /// - Parameter claims: the apps that the site of the offer's page names.
    package func finding(on offer: Offer, claims: [AppIdentity]) -> Finding {
        let match = matcher.match(offer)
        func found(_ route: OfferRoute) -> Finding { Finding(match: match, route: route) }
        if case .match(let app) = match, offer.activity.type != .browsingWeb { return found(.activity(app)) }
        let hasPage = offer.activity.webpageURL != nil
        if hasPage, let app = claimant(claims, offer.app) { return found(.pageInApp(app)) }
        if case .match(let app) = match { return found(.activity(app)) }
        if hasPage, hasBrowser { return found(.pageInBrowser) }
        guard case .tooOld(let app, let least) = match else { return Finding(match: match) }
        return Finding(
            match: match, route: .activity(app),
            obstacle: "\(app.name) here is version \(app.versionText); the activity needs version \(least) or later. "
                + "Update the app on this device.")
    }

    /// Prefers the origin's own app, then one of its team, then the first.
    private func claimant(_ claims: [AppIdentity], _ origin: AppIdentity) -> ContinuationApp? {
        guard !claims.isEmpty else { return nil }
        let apps = claims.compactMap { installed[$0] }
        return apps.first { $0.identity == origin } ?? apps.first { $0.identity.team == origin.team } ?? apps.first
    }
}
