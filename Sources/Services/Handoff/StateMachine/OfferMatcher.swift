import BatonCore

/// Chooses the app that continues an offer (H-5): the team must match, then the type; the version says whether it can.
///
/// Where several apps declare the type, the one with the origin's bundle identifier is taken, then the one that comes
/// first by bundle identifier, so that the choice is the same each time (H-7).
package struct OfferMatcher: Sendable {
    package enum Verdict: Hashable, Sendable {
        case match(ContinuationApp)
        /// An app matches but is too old for the activity.
        case tooOld(ContinuationApp, needs: AppVersion)
        /// No app of the team declares the type.
        case typeNotDeclared(apps: [ContinuationApp])
        /// No app of the team is here.
        case noAppOfTeam

        /// The app that is shown with the offer; nil when the offer is not shown.
        package var app: ContinuationApp? {
            switch self {
            case .match(let app), .tooOld(let app, _): app
            case .typeNotDeclared, .noAppOfTeam: nil
            }
        }
    }

    private var byTeam: [TeamIdentity: [ContinuationApp]] = [:]

    package init(apps: some Sequence<ContinuationApp>) {
        byTeam = Dictionary(grouping: apps, by: \.identity.team)
            .mapValues { $0.sorted { $0.identity.bundleID < $1.identity.bundleID } }
    }

    package func match(_ offer: Offer) -> Verdict {
        guard let apps = byTeam[offer.app.team] else { return .noAppOfTeam }
        let declaring = apps.filter { $0.activityTypes.contains(offer.activity.type) }
        guard let first = declaring.first(where: { $0.identity.bundleID == offer.app.bundleID }) ?? declaring.first
        else { return .typeNotDeclared(apps: apps) }
        guard let least = offer.activity.minimumAppVersion else { return .match(first) }
        let able = declaring.filter { app in app.version.map { $0 >= least } ?? false }
        guard let best = able.first(where: { $0 == first }) ?? able.first else { return .tooOld(first, needs: least) }
        return .match(best)
    }
}
