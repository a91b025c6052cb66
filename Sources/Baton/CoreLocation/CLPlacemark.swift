import BatonCore
public import Foundation

/// A place with an address, as data. CoreLocation's.
///
/// It is what the app, another device or ``CLGeocoder`` said. Safe to use from any thread.
//
// @unchecked: the only stored property is a constant, and what changes lies behind its lock.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let store: AttributeStore

    /// A place of which the same is known.
    public init(placemark: CLPlacemark) {
        store = AttributeStore(placemark.store.values)
        super.init()
    }

    init(values: [String: PropertyValue]) {
        store = AttributeStore(values)
        super.init()
    }

    /// Its name.
    open var name: String? { store.string("name") }
    /// The street.
    open var thoroughfare: String? { store.string("thoroughfare") }
    /// The number in the street.
    open var subThoroughfare: String? { store.string("subThoroughfare") }
    /// The city.
    open var locality: String? { store.string("locality") }
    /// The part of the city.
    open var subLocality: String? { store.string("subLocality") }
    /// The state or province.
    open var administrativeArea: String? { store.string("administrativeArea") }
    /// The county or district.
    open var subAdministrativeArea: String? { store.string("subAdministrativeArea") }
    /// The postal code.
    open var postalCode: String? { store.string("postalCode") }
    /// The country's code, by ISO 3166-1 alpha-2.
    open var isoCountryCode: String? { store.string("isoCountryCode") }
    /// The country.
    open var country: String? { store.string("country") }

    /// The address; nil when nothing of one is known.
    open var postalAddress: CNPostalAddress? {
        let street = store.string("street") ?? Self.street(thoroughfare, subThoroughfare)
        let parts = [
            "street": street, "subLocality": subLocality, "city": locality,
            "subAdministrativeArea": subAdministrativeArea, "state": administrativeArea, "postalCode": postalCode,
            "country": country, "isoCountryCode": isoCountryCode,
        ].compactMapValues { $0 }
        return parts.isEmpty ? nil : CNPostalAddress(values: parts.mapValues(PropertyValue.string))
    }

    private static func street(_ thoroughfare: String?, _ subThoroughfare: String?) -> String? {
        let parts = [subThoroughfare, thoroughfare].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// Where it is; nil when that is not known (P-43). Its `horizontalAccuracy` says how exactly it is known.
    open var location: CLLocation? {
        guard let coordinate = storedCoordinate, CLLocationCoordinate2DIsValid(coordinate) else { return nil }
        return CLLocation(
            coordinate: coordinate, altitude: store.real("altitude") ?? 0,
            horizontalAccuracy: store.real("horizontalAccuracy") ?? 0, verticalAccuracy: -1,
            timestamp: store.date("timestamp") ?? Date())
    }

    /// The area that it takes up, as far as that is known: a circle as wide as the location is exact.
    open var region: CLRegion? {
        guard let location, location.horizontalAccuracy > 0 else { return nil }
        return CLCircularRegion(
            center: location.coordinate, radius: location.horizontalAccuracy, identifier: name ?? locality ?? "")
    }

    /// The time there.
    open var timeZone: TimeZone? { store.string("timeZone").flatMap(TimeZone.init(identifier:)) }
    /// The lake or river.
    open var inlandWater: String? { store.string("inlandWater") }
    /// The ocean.
    open var ocean: String? { store.string("ocean") }
    /// Sights that belong to it.
    open var areasOfInterest: [String]? { store.strings("areasOfInterest") }

    /// The address with the keys of Apple's address book: `Name`, `Street`, `Thoroughfare`, `SubThoroughfare`, `City`,
    /// `SubLocality`, `State`, `SubAdministrativeArea`, `ZIP`, `Country`, `CountryCode`, and `FormattedAddressLines` with the
    /// lines of a letter. Nil when nothing of one is known (P-41).
    open var addressDictionary: [AnyHashable: Any]? {
        let address = postalAddress
        let street = store.string("street") ?? address?.street
        var parts: [AnyHashable: Any] = [:]
        for (key, value) in [
            "Name": name, "Street": street, "Thoroughfare": thoroughfare, "SubThoroughfare": subThoroughfare,
            "City": locality, "SubLocality": subLocality, "State": administrativeArea,
            "SubAdministrativeArea": subAdministrativeArea, "ZIP": postalCode, "Country": country,
            "CountryCode": isoCountryCode,
        ] {
            if let value, !value.isEmpty { parts[key] = value }
        }
        guard !parts.isEmpty else { return nil }
        let lines = address.map { CNPostalAddressFormatter.lines(of: $0) } ?? []
        if !lines.isEmpty { parts["FormattedAddressLines"] = lines }
        return parts
    }

    /// Where it is; nil when that is not known. A value set by an app may be no valid coordinate.
    var storedCoordinate: CLLocationCoordinate2D? {
        guard let latitude = store.real("latitude"), let longitude = store.real("longitude") else { return nil }
        return CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }

    /// A place of which the same is known. A placemark does not change, so this is the object itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }
    /// Writes what is known, in an archive of Baton's own.
    open func encode(with coder: NSCoder) { AttributeArchive.encode(store.values, with: coder) }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let values = AttributeArchive.decode(coder) else { return nil }
        store = AttributeStore(values)
        super.init()
    }

    /// Places are equal if the same is known of them.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLPlacemark).map { $0.store.values == store.values } ?? false
    }

    /// Equal places have it in common.
    open override var hash: Int { store.values.keys.sorted().hashValue }
}
