package import BatonCore

/// The account, as far as records need to know it, now.
package struct RecordsMembers: Sendable {
    /// The account has a cloud, connected or not.
    package var hasCloud: @Sendable () -> Bool
    /// The account's other devices, without recovery keys.
    package var others: @Sendable () -> Set<DeviceID>
    /// Whether a device, as authors' records name it, was revoked.
    package var isRevoked: @Sendable (String) -> Bool

    package init(
        hasCloud: @escaping @Sendable () -> Bool = { true }, others: @escaping @Sendable () -> Set<DeviceID> = { [] },
        isRevoked: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.hasCloud = hasCloud
        self.others = others
        self.isRevoked = isRevoked
    }
}
