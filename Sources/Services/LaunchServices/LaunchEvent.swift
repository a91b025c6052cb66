package import BatonCore

/// What happened to the apps of this device.
package enum LaunchEvent: Sendable, Hashable {
    /// An app was installed, upgraded or uninstalled.
    case registryChanged
    case launched(BundleID, processID: Int32)
    case exited(BundleID, processID: Int32, description: String)
}

/// Points in an installation, for tests that look at what a crash there would leave.
package enum InstallStep: Sendable, CaseIterable {
    case verified, copied, copyVerified, oldTerminated, registered, oldRemoved
}
