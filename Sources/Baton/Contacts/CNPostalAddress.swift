import BatonCore
public import Foundation

/// A postal address. Contacts'.
///
/// Every part is an empty string unless it is known. ``CNMutablePostalAddress`` is the class to make one with.
//
// @unchecked: the only stored property is a constant, and what changes lies behind its lock.
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying, NSSecureCoding, @unchecked Sendable {
    let store: AttributeStore

    /// An address of which nothing is known.
    public override init() {
        store = AttributeStore()
        super.init()
    }

    init(values: [String: PropertyValue]) {
        store = AttributeStore(values)
        super.init()
    }

    fileprivate func part(_ name: String) -> String { store.string(name) ?? "" }
    fileprivate func set(_ name: String, _ value: String) { store.set(name, value.isEmpty ? nil : value) }

    /// The street and the number in it; several lines are parted by line feeds.
    open var street: String { part("street") }
    /// The part of the city.
    open var subLocality: String { part("subLocality") }
    /// The city.
    open var city: String { part("city") }
    /// The county or district.
    open var subAdministrativeArea: String { part("subAdministrativeArea") }
    /// The state or province.
    open var state: String { part("state") }
    /// The postal code.
    open var postalCode: String { part("postalCode") }
    /// The country.
    open var country: String { part("country") }
    /// The country's code, by ISO 3166-1 alpha-2.
    open var isoCountryCode: String { part("isoCountryCode") }

    /// An address that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { CNPostalAddress(values: store.values) }
    /// An address with the same parts, to be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { CNMutablePostalAddress(values: store.values) }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }
    /// Writes every part, in an archive of Baton's own.
    open func encode(with coder: NSCoder) { AttributeArchive.encode(store.values, with: coder) }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let values = AttributeArchive.decode(coder) else { return nil }
        store = AttributeStore(values)
        super.init()
    }

    /// Addresses are equal if their parts are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CNPostalAddress).map { $0.store.values == store.values } ?? false
    }

    /// Equal addresses have it in common.
    open override var hash: Int { store.values.keys.sorted().hashValue }
}

/// A postal address that can be changed. Contacts'.
open class CNMutablePostalAddress: CNPostalAddress, @unchecked Sendable {
    /// The street and the number in it.
    open override var street: String {
        get { super.street }
        set { set("street", newValue) }
    }
    /// The part of the city.
    open override var subLocality: String {
        get { super.subLocality }
        set { set("subLocality", newValue) }
    }
    /// The city.
    open override var city: String {
        get { super.city }
        set { set("city", newValue) }
    }
    /// The county or district.
    open override var subAdministrativeArea: String {
        get { super.subAdministrativeArea }
        set { set("subAdministrativeArea", newValue) }
    }
    /// The state or province.
    open override var state: String {
        get { super.state }
        set { set("state", newValue) }
    }
    /// The postal code.
    open override var postalCode: String {
        get { super.postalCode }
        set { set("postalCode", newValue) }
    }
    /// The country.
    open override var country: String {
        get { super.country }
        set { set("country", newValue) }
    }
    /// The country's code, by ISO 3166-1 alpha-2.
    open override var isoCountryCode: String {
        get { super.isoCountryCode }
        set { set("isoCountryCode", newValue) }
    }
}
