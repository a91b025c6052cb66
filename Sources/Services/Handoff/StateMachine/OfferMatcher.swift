package import BatonCore

/// Chooses the app that continues an offer (H-5): the team must match, then the type, then the title where an app is
/// particular about it; the version says whether it can.
///
/// Where several apps would do, one that names the title is taken, then the one with the origin's bundle identifier, then
/// the one that comes first by bundle identifier, so that the choice is the same each time (H-7).
package struct OfferMatcher: Sendable {
    package enum Verdict: Hashable, Sendable {
        case match(ContinuationApp)
        /// An app matches but is too old for the activity.
        case tooOld(ContinuationApp, needs: AppVersion)
        /// Apps of the team declare the type, but take only other titles.
        case titleNotNamed(apps: [ContinuationApp])
        /// No app of the team declares the type.
        case typeNotDeclared(apps: [ContinuationApp])
        /// No app of the team is here.
        case noAppOfTeam
    }

    private var byTeam: [TeamIdentity: [ContinuationApp]] = [:]

    package init(apps: some Sequence<ContinuationApp>) {
        byTeam = Dictionary(grouping: apps, by: \.identity.team)
            .mapValues { $0.sorted { $0.identity.bundleID < $1.identity.bundleID } }
    }

    package func match(_ offer: Offer) -> Verdict {
        guard let apps = byTeam[offer.app.team] else { return .noAppOfTeam }
        let declaring = apps.filter { $0.activityTypes.contains(offer.activity.type) }
        guard !declaring.isEmpty else { return .typeNotDeclared(apps: apps) }
        let candidates = declaring.filter { Self.names(offer.activity, $0) ?? true }
            .sorted { Self.rank($0, offer) < Self.rank($1, offer) }
        guard let first = candidates.first else { return .titleNotNamed(apps: declaring) }
        guard let least = offer.activity.minimumAppVersion else { return .match(first) }
        guard let able = candidates.first(where: { app in app.version.map { $0 >= least } ?? false }) else {
            return .tooOld(first, needs: least)
        }
        return .match(able)
    }

    /// Nil when the app takes any title.
    private static func names(_ activity: ActivityDescription, _ app: ContinuationApp) -> Bool? {
        app.activityTitles[activity.type].map { titles in activity.title.map(titles.contains) ?? false }
    }

    /// The least is the best; among equals the order of bundle identifiers stays, since sorting is stable.
    private static func rank(_ app: ContinuationApp, _ offer: Offer) -> Int {
        (names(offer.activity, app) == true ? 0 : 2) + (app.identity.bundleID == offer.app.bundleID ? 0 : 1)
    }
}
