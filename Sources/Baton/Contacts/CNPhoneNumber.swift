public import Foundation

/// A telephone number, as it was written. Contacts'. It does not change, and is safe to use from any thread.
//
// @unchecked: the only property is a constant.
open class CNPhoneNumber: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The number, with whatever parts its digits.
    public let stringValue: String

    /// A number of any text.
    public init(stringValue: String) {
        self.stringValue = stringValue
        super.init()
    }

    /// Numbers do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }
    /// Always true.
    public class var supportsSecureCoding: Bool { true }
    /// Writes the number.
    open func encode(with coder: NSCoder) { coder.encode(stringValue as NSString, forKey: "stringValue") }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "stringValue") else { return nil }
        stringValue = String(describing: text)
        super.init()
    }

    /// Numbers are equal if they are written alike. To match numbers, use a predicate of ``CNContact``.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CNPhoneNumber)?.stringValue == stringValue }
    /// Equal numbers have it in common.
    open override var hash: Int { stringValue.hashValue }
}
