package import BatonCore
package import BatonTrust
package import Foundation

/// An app that is installed on this device, as it was verified when it was.
package struct InstalledApp: Sendable, Hashable {
    package let identity: AppIdentity
    /// For people.
    package let name: String
    /// `CFBundleShortVersionString`, for people; may be empty.
    package let version: String
    /// `CFBundleVersion`: dotted numbers.
    package let build: String
    /// Every activity type that it can continue (H-6, H-59).
    package let activityTypes: Set<ActivityType>
    /// For these types it takes only activities with one of the titles (H-5).
    package let activityTitles: [ActivityType: Set<String>]
    /// Absolute, and without links on the way.
    package let bundlePath: String
    package let executablePath: String
    package let containerPath: String
    package let logPath: String
    /// SHA-256 of the bundle's manifest.
    package let digest: [UInt8]
    package let installed: Date
    /// The entitlement `com.apple.developer.associated-domains`, as it is written (H-87).
    package var associatedDomains: [String] = []
    /// Which of its team's key-value stores it uses; nil without the entitlement.
    package var keyValueStore: BundleID?
    /// The limits of that store.
    package var keyValueProfile = KeyValueLimits.Profile.classic
    /// The types and schemes that it opens.
    package var claims = AppClaims()
    /// How it is launched and shown.
    package var traits = AppTraits()

    package var bundleID: BundleID { identity.bundleID }
    /// The version for people: the version, else the build.
    package var displayVersion: String { version.isEmpty ? build : version }
}

/// A program that attached without being installed, an app that is being developed, as it describes itself.
package struct DevelopmentApp: Sendable, Hashable {
    package let identity: AppIdentity
    package let name: String
    package let version: String
    package let activityTypes: Set<ActivityType>

    package init(identity: AppIdentity, name: String, version: String, activityTypes: Set<ActivityType>) {
        self.identity = identity
        self.name = name
        self.version = version
        self.activityTypes = activityTypes
    }
}
