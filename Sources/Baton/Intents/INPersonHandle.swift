import BatonCore

/// The kind of an address of a person. Intents'.
public enum INPersonHandleType: Int, Sendable {
    /// Something else, as a name in the app.
    case unknown = 0
    /// An e-mail address.
    case emailAddress = 1
    /// A telephone number.
    case phoneNumber = 2
}

/// The purpose of an address of a person. Intents'.
public struct INPersonHandleLabel: RawRepresentable, Sendable, Hashable {
    /// The label's text.
    public let rawValue: String
    /// A label with a text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A label with a text.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// At home.
    public static let home = Self("home")
    /// At work.
    public static let work = Self("work")
    /// An iPhone.
    public static let iPhone = Self("iPhone")
    /// A mobile telephone.
    public static let mobile = Self("mobile")
    /// The main telephone.
    public static let main = Self("main")
    /// The fax at home.
    public static let homeFax = Self("homeFax")
    /// The fax at work.
    public static let workFax = Self("workFax")
    /// A pager.
    public static let pager = Self("pager")
    /// Something else.
    public static let other = Self("other")
    /// At school.
    public static let school = Self("school")
}

/// An address of a person, by which people and apps are matched. Intents'.
public final class INPersonHandle: INIntentValue, @unchecked Sendable {
    /// The address itself.
    public var value: String? { store.string("value") }
    /// Its kind.
    public var type: INPersonHandleType { store.option("type", .unknown) }
    /// Its purpose; nil if not specified.
    public var label: INPersonHandleLabel? { store.string("label").map { INPersonHandleLabel($0) } }

    /// An address.
    ///
    /// - Parameters:
    ///   - value: an e-mail address, a telephone number, or a name in the app.
    ///   - type: which of these.
    ///   - label: what it is for.
    public convenience init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        self.init(values: [:])
        store.set("value", value)
        store.set(option: "type", type)
        store.set("label", label?.rawValue)
    }

    /// An address without a label.
    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }
}
