import AppSessions
import BatonCore
import Handoff
import Requests
import Suggestions
import WebMarkup

/// What the person looks at: the activity that became current last, among those of apps that have not said that they left the front.
struct RequestScreenContent: RequestScreen {
    let handoff: HandoffService
    let suggestions: Suggestions

    func current() async -> RequestedContent? {
        let shown = handoff.currentActivities().map { entry in
            (entry: entry, screen: suggestions.screen(of: entry.session.rawValue))
        }
        // An app that says it is in front comes before one that says nothing; one that has left does not count.
        let candidates = shown.filter { $0.screen?.isInFront != false }
        guard let found = candidates.first(where: { $0.screen?.isInFront == true }) ?? candidates.first else {
            return nil
        }
        let activity = found.entry.activity
        return RequestedContent(
            app: found.entry.app.identity, appName: found.entry.app.name, activity: activity.id, type: activity.type,
            title: activity.title.map { $0.shortened(toBytes: 256) }, page: activity.webpageURL,
            place: found.screen?.place.flatMap { place in
                // The app's own evidence says which activity shows it.
                place.evidence.contains { $0.activity == activity.id.rawValue } ? RequestedPlace(place) : nil
            })
    }
}

extension RequestedPlace {
    /// Nil for one without a name, an address or a number.
    init?(_ place: KnownPlace) {
        guard let name = place.place.name ?? place.place.addressLine else { return nil }
        self.init(
            id: "\(place.id)", name: name, telephone: place.place.telephone,
            supportsNavigation: place.supportsNavigation, supportsPhoneCall: place.supportsPhoneCall)
    }
}
