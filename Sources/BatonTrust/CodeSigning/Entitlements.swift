package import BatonCore

/// `Entitlements.plist`: the permissions that the app's team gives it.
package struct Entitlements: Sendable, Hashable {
    package let values: [String: PropertyValue]

    package static let none = Entitlements(values: [:])

    init(values: [String: PropertyValue]) { self.values = values }

    init(_ bytes: [UInt8]) throws(BatonError) {
        let plist = try PropertyListGuard.dictionary(bytes, name: "Entitlements.plist")
        var values: [String: PropertyValue] = [:]
        for (key, value) in plist { values[key] = try PropertyValue(any: value) }
        self.values = values
    }

    package func string(_ key: String) -> String? {
        if case .string(let text) = values[key] { text } else { nil }
    }

    /// - Returns: empty when the entitlement is missing or holds something else.
    package func strings(_ key: String) -> [String] {
        guard case .array(let elements) = values[key] else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The entitlement without which an app has no key-value store.
    package static let keyValueStore = "com.apple.developer.ubiquity-kvstore-identifier"

    /// Which of its team's key-value stores the app uses: the entitlement behind the Team ID, for which
    /// `$(TeamIdentifierPrefix)` may stand, as `$(CFBundleIdentifier)` for the bundle identifier.
    /// - Returns: nil for an app without the entitlement.
    /// - Throws: `failed_precondition` when it does not begin with the app's own team, or goes on with no identifier.
    package func keyValueStore(of identity: AppIdentity) throws(BatonError) -> BundleID? {
        guard let value = values[Self.keyValueStore] else { return nil }
        if case .string(let text) = value {
            for prefix in ["$(TeamIdentifierPrefix)", identity.team.id.rawValue + "."] where text.hasPrefix(prefix) {
                let name = String(text.dropFirst(prefix.count))
                if name == "$(CFBundleIdentifier)" { return identity.bundleID }
                if let name = BundleID(rawValue: name) { return name }
            }
        }
        throw BatonError(
            .failedPrecondition, reason: "entitlements_mismatch",
            "In Entitlements.plist, “\(Self.keyValueStore)” must be $(TeamIdentifierPrefix) or the team of the signature "
                + "and a point, and then an identifier, as in $(TeamIdentifierPrefix)com.example.App. Correct it and sign "
                + "again, or leave it out.")
    }

    /// The App ID and the team may be missing; when they are there, they must be those of the signature (H-91, H-97).
    func check(against identity: AppIdentity) throws(BatonError) {
        let expected = [
            "application-identifier": identity.description,
            "com.apple.application-identifier": identity.description,
            "com.apple.developer.team-identifier": identity.team.id.rawValue,
        ]
        for (key, value) in expected.sorted(by: { $0.key < $1.key }) {
            guard let claimed = values[key], claimed != .string(value) else { continue }
            throw BatonError(
                .failedPrecondition, reason: "entitlements_mismatch",
                "In Entitlements.plist, “\(key)” must be \(value), the app and team of the signature. Correct it and "
                    + "sign again, or leave it out.")
        }
        _ = try keyValueStore(of: identity)
        _ = try documentContainers(of: identity)
    }
}
