/// The reason of a change, for an app (K-16).
package enum KeyValueChangeReason: Int, Hashable, Sendable {
    case server = 0
    /// The first download after the store was new here; early writes that met a value of the account's were dropped.
    case initialSync = 1
    case quotaViolation = 2
    /// The content is that of another account now.
    case account = 3
}

/// An action of the replica. Actions are performed in this order.
package enum KeyValueAction: Hashable, Sendable {
    /// Keep these slots; nil forgets one. Before anything that follows from them.
    case save([String: KeyValueReplica.Slot?])
    /// Notify every process of the app (K-14); of ``KeyValueChangeReason/quotaViolation`` only the one that wrote.
    case announce(KeyValueChangeReason, keys: [String])
    /// There is something to send.
    case push
}
