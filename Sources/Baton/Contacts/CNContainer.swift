public import Foundation

/// The kind of address book. Contacts'.
public enum CNContainerType: Int, Sendable {
    /// It is not known.
    case unassigned = 0
    /// On this device.
    case local = 1
    /// On an Exchange server.
    case exchange = 2
    /// On a CardDAV server.
    case cardDAV = 3
}

/// An address book. Contacts'. There is one here, with the contacts of all sources.
//
// @unchecked: it has no changing property.
open class CNContainer: NSObject, @unchecked Sendable {
    static let only = "baton-contacts"

    /// Names the container.
    open var identifier: String { Self.only }
    /// For people.
    open var name: String { "Contacts" }
    /// On this device.
    open var type: CNContainerType { .local }

    override init() { super.init() }
}

/// A group of contacts. Contacts'. There are none here.
//
// @unchecked: it has no changing property.
open class CNGroup: NSObject, @unchecked Sendable {
    /// Names the group.
    public let identifier: String
    /// For people.
    public let name: String

    init(identifier: String, name: String) {
        self.identifier = identifier
        self.name = name
        super.init()
    }
}
