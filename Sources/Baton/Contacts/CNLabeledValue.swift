public import Foundation

/// A value with its label, as a telephone number “mobile”. Contacts'. It does not change, and is safe to use from any thread.
//
// @unchecked: all properties are constants, and the values of Contacts do not change.
open class CNLabeledValue<ValueType: NSObject & NSCopying & NSSecureCoding>: NSObject, NSCopying, NSSecureCoding,
    @unchecked Sendable
{
    /// Names the value in its list.
    public let identifier: String
    /// One of the labels of Contacts, as ``CNLabelHome``, or a text of the person's own; nil for none.
    public let label: String?
    /// The value.
    public let value: ValueType

    /// A value with a label.
    public init(label: String?, value: ValueType) {
        identifier = UUID().uuidString
        self.label = label
        self.value = value
        super.init()
    }

    init(identifier: String, label: String?, value: ValueType) {
        self.identifier = identifier
        self.label = label
        self.value = value
        super.init()
    }

    /// The same value with another label.
    open func settingLabel(_ label: String?) -> Self { remade(label, value) }
    /// Another value with the same label.
    open func settingValue(_ value: ValueType) -> Self { remade(label, value) }
    /// Another value with another label.
    open func settingLabel(_ label: String?, value: ValueType) -> Self { remade(label, value) }

    private func remade(_ label: String?, _ value: ValueType) -> Self {
        // A subclass of an app's own stays what it is only where it can be made so: otherwise nothing is changed.
        (CNLabeledValue(identifier: identifier, label: label, value: value) as? Self) ?? self
    }

    /// The name of a label, for people: “home” for ``CNLabelHome``.
    open class func localizedString(forLabel label: String) -> String {
        label.hasPrefix("_$!<") && label.hasSuffix(">!$_") ? label.dropFirst(4).dropLast(4).lowercased() : label
    }

    /// Labeled values do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the label and the value.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        if let label { coder.encode(label as NSString, forKey: "label") }
        coder.encode(value, forKey: "value")
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let value = coder.decodeObject(of: ValueType.self, forKey: "value"),
            let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier")
        else { return nil }
        self.identifier = String(describing: identifier)
        label =
            coder.containsValue(forKey: "label")
            ? coder.decodeObject(of: NSString.self, forKey: "label").map { String(describing: $0) } : nil
        self.value = value
        super.init()
    }

    /// Values are equal if their labels are, too.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CNLabeledValue<ValueType> else { return false }
        return other.label == label && other.value.isEqual(value)
    }

    /// Equal ones have it in common.
    open override var hash: Int { label.hashValue ^ value.hash }
}
