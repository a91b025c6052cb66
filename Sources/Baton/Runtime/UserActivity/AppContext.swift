import BatonCore
import BatonWire
import SwiftProtobuf

/// The app's context: whether it is in front, and the place (P-16) and the people that its current activity shows.
struct AppContext: Sendable, Equatable {
    var isInFront: Bool
    var activity: ActivityID?
    var title = ""
    var expires: UInt64?
    /// By the names of `CSSearchableItemAttributeSet`; empty where no place is shown.
    var place: [String: PropertyValue] = [:]
    /// The people whom “them” means.
    var people: [ShownPerson] = []

    init(isInFront: Bool, showing snapshot: UserActivityState?) {
        self.isInFront = isInFront
        guard let snapshot, snapshot.isValid else { return }
        let attributes = snapshot.placeAttributes
        people = snapshot.shownPeople
        guard !attributes.isEmpty || !people.isEmpty else { return }
        activity = snapshot.id
        title = (snapshot.title ?? "").shortened(toBytes: 1024)
        let description = snapshot.wireDescription
        expires = description.hasExpirationTime ? description.expirationTime : nil
        place = attributes
    }

    func request(sessionID: String) -> Baton_App_V1_UpdateContextRequest {
        .with {
            $0.sessionID = sessionID
            $0.inFront = isInFront
            guard let activity else { return }
            $0.activityID = activity.rawValue
            $0.title = title
            if let expires { $0.expirationTime = expires }
            if !place.isEmpty { $0.place = .init(attributes: place) }
            $0.people = people.map(\.message)
        }
    }
}

extension UserActivityState {
    private static let placeNames: Set<String> = [
        "namedLocation", "thoroughfare", "subThoroughfare", "city", "stateOrProvince", "postalCode", "country",
        "fullyFormattedAddress", "latitude", "longitude", "phoneNumbers", "supportsPhoneCall", "supportsNavigation",
    ]
    private static let naming: Set<String> = [
        "namedLocation", "thoroughfare", "city", "fullyFormattedAddress", "latitude",
    ]

    /// The place that the activity shows: what its attribute set says, and the rest from its map item. A telephone number
    /// alone makes a contact, and no place.
    var placeAttributes: [String: PropertyValue] {
        var attributes = contentAttributeSet?.store.values.filter { Self.placeNames.contains($0.key) } ?? [:]
        if let mapItem, !mapItem.isCurrentLocation {
            attributes.merge(mapItem.attributes.filter { Self.placeNames.contains($0.key) }) { set, _ in set }
        }
        return attributes.keys.contains { Self.naming.contains($0) } ? attributes : [:]
    }
}
