import BatonCore
public import Foundation

/// The metadata of an item or activity for search and suggestions, by Apple's names (H-39). CoreSpotlight's.
///
/// Every property is nil at first. ``NSUserActivity/contentAttributeSet`` takes a copy. A set stays on its device: it is
/// saved there with an activity that may be found, and given back when that is opened, but does not travel with a
/// continuation on another device.
///
/// All properties of Apple's headers are there; any other value goes under a ``CSCustomAttributeKey``.
///
/// Apple asks that a set be changed from one thread at a time; Baton's may be used from any.
//
// @unchecked: the only stored property is a constant, and what changes lies behind its lock. A subclass that stores more
// must keep that up.
open class CSSearchableItemAttributeSet: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let store: AttributeStore

    /// A set for content of a type.
    ///
    /// - Parameter itemContentType: any text, as in `com.company.place` (P-9); by convention a uniform type identifier.
    public init(itemContentType: String) {
        store = AttributeStore(["contentType": .string(itemContentType)])
        super.init()
    }

    /// A set for content of a type.
    public convenience init(contentType: UTType) { self.init(itemContentType: contentType.identifier) }

    init(values: [String: PropertyValue]) {
        store = AttributeStore(values)
        super.init()
    }

    private init(store: AttributeStore) {
        self.store = store
        super.init()
    }

    /// A copy that also knows which attributes were set to nil.
    var snapshot: CSSearchableItemAttributeSet { CSSearchableItemAttributeSet(store: AttributeStore(copying: store)) }

    // MARK: Copies and archives

    /// A set with the same values, which changes on its own.
    open func copy(with zone: NSZone? = nil) -> Any { snapshot }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes every value. The archive is Baton's own: Apple's systems cannot read it.
    open func encode(with coder: NSCoder) { AttributeArchive.encode(store.values, with: coder) }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let values = AttributeArchive.decode(coder) else { return nil }
        store = AttributeStore(values)
        super.init()
    }

    /// Two sets are equal if they hold the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CSSearchableItemAttributeSet).map { $0.store.values == store.values } ?? false
    }

    /// Made of the names that have a value, which equal sets have in common.
    open override var hash: Int { store.values.keys.sorted().hashValue }

    // MARK: Values that have no property

    /// Stores a value under a key of the app's own.
    ///
    /// - Parameters:
    ///   - value: a string, number, `NSNull`, data, date or ``CSPerson``, or an array of these; nil removes the value. Anything
    ///     else is a mistake, which goes to ``BatonExceptions/handler`` and changes nothing.
    ///   - key: where.
    open func setValue(_ value: (any NSSecureCoding)?, forCustomKey key: CSCustomAttributeKey) {
        guard let value else {
            store[key.storedName] = nil
            return
        }
        guard let stored = PropertyValue(customAttribute: value) else {
            return BatonExceptions.raiseInvalidArgument(
                "The value for the attribute “\(key.keyName)” is of type \(type(of: value)). Only strings, numbers, "
                    + "NSNull, data, dates and persons, and arrays of these, can be attributes.")
        }
        store[key.storedName] = stored
        store.note(key)
    }

    /// The value that was stored under a key; nil when there is none.
    open func value(forCustomKey key: CSCustomAttributeKey) -> (any NSSecureCoding)? {
        store[key.storedName]?.customAttribute
    }
}

extension PropertyValue {
    /// Nil for what cannot be an attribute of the app's own.
    fileprivate init?(customAttribute value: Any) {
        if let person = value as? CSPerson {
            self = person.value
        } else if let members = value as? NSArray {
            let values = members.map { member -> PropertyValue? in
                member is NSArray ? nil : PropertyValue(customAttribute: member)
            }
            guard values.allSatisfy({ $0 != nil }) else { return nil }
            self = .array(values.compactMap { $0 })
        } else if let value = try? PropertyValue(any: value), value.isScalarAttribute {
            self = value
        } else {
            return nil
        }
    }

    private var isScalarAttribute: Bool {
        switch self {
        case .null, .boolean, .integer, .unsignedInteger, .real, .string, .data, .date: true
        case .array, .url, .uuid, .set, .dictionary: false
        }
    }

    fileprivate var customAttribute: (any NSSecureCoding)? {
        switch self {
        case .null: NSNull()
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsignedInteger(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .string(let value): NSString(string: value)
        case .data(let value): NSData(data: value)
        case .date(let value): NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
        case .array(let values): NSArray(array: values.compactMap { $0.customAttribute })
        case .dictionary: CSPerson(self)
        case .url, .uuid, .set: nil
        }
    }
}
