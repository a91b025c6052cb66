package import BatonCore

/// A bundle whose signature and files were found to be right, and what is known of it thereby.
package struct VerifiedBundle: Sendable {
    /// The app's identity: its bundle identifier, and the team whose key signed it.
    package let identity: AppIdentity
    package let info: BundleInfo
    /// Everything in it.
    package let resources: CodeResources
    /// SHA-256 of the bytes of `CodeResources`: equal for equal bundles of whatever team.
    package let digest: [UInt8]
    /// The name of its directory, `Name.app`.
    package let name: String
    /// To notice later changes without reading everything again.
    package let seal: BundleSeal
}
