package import BatonCore

/// A change of the apps of this device.
package enum LaunchEvent: Sendable, Hashable {
    /// An app was installed, upgraded or uninstalled.
    case registryChanged
    /// - Parameter image: the path of the picture to show until the app is active (U-23); nil for none, and for a process
    ///   that Baton did not start.
    case launched(BundleID, processID: Int32, image: LaunchImage? = nil)
    case exited(BundleID, processID: Int32, description: String)
}

/// Points in an installation, for tests that look at what a crash there would leave.
package enum InstallStep: Sendable, CaseIterable {
    case verified, copied, copyVerified, oldTerminated, registered, oldRemoved
}
