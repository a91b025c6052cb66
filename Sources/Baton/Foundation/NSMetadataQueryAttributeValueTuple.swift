public import Foundation

/// A value of an attribute, and how many results have it.
//
// @unchecked: all stored properties are constants, and the value is one of a property list or the app's own.
open class NSMetadataQueryAttributeValueTuple: NSObject, @unchecked Sendable {
    /// The attribute's name.
    open var attribute: String { storedAttribute }
    /// The value, or what the delegate put in its place.
    open var value: Any? { storedValue }
    /// How many results have it.
    open var count: Int { storedCount }

    private let storedAttribute: String
    private let storedValue: Any?
    private let storedCount: Int

    init(attribute: String, value: Any?, count: Int) {
        storedAttribute = attribute
        storedValue = value
        storedCount = count
    }
}
