package import BatonCore

/// Which key-value store: the same text on every device of the account.
///
/// Apps of one team that have one identifier in their entitlement share a store. Teams are distinguished by their whole
/// fingerprint.
package struct KeyValueStoreName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(team: TeamIdentity, identifier: BundleID) {
        rawValue = "\(team.isDevelopment ? "development" : Self.hexadecimal(team.fingerprint))/\(identifier)"
    }

    /// Nil for a text that names no store.
    package init?(rawValue: String) {
        let parts = rawValue.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, BundleID.isValid(String(parts[1])),
            parts[0] == "development" || (parts[0].utf8.count == 64 && parts[0].utf8.allSatisfy(Self.isDigit))
        else { return nil }
        self.rawValue = rawValue
    }

    package var description: String { rawValue }

    /// Whether the store belongs to a program that is not installed.
    package var isDevelopment: Bool { rawValue.hasPrefix("development/") }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// The permission of an app: to use this store, within these limits.
package struct KeyValueGrant: Hashable, Sendable {
    package var store: KeyValueStoreName
    package var limits: KeyValueLimits

    package init(store: KeyValueStoreName, limits: KeyValueLimits) {
        self.store = store
        self.limits = limits
    }
}

/// The account that is signed in on this device.
package struct KeyValueAccount: Hashable, Sendable {
    package var account: AccountID
    package var device: DeviceID

    package init(account: AccountID, device: DeviceID) {
        self.account = account
        self.device = device
    }
}
