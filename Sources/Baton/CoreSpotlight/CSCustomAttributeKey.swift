public import Foundation

/// The name of an attribute that Apple has no property for. CoreSpotlight's.
public final class CSCustomAttributeKey: NSObject, Sendable {
    /// The name.
    public let keyName: String
    /// Whether queries may ask for the attribute.
    public let isSearchable: Bool
    /// Whether queries that name no attribute find it.
    public let isSearchableByDefault: Bool
    /// Whether each value is kept once.
    public let isUnique: Bool
    /// Whether the attribute has several values.
    public let isMultiValued: Bool

    /// A key that is searchable, and nothing else.
    public convenience init?(keyName: String) {
        self.init(keyName: keyName, searchable: true, searchableByDefault: false, unique: false, multiValued: false)
    }

    /// A key.
    ///
    /// - Parameters:
    ///   - keyName: ASCII letters, digits and `_`, at most 255 of them; not beginning with `kMD`, which is Apple's own.
    ///   - searchable: whether queries may ask for the attribute.
    ///   - searchableByDefault: whether queries that name no attribute find it.
    ///   - unique: whether each value is kept once.
    ///   - multiValued: whether the attribute has several values.
    /// - Returns: nil for a name that breaks the rule.
    public init?(keyName: String, searchable: Bool, searchableByDefault: Bool, unique: Bool, multiValued: Bool) {
        let isValid =
            (1...255).contains(keyName.utf8.count) && !keyName.hasPrefix("kMD")
            && keyName.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F
            }
        guard isValid else { return nil }
        self.keyName = keyName
        isSearchable = searchable
        isSearchableByDefault = searchableByDefault
        isUnique = unique
        isMultiValued = multiValued
        super.init()
    }

    /// Apart from the names of properties, so that a key of the app's cannot take the place of one of those.
    var storedName: String { "custom:" + keyName }
}
