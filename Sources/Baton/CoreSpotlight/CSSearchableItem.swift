import BatonCore
public import Foundation

/// Something of the app that a person can find. CoreSpotlight's.
///
/// ``CSSearchableIndex`` takes it. Safe to use from any thread.
//
// @unchecked: the stored properties are constants, and what changes lies behind a lock.
open class CSSearchableItem: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// How long an item is kept that says nothing of it.
    static let lifetime: TimeInterval = 30 * 24 * 60 * 60

    private let store: AttributeStore

    /// An item.
    ///
    /// - Parameters:
    ///   - uniqueIdentifier: names it within the app; nil for one that is made.
    ///   - domainIdentifier: the group that it belongs to, with periods between the parts. Deleting a group deletes those
    ///     below it.
    ///   - attributeSet: what is known of it. The item keeps the object, as Apple's does.
    public init(
        uniqueIdentifier: String?, domainIdentifier: String?, attributeSet: CSSearchableItemAttributeSet
    ) {
        self.attributeSet = attributeSet
        store = AttributeStore(["uniqueIdentifier": .string(uniqueIdentifier ?? UUID().uuidString)])
        super.init()
        self.domainIdentifier = domainIdentifier
    }

    /// Names the item within the app. To change it after the item was indexed makes another item.
    open var uniqueIdentifier: String {
        get { store.string("uniqueIdentifier") ?? "" }
        set { store.set("uniqueIdentifier", newValue) }
    }

    /// The group that the item belongs to.
    open var domainIdentifier: String? {
        get { store.string("domainIdentifier") }
        set { store.set("domainIdentifier", newValue) }
    }

    /// When the item is no longer found. Nil sets it to 30 days from now, as it is at first.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var expirationDate: Date! {
        get { store.date("expirationDate") ?? made.addingTimeInterval(Self.lifetime) }
        set { store.set("expirationDate", newValue ?? Date().addingTimeInterval(Self.lifetime)) }
    }

    /// Nil unless the app has set it: the daemon counts from when it gets the item.
    var chosenExpiration: Date? { store.date("expirationDate") }

    /// The properties of the item.
    public let attributeSet: CSSearchableItemAttributeSet

    /// Whether indexing changes what is there: attributes that are set here replace those, others stay. Otherwise the item is
    /// replaced. An item that is not there is made.
    ///
    /// Nil in an attribute that was set before in this set removes the one that is there.
    open var isUpdate: Bool {
        get { store["isUpdate"] == .boolean(true) }
        set { store["isUpdate"] = .boolean(newValue) }
    }

    private let made = Date()

    /// Its place among the results of a query, the best first; nil for an item that comes from none.
    var rank: Int? {
        get { if case .integer(let rank)? = store["rank"] { Int(clamping: rank) } else { nil } }
        set { store["rank"] = newValue.map { .integer(Int64($0)) } }
    }

    /// Compares two results of one query: the better one is smaller. Items of no query are the same.
    open func compare(byRank other: CSSearchableItem) -> ComparisonResult {
        guard let own = rank, let rank = other.rank, own != rank else { return .orderedSame }
        return own < rank ? .orderedAscending : .orderedDescending
    }

    // MARK: Copies and archives

    private init(values: [String: PropertyValue], attributeSet: CSSearchableItemAttributeSet) {
        store = AttributeStore(values)
        self.attributeSet = attributeSet
        super.init()
    }

    /// An item with the same values, which changes on its own.
    open func copy(with zone: NSZone? = nil) -> Any {
        CSSearchableItem(values: store.values, attributeSet: attributeSet.snapshot)
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes everything but the rank, in an archive of Baton's own.
    open func encode(with coder: NSCoder) {
        var values = store.values
        values["rank"] = nil
        let attributes = attributeSet.store.values
        values["attributes"] = .dictionary(
            Dictionary(attributes.map { (.string($0.key), $0.value) }, uniquingKeysWith: { $1 }))
        AttributeArchive.encode(values, with: coder)
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard var values = AttributeArchive.decode(coder),
            case .dictionary(let entries)? = values.removeValue(forKey: "attributes")
        else { return nil }
        var attributes: [String: PropertyValue] = [:]
        for case (.string(let name), let value) in entries { attributes[name] = value }
        store = AttributeStore(values)
        attributeSet = CSSearchableItemAttributeSet(values: attributes)
        super.init()
    }

    /// Items are equal if they say the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CSSearchableItem else { return false }
        return other.store.values == store.values && other.attributeSet == attributeSet
    }

    /// Equal items have it in common.
    open override var hash: Int { uniqueIdentifier.hashValue }
}
