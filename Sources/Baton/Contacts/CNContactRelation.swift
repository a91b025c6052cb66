public import Foundation

/// A person related to a contact. Contacts'. It does not change, and is safe to use from any thread.
//
// @unchecked: the only property is a constant.
open class CNContactRelation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The person's name.
    public let name: String

    /// A person by name.
    public init(name: String) {
        self.name = name
        super.init()
    }

    /// Relations do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }
    /// Always true.
    public class var supportsSecureCoding: Bool { true }
    /// Writes the name.
    open func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        name = String(describing: text)
        super.init()
    }

    /// Relations are equal if their names are.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CNContactRelation)?.name == name }
    /// Equal relations have it in common.
    open override var hash: Int { name.hashValue }
}
