package import BatonCore

extension Entitlements {
    /// The entitlements that name an app's iCloud containers; the first container of the first one is the app's own.
    package static let documentContainers = [
        "com.apple.developer.ubiquity-container-identifiers", "com.apple.developer.icloud-container-identifiers",
    ]
    static let maximumContainers = 32

    /// The iCloud containers that the app may open, the default one first (D-3): `TEAMID.com.example.App`, whose Team ID must be
    /// the app's own, or `iCloud.com.example.App`. `$(TeamIdentifierPrefix)` and `$(CFBundleIdentifier)` are put in.
    /// - Throws: `failed_precondition` for anything else, and for more than 32.
    package func documentContainers(of identity: AppIdentity) throws(BatonError) -> [String] {
        var containers: [String] = []
        for key in Self.documentContainers where values[key] != nil {
            for text in strings(key) {
                let name = text.replacing("$(TeamIdentifierPrefix)", with: identity.team.id.rawValue + ".")
                    .replacing("$(CFBundleIdentifier)", with: identity.bundleID.rawValue)
                guard Self.isContainer(name, of: identity.team) else {
                    throw BatonError(
                        .failedPrecondition, reason: "entitlements_mismatch",
                        "In Entitlements.plist, “\(key)” names “\(text.shortened(toBytes: 80))”. A container is named "
                            + "$(TeamIdentifierPrefix) or iCloud. and then an identifier, as in iCloud.com.example.App. Correct "
                            + "it and sign again.")
                }
                if !containers.contains(name) { containers.append(name) }
            }
        }
        guard containers.count <= Self.maximumContainers else {
            throw BatonError(
                .failedPrecondition, reason: "entitlements_mismatch",
                "Entitlements.plist names more than \(Self.maximumContainers) iCloud containers. Remove some and sign again."
            )
        }
        return containers
    }

    /// Whether an app of the team may have a container of that name.
    package static func isContainer(_ name: String, of team: TeamIdentity) -> Bool {
        [team.id.rawValue + ".", "iCloud."].contains { prefix in
            name.hasPrefix(prefix) && BundleID.isValid(String(name.dropFirst(prefix.count)))
        }
    }
}
