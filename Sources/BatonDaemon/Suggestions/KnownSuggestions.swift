import Geocoding
import Suggestions
import WebMarkup

/// The places that the person has just looked at, for geocoding: the latest first.
enum KnownSuggestions {
    /// Within so many metres an app's or a page's coordinate is right: they mark a door, or a building.
    private static let accuracy = 50.0

    static func places(_ suggestions: Suggestions) -> [FoundPlace] {
        suggestions.known.filter { $0.obstacle == nil }.sorted { $0.lastSeen > $1.lastSeen }.map { found($0.place) }
    }

    static func found(_ place: Place) -> FoundPlace {
        // One text is an address without parts: it is compared as a street without its town.
        let texts = [
            "name": place.name, "thoroughfare": place.street ?? place.addressText, "locality": place.locality,
            "administrativeArea": place.region, "postalCode": place.postalCode, "country": place.country,
            "phoneNumber": place.telephone, "url": place.address,
        ]
        return FoundPlace(
            source: .known, texts: texts.compactMapValues(\.self),
            point: place.coordinate.flatMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) },
            accuracy: accuracy)
    }
}
