import BatonCore
public import Foundation

/// A place on the map. MapKit's, as data: there is no map.
open class MKPlacemark: CLPlacemark, @unchecked Sendable {
    /// A point of which nothing else is known.
    public convenience init(coordinate: CLLocationCoordinate2D) {
        self.init(coordinate: coordinate, addressDictionary: nil)
    }

    /// A point with an address.
    ///
    /// - Parameters:
    ///   - coordinate: where.
    ///   - addressDictionary: strings under `Name`, `Street`, `Thoroughfare`, `SubThoroughfare`, `SubLocality`, `City`,
    ///     `SubAdministrativeArea`, `State`, `ZIP`, `Country` and `CountryCode`, or under those of Contacts, as
    ///     ``CNPostalAddressStreetKey``. Anything else is passed over.
    public init(coordinate: CLLocationCoordinate2D, addressDictionary: [String: Any]?) {
        var values = Self.values(coordinate)
        for (key, name) in Self.dictionaryKeys {
            if let text = addressDictionary?[key] as? String { values[name] = .string(text) }
        }
        for (key, name) in Self.contactKeys where values[name] == nil {
            if let text = addressDictionary?[key] as? String { values[name] = .string(text) }
        }
        super.init(values: values)
    }

    /// A point with an address.
    public init(coordinate: CLLocationCoordinate2D, postalAddress: CNPostalAddress) {
        let parts = [
            "street": postalAddress.street, "thoroughfare": postalAddress.street,
            "subLocality": postalAddress.subLocality, "locality": postalAddress.city,
            "subAdministrativeArea": postalAddress.subAdministrativeArea, "administrativeArea": postalAddress.state,
            "postalCode": postalAddress.postalCode, "country": postalAddress.country,
            "isoCountryCode": postalAddress.isoCountryCode,
        ].filter { !$0.value.isEmpty }
        super.init(values: Self.values(coordinate).merging(parts.mapValues(PropertyValue.string)) { $1 })
    }

    /// The place of another placemark.
    public override init(placemark: CLPlacemark) { super.init(placemark: placemark) }

    override init(values: [String: PropertyValue]) { super.init(values: values) }

    /// Reads what `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    private static func values(_ coordinate: CLLocationCoordinate2D) -> [String: PropertyValue] {
        ["latitude": .real(coordinate.latitude), "longitude": .real(coordinate.longitude)]
    }

    private static let dictionaryKeys = [
        "Name": "name", "Street": "street", "Thoroughfare": "thoroughfare", "SubThoroughfare": "subThoroughfare",
        "SubLocality": "subLocality", "City": "locality", "SubAdministrativeArea": "subAdministrativeArea",
        "State": "administrativeArea", "ZIP": "postalCode", "Country": "country", "CountryCode": "isoCountryCode",
    ]

    private static let contactKeys = [
        CNPostalAddressStreetKey: "street", CNPostalAddressSubLocalityKey: "subLocality",
        CNPostalAddressCityKey: "locality", CNPostalAddressSubAdministrativeAreaKey: "subAdministrativeArea",
        CNPostalAddressStateKey: "administrativeArea", CNPostalAddressPostalCodeKey: "postalCode",
        CNPostalAddressCountryKey: "country", CNPostalAddressISOCountryCodeKey: "isoCountryCode",
    ]

    /// Where it is; ``kCLLocationCoordinate2DInvalid`` when that is not known.
    open var coordinate: CLLocationCoordinate2D { storedCoordinate ?? kCLLocationCoordinate2DInvalid }

    /// As ``CLPlacemark/isoCountryCode``.
    open var countryCode: String? { isoCountryCode }

    /// The title on a pin: the name, else the address's first part that is known.
    open var title: String? { name ?? thoroughfare ?? locality ?? country }

    /// The subtitle on a pin: the city and the state or country.
    open var subtitle: String? {
        let parts = [locality, administrativeArea ?? country].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
