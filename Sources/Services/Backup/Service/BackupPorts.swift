package import BatonCore

/// The account, as a backup needs it.
package protocol BackupAccount: Sendable {
    /// - Throws: `failed_precondition` without an account, or once this device was revoked.
    func keys() async throws -> any BackupKeys
    /// The objects that lie beside a backup, so that members and the recovery key can open it: names and bytes.
    /// - Parameter existing: the keys that lie there, by their names.
    func publication(existing: [String: [UInt8]]) async throws -> BackupPublication
    /// The keys that a recovery code opens.
    func recover(_ code: String, account: [UInt8], keys: [[UInt8]]) async throws -> any BackupKeys
    /// The account that a recovery code is for.
    func account(of code: String) throws -> AccountID
    /// This device's name, for people.
    var deviceName: String { get }
}

package struct BackupPublication: Sendable {
    package var account: [UInt8]
    package var keys: [String: [UInt8]]
    package var superfluous: [String]

    package init(account: [UInt8], keys: [String: [UInt8]], superfluous: [String]) {
        self.account = account
        self.keys = keys
        self.superfluous = superfluous
    }
}

/// The installed apps.
package protocol BackupApps: Sendable {
    /// Every installed app, the one that was used last first.
    func apps() -> [BackedUpApp]
    /// Makes the app's container where there is none.
    /// - Returns: its path.
    func container(of bundleID: BundleID) throws -> String
    /// Whether a process of it runs.
    func isRunning(_ bundleID: BundleID) -> Bool
}

package struct BackedUpApp: Hashable, Sendable {
    package var bundleID: BundleID
    package var version: String
    package var container: String

    package init(bundleID: BundleID, version: String, container: String) {
        self.bundleID = bundleID
        self.version = version
        self.container = container
    }
}

/// Where a device keeps things, for a backup.
package struct BackupPlaces: Hashable, Sendable {
    /// The backup's own folder: state, cache and staging.
    package var folder: String
    /// Settings that a person wrote.
    package var configuration: String
    /// The iCloud containers of apps: a disk has them, too.
    package var documents: String
    /// Nothing of these is ever backed up: keys, the daemon's state.
    package var privatePlaces: Set<String>

    package init(folder: String, configuration: String, documents: String, privatePlaces: Set<String>) {
        self.folder = folder
        self.configuration = configuration
        self.documents = documents
        self.privatePlaces = privatePlaces
    }
}
