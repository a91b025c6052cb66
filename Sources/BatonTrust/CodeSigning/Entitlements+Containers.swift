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

    /// The entitlement that says what an app does with its iCloud containers.
    package static let iCloudServices = "com.apple.developer.icloud-services"
    /// The entitlement that names the containers of an app's databases.
    package static let recordContainers = "com.apple.developer.icloud-container-identifiers"

    /// The containers whose databases of records the app may use, the default one first: none unless `icloud-services` has
    /// `CloudKit`. Names that are no container were refused before.
    package func recordContainers(of identity: AppIdentity) -> [String] {
        let services = strings(Self.iCloudServices) + [string(Self.iCloudServices)].compactMap { $0 }
        guard services.contains("CloudKit") || services.contains("*") else { return [] }
        var containers: [String] = []
        for text in strings(Self.recordContainers) {
            let name = text.replacing("$(TeamIdentifierPrefix)", with: identity.team.id.rawValue + ".")
                .replacing("$(CFBundleIdentifier)", with: identity.bundleID.rawValue)
            if Self.isContainer(name, of: identity.team), !containers.contains(name) { containers.append(name) }
        }
        return Array(containers.prefix(Self.maximumContainers))
    }

    /// Whether an app of the team may have a container of that name.
    package static func isContainer(_ name: String, of team: TeamIdentity) -> Bool {
        [team.id.rawValue + ".", "iCloud."].contains { prefix in
            name.hasPrefix(prefix) && BundleID.isValid(String(name.dropFirst(prefix.count)))
        }
    }
}
