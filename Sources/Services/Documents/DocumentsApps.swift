package import AppSessions
package import BatonCore

/// The apps of this device, as their containers need them.
package protocol DocumentsApps: Sendable {
    /// The container that an app means.
    /// - Parameter identifier: empty for the first one of the app.
    /// - Throws: `permission_denied`: `no_entitlement`, `unknown_container`.
    func container(_ identifier: String, of app: AppCaller) throws(BatonError) -> ContainerName

    /// Installed apps that may open it: their bundle identifiers and names.
    func apps(using container: ContainerName) -> [(bundleID: String, name: String)]
}
