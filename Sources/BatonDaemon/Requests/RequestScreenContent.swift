import AppSessions
import BatonCore
import Handoff
import Requests
import Suggestions
import WebMarkup

/// The person's activity: the one that became current last in the one app that says it is in front, else in the one that has
/// not said that it left. With two such apps neither is believed. Where nothing is in front here, another device of the account that is in use
/// may say what is in front there.
struct RequestScreenContent: RequestScreen {
    let handoff: HandoffService
    let suggestions: Suggestions
    let elsewhere: FrontElsewhere

    func current() async throws -> RequestedContent? { try here()?.content ?? elsewhere.current }

    /// The activity in front on this device, and whether its app lets it leave the device.
    func here() throws -> (content: RequestedContent, mayLeave: Bool)? {
        let shown = handoff.currentActivities().map { entry in
            (entry: entry, screen: suggestions.screen(of: entry.session.rawValue))
        }
        let claims = shown.map { FrontClaim(app: $0.entry.app.identity, isInFront: $0.screen?.isInFront) }
        guard let found = try FrontClaim.front(of: claims).map({ shown[$0] }) else { return nil }
        let activity = found.entry.activity
        let content = RequestedContent(
            app: found.entry.app.identity, appName: found.entry.app.name, activity: activity.id, type: activity.type,
            title: activity.title.map { $0.shortened(toBytes: 256) }, page: activity.webpageURL,
            place: found.screen?.place.flatMap { place in
                // The app's own evidence says which activity shows it.
                place.evidence.contains { $0.activity == activity.id.rawValue } ? RequestedPlace(place) : nil
            }, people: suggestions.people(of: found.entry.session.rawValue, activity: activity.id))
        return (content, activity.isEligibleForHandoff)
    }
}

extension RequestedPlace {
    /// Nil for one without a name, an address or a number.
    init?(_ place: KnownPlace) {
        guard let name = place.place.name ?? place.place.addressLine else { return nil }
        self.init(
            id: "\(place.id)", name: name, telephone: place.place.telephone,
            address: place.place.addressLine, source: place.source?.sourceName,
            supportsNavigation: place.supportsNavigation, supportsPhoneCall: place.supportsPhoneCall)
    }
}
