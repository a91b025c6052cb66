package import BatonCore
package import WebMarkup

/// A place as an app describes it, by the names of `CSSearchableItemAttributeSet` (P-18).
package struct AppPlace: Sendable {
    package let place: Place
    package let supportsNavigation: Bool?
    package let supportsPhoneCall: Bool?

    /// Nil where nothing is said of a place.
    package init?(_ attributes: [String: PropertyValue]) {
        func text(_ name: String) -> String? {
            switch attributes[name] {
            case .string(let text)?: PlaceText.clean(text)
            default: nil
            }
        }
        func number(_ name: String) -> Double? {
            switch attributes[name] {
            case .real(let value)?: value
            case .integer(let value)?: Double(value)
            default: nil
            }
        }
        func flag(_ name: String) -> Bool? {
            switch attributes[name] {
            case .boolean(let value)?: value
            case .integer(let value)?: value != 0
            case .real(let value)?: value != 0
            default: nil
            }
        }
        var place = Place()
        place.name = text("namedLocation")
        let street = [text("subThoroughfare"), text("thoroughfare")].compactMap { $0 }.joined(separator: " ")
        place.street = street.isEmpty ? nil : street
        place.locality = text("city")
        place.region = text("stateOrProvince")
        place.postalCode = text("postalCode")
        place.country = text("country")
        place.addressText = text("fullyFormattedAddress")
        if let latitude = number("latitude"), let longitude = number("longitude") {
            place.coordinate = Place.Coordinate(latitude: latitude, longitude: longitude)
            if place.coordinate == nil {
                place.remarks.append(
                    "Its coordinate (\(latitude), \(longitude)) is not on the earth, so it was left out.")
            }
        }
        if case .array(let numbers)? = attributes["phoneNumbers"], case .string(let first)? = numbers.first {
            place.telephone = PlaceText.telephone(first)
        }
        guard place.name != nil || place.hasAddress || place.coordinate != nil || !place.remarks.isEmpty else {
            return nil
        }
        self.place = place
        supportsNavigation = flag("supportsNavigation")
        supportsPhoneCall = flag("supportsPhoneCall")
    }
}
