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
        var (best, able): (Candidate?, Candidate?)
        for app in apps where app.activityTypes.contains(offer.activity.type) {
            let namesTitle = Self.names(offer.activity, app)
            guard namesTitle != false else { continue }
            let candidate = Candidate(
                app: app, rank: (namesTitle == true ? 0 : 2) + (app.identity.bundleID == offer.app.bundleID ? 0 : 1))
            if candidate.isBetter(than: best) { best = candidate }
            if offer.activity.isFit(for: app), candidate.isBetter(than: able) { able = candidate }
        }
        if let able { return .match(able.app) }
        if let best, let least = offer.activity.minimumAppVersion { return .tooOld(best.app, needs: least) }
        let declaring = apps.filter { $0.activityTypes.contains(offer.activity.type) }
        return declaring.isEmpty ? .typeNotDeclared(apps: apps) : .titleNotNamed(apps: declaring)
    }

    private struct Candidate {
        var app: ContinuationApp
        /// The least is the best.
        var rank: Int

        /// Not than an equal one: of equals the first by bundle identifier is taken.
        func isBetter(than other: Candidate?) -> Bool {
            guard let other else { return true }
            return rank < other.rank
        }
    }

    /// Nil when the app takes any title.
    private static func names(_ activity: ActivityDescription, _ app: ContinuationApp) -> Bool? {
        app.activityTitles[activity.type].map { titles in activity.title.map(titles.contains) ?? false }
    }
}

extension ActivityDescription {
    fileprivate func isFit(for app: ContinuationApp) -> Bool {
        guard let least = minimumAppVersion else { return true }
        guard let version = app.version else { return false }
        return version >= least
    }
}
