package import BatonCore

/// `Entitlements.plist`: what the app's team lets it do.
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
    }
}
