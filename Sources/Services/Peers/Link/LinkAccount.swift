package import BatonCore
package import LinkClient

/// The account, as links to its devices need it.
package struct LinkAccount: Sendable {
    /// This device's side of TLS; nil while it is no member of an account.
    package var tls: @Sendable () -> LinkTLS?
    /// This device's name for people; empty without an account.
    package var ownName: @Sendable () -> String
    /// A device's name, or its identifier while the name is not known.
    package var name: @Sendable (DeviceID) -> String
    /// Every device of the account but this one; none without an account.
    package var others: @Sendable () -> [DeviceID]
    /// The device that a person means; nil for this one. Throws what the account does.
    package var find: @Sendable (String) throws -> DeviceID?

    package init(
        tls: @escaping @Sendable () -> LinkTLS?, ownName: @escaping @Sendable () -> String,
        name: @escaping @Sendable (DeviceID) -> String, others: @escaping @Sendable () -> [DeviceID],
        find: @escaping @Sendable (String) throws -> DeviceID?
    ) {
        self.tls = tls
        self.ownName = ownName
        self.name = name
        self.others = others
        self.find = find
    }
}
