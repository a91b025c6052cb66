/// Bounds of a bundle, so that reading one costs a bounded amount of memory and time.
package enum BundleLimits {
    /// Files, directories and links.
    package static let entries = 100_000
    package static let fileSize: Int64 = 4 << 30
    package static let totalSize: Int64 = 16 << 30
    package static let plistSize = 1 << 20
    package static let manifestSize = 64 << 20
    package static let depth = 32
    package static let pathLength = 1024
}

/// Names within a bundle.
package enum BundleFile {
    package static let info = "Info.plist"
    package static let entitlements = "Entitlements.plist"
    package static let signatureDirectory = "_CodeSignature"
    package static let resources = "CodeResources"
    package static let signature = "CodeSignature"
}
