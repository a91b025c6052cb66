import BatonCore
public import Foundation

/// A place that a person can go to, with its details (H-38, P-16). MapKit's, as data.
///
/// ``NSUserActivity/mapItem`` shares one, and ``openInMaps(launchOptions:)`` has a navigation app lead there. Safe to use from
/// any thread.
//
// @unchecked: both stored properties are constants, and what changes lies behind a lock.
open class MKMapItem: NSObject, NSSecureCoding, @unchecked Sendable {
    let store: AttributeStore
    /// The place.
    public let placemark: MKPlacemark

    /// A place at a location, with its address as text. Apple's newer form.
    public convenience init(location: CLLocation, address: MKAddress?) {
        var values: [String: PropertyValue] = [
            "latitude": .real(location.coordinate.latitude), "longitude": .real(location.coordinate.longitude),
            "horizontalAccuracy": .real(location.horizontalAccuracy),
        ]
        if let address {
            values["fullAddress"] = .string(address.fullAddress)
            if let short = address.shortAddress { values["shortAddress"] = .string(short) }
        }
        self.init(placemark: MKPlacemark(values: values))
    }

    /// Where it is. Invalid, with a negative accuracy, where that is not known (P-43).
    open var location: CLLocation {
        placemark.location
            ?? CLLocation(
                coordinate: kCLLocationCoordinate2DInvalid, altitude: 0, horizontalAccuracy: -1, verticalAccuracy: -1,
                timestamp: Date(timeIntervalSinceReferenceDate: 0))
    }

    /// Its address as text; nil when nothing of one is known.
    open var address: MKAddress? {
        let lines = placemark.postalAddress.map { CNPostalAddressFormatter.lines(of: $0) } ?? []
        guard let full = placemark.store.string("fullAddress") ?? (lines.isEmpty ? nil : lines.joined(separator: ", "))
        else { return nil }
        return MKAddress(
            fullAddress: full, shortAddress: placemark.store.string("shortAddress") ?? lines.first)
    }

    /// The place of a placemark; its name is the placemark's.
    public init(placemark: MKPlacemark) {
        self.placemark = placemark
        store = AttributeStore()
        store.set("name", placemark.name)
        super.init()
    }

    /// A place of which nothing is known.
    public convenience override init() { self.init(placemark: MKPlacemark(values: [:])) }

    init(values: [String: PropertyValue], placemark: MKPlacemark) {
        self.placemark = placemark
        store = AttributeStore(values)
        super.init()
    }

    /// Wherever the device is. It has no coordinate: Baton does not ask where the device is, and such an item does not
    /// travel, since it would mean another place there.
    open class func forCurrentLocation() -> MKMapItem {
        MKMapItem(values: ["isCurrentLocation": .boolean(true)], placemark: MKPlacemark(values: [:]))
    }

    /// Whether it stands for wherever the device is.
    open var isCurrentLocation: Bool { store["isCurrentLocation"] == .boolean(true) }

    /// The name that people use.
    open var name: String? {
        get { store.string("name") }
        set { store.set("name", newValue) }
    }

    /// The number to call.
    open var phoneNumber: String? {
        get { store.string("phoneNumber") }
        set { store.set("phoneNumber", newValue) }
    }

    /// Its page.
    open var url: URL? {
        get { store.url("url") }
        set { store.set("url", newValue) }
    }

    /// The time there.
    open var timeZone: TimeZone? {
        get { store.string("timeZone").flatMap(TimeZone.init(identifier:)) }
        set { store.set("timeZone", newValue?.identifier) }
    }

    /// Its kind.
    open var pointOfInterestCategory: MKPointOfInterestCategory? {
        get { store.string("pointOfInterestCategory").map(MKPointOfInterestCategory.init) }
        set { store.set("pointOfInterestCategory", newValue?.rawValue) }
    }

    // MARK: Archives

    /// Always true.
    public class var supportsSecureCoding: Bool { true }
    /// Writes everything, in an archive of Baton's own.
    open func encode(with coder: NSCoder) { AttributeArchive.encode(values, with: coder) }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required convenience init?(coder: NSCoder) {
        guard let values = AttributeArchive.decode(coder) else { return nil }
        self.init(values: values)
    }

    /// Items are equal if they say the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? MKMapItem).map { $0.values == values } ?? false
    }

    /// Equal items have it in common.
    open override var hash: Int { values.keys.sorted().hashValue }

    // MARK: As values

    /// Everything, the place under `placemark`.
    var values: [String: PropertyValue] {
        var values = store.values
        let place = placemark.store.values
        if !place.isEmpty {
            values["placemark"] = .dictionary(
                Dictionary(place.map { (.string($0.key), $0.value) }, uniquingKeysWith: { $1 }))
        }
        return values
    }

    convenience init(values: [String: PropertyValue]) {
        var values = values
        var place: [String: PropertyValue] = [:]
        if case .dictionary(let entries)? = values.removeValue(forKey: "placemark") {
            for case (.string(let name), let value) in entries { place[name] = value }
        }
        self.init(values: values, placemark: MKPlacemark(values: place))
    }

    /// The item's values in a set of search metadata (P-17).
    var attributes: [String: PropertyValue] {
        var attributes: [String: PropertyValue] = [:]
        func set(_ name: String, _ text: String?) {
            if let text { attributes[name] = .string(text) }
        }
        set("namedLocation", name ?? placemark.name)
        set("thoroughfare", placemark.thoroughfare)
        set("subThoroughfare", placemark.subThoroughfare)
        set("city", placemark.locality)
        set("stateOrProvince", placemark.administrativeArea)
        set("postalCode", placemark.postalCode)
        set("country", placemark.country)
        if let coordinate = placemark.storedCoordinate, CLLocationCoordinate2DIsValid(coordinate) {
            attributes["latitude"] = .real(coordinate.latitude)
            attributes["longitude"] = .real(coordinate.longitude)
            attributes["supportsNavigation"] = .boolean(true)
        }
        if let phoneNumber {
            attributes["phoneNumbers"] = .array([.string(phoneNumber)])
            attributes["supportsPhoneCall"] = .boolean(true)
        }
        return attributes
    }
}
