import Baton

/// A restaurant of the guide.
struct Restaurant {
    var identifier: String
    var name: String
    var street: String
    var city: String
    var state: String
    var postalCode: String
    var latitude: Double
    var longitude: Double
    var phone: String
    var review: String

    static let all = [
        Restaurant(
            identifier: "yank-sing", name: "Yank Sing", street: "101 Spear St", city: "San Francisco", state: "CA",
            postalCode: "94105", latitude: 37.7926, longitude: -122.3930, phone: "(415) 781-1111",
            review: "Dumplings from carts, and a queue at noon."),
        Restaurant(
            identifier: "corner", name: "Corner Table", street: "12 Market St", city: "Cambridge", state: "MA",
            postalCode: "02139", latitude: 42.3656, longitude: -71.1040, phone: "(617) 555-0100",
            review: "Soup of the day, and bread from the oven."),
    ]

    /// The place, as maps know it.
    var mapItem: MKMapItem {
        let address = CNMutablePostalAddress()
        address.street = street
        address.city = city
        address.state = state
        address.postalCode = postalCode
        address.country = "United States"
        address.isoCountryCode = "us"
        let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        let item = MKMapItem(placemark: MKPlacemark(coordinate: coordinate, postalAddress: address))
        item.name = name
        item.phoneNumber = phone
        return item
    }

    /// The item by which a person finds it.
    var item: CSSearchableItem {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = name
        attributes.contentDescription = review
        attributes.keywords = ["restaurant", city]
        attributes.namedLocation = name
        attributes.fullyFormattedAddress = "\(street), \(city), \(state) \(postalCode)"
        attributes.city = city
        attributes.stateOrProvince = state
        attributes.latitude = NSNumber(value: latitude)
        attributes.longitude = NSNumber(value: longitude)
        attributes.phoneNumbers = [phone]
        attributes.supportsPhoneCall = true
        attributes.supportsNavigation = true
        attributes.actionIdentifiers = ["call"]
        return CSSearchableItem(
            uniqueIdentifier: identifier, domainIdentifier: "restaurants.\(state.lowercased())",
            attributeSet: attributes)
    }
}
