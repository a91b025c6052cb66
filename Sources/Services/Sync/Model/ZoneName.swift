/// What a zone is called among the devices of the account. The cloud sees it blinded.
package struct ZoneName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Whose zone it is: one source serves each kind.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// One app's key-value store.
        case keyValue = "key-value"
        /// The account's content keys, sealed for each device.
        case contentKeys = "content-keys"
        /// Where the account's cloud is, and what its devices are called.
        case account
    }

    package var kind: Kind
    /// Any text that is the same on every device.
    package var name: String

    package init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    package var description: String { "\(kind.rawValue)/\(name)" }

    package static func < (left: Self, right: Self) -> Bool {
        (left.kind.rawValue, left.name) < (right.kind.rawValue, right.name)
    }
}
