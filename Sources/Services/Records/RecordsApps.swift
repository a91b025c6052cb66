package import AppSessions
package import BatonCore

/// The apps of this device, as their databases of records need them.
package protocol RecordsApps: Sendable {
    /// The container that an app means.
    /// - Parameter identifier: empty for the app's first.
    /// - Throws: `permission_denied`: `missing_entitlement`, `bad_container`.
    func container(_ identifier: String, of app: AppCaller) throws(BatonError) -> RecordContainer

    /// Bundle identifiers of the apps here that may use it.
    func apps(using container: RecordContainer) -> [BundleID]

    /// The containers that a person means by an app's bundle identifier, the app's first one first; empty for an app that is not
    /// here or has none.
    func containers(of bundleID: BundleID) -> [RecordContainer]

    /// Whether the account has one. Without it records go to devices that are near, and wait for nothing.
    var hasCloud: Bool { get }

    /// For people; nil for a device that is not known.
    func deviceName(of device: String) -> String?
}

/// The account to which replicas belong.
package struct RecordsAccount: Hashable, Sendable {
    package let account: AccountID
    package let device: DeviceID

    package init(account: AccountID, device: DeviceID) {
        self.account = account
        self.device = device
    }
}
