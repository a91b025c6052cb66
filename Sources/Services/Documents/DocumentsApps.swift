package import AppSessions
package import BatonCore

/// The apps of this device, as their containers need them.
package protocol DocumentsApps: Sendable {
    /// The container that an app means.
    /// - Parameter identifier: empty for the first one of the app.
    /// - Throws: `permission_denied`: `no_entitlement`, `unknown_container`.
    func container(_ identifier: String, of app: AppCaller) throws(BatonError) -> ContainerName

    /// Installed apps that may open it, with their names.
    func apps(using container: ContainerName) -> [(identity: AppIdentity, name: String)]

    /// How the person sees it, as its apps say (D-32).
    func scope(of container: ContainerName) -> (folder: String, levels: String)

    /// Switches documents off for an app on this device, or on again (D-35).
    /// - Returns: the containers that it may open.
    /// - Throws: `not_found` for an app that is not here and has no containers.
    func switchDocuments(of bundleID: String, on: Bool) async throws -> [ContainerName]
}
