package import BackupFormat
package import BatonCore

/// The account, as a backup needs it.
package protocol BackupAccount: Sendable {
    /// - Throws: `failed_precondition` without an account, or once this device was revoked.
    func keys() async throws -> any BackupKeys
    /// The objects that lie beside a backup, so that members and the recovery key can open it: names and bytes.
    /// - Parameters:
    ///   - membership: what lies there, which another device may have written; it stays part of what is written.
    ///   - existing: the keys that lie there, by their names.
    func publication(membership: [UInt8]?, existing: [String: [UInt8]]) async throws -> BackupPublication
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
    /// Every installed app.
    func apps() -> [BackedUpApp]
    /// Where the container of an app is, whether the app is installed or not.
    func place(of bundleID: BundleID) -> String
    /// Makes the app's container where there is none.
    /// - Returns: its path.
    func container(of bundleID: BundleID) throws -> String
    /// Says whose the data of an app is, before it is restored: no app of another team gets it.
    /// - Throws: `permission_denied` (`team_changed`) where an app or data of another team has that name.
    func claim(_ bundleID: BundleID, for team: TeamIdentity) async throws
    /// Whether a process of it runs.
    func isRunning(_ bundleID: BundleID) -> Bool
    /// Installs a bundle that was restored, as a person does.
    /// - Throws: where its signature does not hold, or a person must agree to what it may use first.
    func install(_ path: String) async throws
}

package struct BackedUpApp: Hashable, Sendable {
    package var bundleID: BundleID
    package var version: String
    package var container: String
    /// Nil where that is not known.
    package var team: TeamIdentity?
    /// Where its bundle is; empty where that is not known.
    package var bundle: String

    package init(
        bundleID: BundleID, version: String, container: String, team: TeamIdentity? = nil, bundle: String = ""
    ) {
        self.bundleID = bundleID
        self.version = version
        self.container = container
        self.team = team
        self.bundle = bundle
    }
}

/// The state of the rest of the daemon, and its restoration.
package protocol BackupDevice: Sendable {
    /// Without the lists of the backup itself.
    func facts() async -> DeviceFacts
    /// The file of settings was restored.
    func settingsRestored() async
    /// Handlers, where the person has chosen none here.
    /// - Returns: what could not be done, as sentences.
    func restore(handlers: [DeviceFacts.Handler]) async -> [String]
    /// Keeps folders of the account equal on this device too.
    /// - Returns: what could not be done, as sentences.
    func restore(folders: [DeviceFacts.Folder]) async -> [String]
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
    /// The person's.
    package var home: String
    /// This device's cache of what lies at targets.
    var index: String { folder + "/index.sqlite" }
    /// Where bundles of apps are restored, to be installed from there.
    package var bundles: String { folder + "/bundles" }
    /// The daemon's state, as a file for the backup.
    package var facts: String { folder + "-facts" }

    /// - Parameter target: nil for none.
    func privatePlaces(target: String?) -> Set<String> {
        privatePlaces.union([folder] + (target.map { [$0 + "/" + DirectoryBackupStore.folder] } ?? []))
    }

    package init(
        folder: String, configuration: String, documents: String, privatePlaces: Set<String>, home: String = ""
    ) {
        self.home = home
        self.folder = folder
        self.configuration = configuration
        self.documents = documents
        self.privatePlaces = privatePlaces
    }
}
