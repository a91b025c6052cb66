package import AppSessions
package import BatonCore

/// The apps of this device, as their key-value stores need them.
package protocol KeyValueApps: Sendable {
    /// The store of an app.
    /// - Parameter profile: the description that a process that is no installed app gives of itself.
    /// - Throws: `permission_denied` for an app without the entitlement.
    func grant(to app: AppCaller, profile: KeyValueLimits.Profile) throws(BatonError) -> KeyValueGrant

    /// The store of an app that the person develops, or looks into.
    /// - Parameter mayWrite: whether the store is to be written to.
    /// - Throws: `permission_denied` for writing to that of a team whose key is not here.
    func grant(forDevelopmentOf bundleID: BundleID, mayWrite: Bool) async throws -> KeyValueGrant

    /// For people.
    func name(of device: DeviceID) -> String
}
