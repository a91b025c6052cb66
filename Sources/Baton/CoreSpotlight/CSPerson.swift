import BatonCore
public import Foundation

/// A person in an item's metadata, as one who wrote a message. CoreSpotlight's.
public final class CSPerson: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The name.
    public let displayName: String?
    /// Addresses or numbers of the person.
    public let handles: [String]
    /// The kind of the handles: a key of a contact, as `emailAddresses` or `phoneNumbers`.
    public let handleIdentifier: String

    private let store: AttributeStore

    /// The identifier of the person's contact; nil when there is none.
    public var contactIdentifier: String? {
        get { store.string("contactIdentifier") }
        set { store.set("contactIdentifier", newValue) }
    }

    /// A person.
    public init(displayName: String?, handles: [String], handleIdentifier: String) {
        self.displayName = displayName
        self.handles = handles
        self.handleIdentifier = handleIdentifier
        store = AttributeStore()
        super.init()
    }

    // MARK: As a value

    /// Marks a person among an app's own values, which may be dictionaries of nothing else.
    static let mark = "person"

    var value: PropertyValue {
        var entries: [PropertyValue: PropertyValue] = [
            .string("kind"): .string(Self.mark), .string("handles"): .array(handles.map(PropertyValue.string)),
            .string("handleIdentifier"): .string(handleIdentifier),
        ]
        if let displayName { entries[.string("displayName")] = .string(displayName) }
        if let contactIdentifier { entries[.string("contactIdentifier")] = .string(contactIdentifier) }
        return .dictionary(entries)
    }

    /// Nil for what is no person.
    convenience init?(_ value: PropertyValue) {
        guard case .dictionary(let entries) = value, entries[.string("kind")] == .string(Self.mark),
            case .array(let handles)? = entries[.string("handles")],
            case .string(let handleIdentifier)? = entries[.string("handleIdentifier")]
        else { return nil }
        let texts = handles.compactMap { if case .string(let text) = $0 { text } else { nil } }
        guard texts.count == handles.count else { return nil }
        self.init(
            displayName: Self.text(entries, "displayName"), handles: texts, handleIdentifier: handleIdentifier)
        contactIdentifier = Self.text(entries, "contactIdentifier")
    }

    private static func text(_ entries: [PropertyValue: PropertyValue], _ name: String) -> String? {
        if case .string(let text)? = entries[.string(name)] { text } else { nil }
    }

    // MARK: Copies and archives

    /// A person with the same values.
    public func copy(with zone: NSZone? = nil) -> Any { CSPerson(value) ?? self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes everything, in an archive of Baton's own.
    public func encode(with coder: NSCoder) { AttributeArchive.encode([Self.mark: value], with: coder) }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public convenience init?(coder: NSCoder) {
        guard let value = AttributeArchive.decode(coder)?[Self.mark] else { return nil }
        self.init(value)
    }

    /// Persons are equal if the same is known of them.
    public override func isEqual(_ object: Any?) -> Bool { (object as? CSPerson)?.value == value }

    /// Equal persons have it in common.
    public override var hash: Int { handles.hashValue ^ handleIdentifier.hashValue }
}
