import BatonCore
public import Foundation

/// A place with an address, as data. CoreLocation's.
///
/// Baton has no geocoder: what is here is what the app or another device said. Missing from Apple's class are `location`,
/// `region`, `inlandWater`, `ocean` and `areasOfInterest`.
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

    /// Where it is; nil when that is not known.
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
