package import BatonCore
package import Foundation

/// The apps of this device, as search needs them.
package protocol SpotlightApps: Sendable {
    /// Whether a result of the app can be opened: it is installed, or a program in development that runs.
    func isPresent(_ app: AppIdentity) -> Bool
    /// Whether what the app indexed is kept: it is installed, or a program in development.
    func isKept(_ app: AppIdentity) -> Bool
    /// The installed app, or program in development that runs, with this bundle identifier.
    func app(_ bundleID: BundleID) -> AppIdentity?
    /// For people; the bundle identifier when there is no other.
    func name(of app: AppIdentity) -> String
    /// Whether the person has turned iCloud off for the app: its documents are not searched.
    func hasDocumentsOff(_ app: AppIdentity) -> Bool
    /// The app's own words on search.
    func searchOptions(of app: AppIdentity) -> AppSearchOptions
    /// Starts the app if need be, and has it continue an activity of this type with these values.
    /// - Returns: whether it said that it handled it.
    func open(
        _ type: String, _ userInfo: [String: PropertyValue], title: String, with app: AppIdentity
    ) async throws
        -> Bool
    /// Asks a running app to index again.
    /// - Returns: whether it has acknowledged it.
    func reindex(_ identifiers: [String]?, of app: AppIdentity) async -> Bool
    /// Notifies running apps that indexing is slowed, or is no more. Does not wait.
    func tellThrottled(_ isThrottled: Bool, _ apps: [AppIdentity])
    func isRunning(_ app: AppIdentity) -> Bool
    /// Installed apps that can be launched to index again.
    func indexExtensions() -> [AppIdentity]
    func hasIndexExtension(_ app: AppIdentity) -> Bool
    /// Starts an app for its index extension.
    /// - Returns: its process, to be ended afterwards; nil where it cannot be started, 0 where it ran already.
    func launchToReindex(_ app: AppIdentity) async -> Int32?
    /// Ends the app that was started for that, if it is still that process.
    func endReindexing(_ app: AppIdentity, _ process: Int32) async
    /// This device's name.
    var deviceName: String { get }
}

/// An app's `CoreSpotlightContinuation` and `CoreSpotlightActions`.
package struct AppSearchOptions: Sendable, Hashable {
    /// Actions of one app, and bytes of a title. Policy: further ones are left out, a longer one is cut.
    private static let maximum = (actions: 100, title: 100)

    /// Whether it goes on with a search in itself.
    package var continuesSearches = false
    /// The names of its actions for people, by identifier.
    package var actionTitles: [String: String] = [:]

    package init() {}

    /// - Parameter values: of the app's `Info.plist`. Those of another type than Apple's count for nothing.
    package init(infoDictionary values: [String: Any]) {
        continuesSearches = values["CoreSpotlightContinuation"] as? Bool ?? false
        let actions = values["CoreSpotlightActions"] as? [[String: Any]] ?? []
        for action in actions.prefix(Self.maximum.actions) {
            guard let identifier = action["CoreSpotlightActionIdentifier"] as? String,
                let title = action["CoreSpotlightActionTitle"] as? String, !title.isEmpty
            else { continue }
            actionTitles[identifier] = title.shortened(toBytes: Self.maximum.title)
        }
    }
}

/// Seals items of the class `.complete`.
package protocol SpotlightProtection: Sendable {
    /// Whether the device is unlocked.
    var isAvailable: Bool { get }
    /// Works on a locked device, too. May block.
    func seal(_ bytes: Data, info: Data) throws -> Data
    /// - Throws: `locked` (`failed_precondition`); `sealed_file_damaged` (`data_loss`).
    func open(_ sealed: Data, info: Data) throws -> Data
}

/// An activity that an app has saved for search.
package struct SearchableActivity: Sendable {
    package var id: String
    package var app: AppIdentity
    package var attributes: [String: PropertyValue]
    package var domain: String
    /// The item that it is about: without it the activity is not found.
    package var relatedItem: String?
    /// Milliseconds since 1970.
    package var saved: UInt64
    package var expires: UInt64
    package var size: Int

    package init(
        id: String, app: AppIdentity, attributes: [String: PropertyValue], domain: String, relatedItem: String?,
        saved: UInt64, expires: UInt64, size: Int
    ) {
        self.id = id
        self.app = app
        self.attributes = attributes
        self.domain = domain
        self.relatedItem = relatedItem
        self.saved = saved
        self.expires = expires
        self.size = size
    }
}

/// The activities that apps have saved.
package protocol SpotlightActivities: Sendable {
    /// Those that people may find.
    func identifiers() async throws -> [String]
    func activities(_ identifiers: [String]) async throws -> [SearchableActivity]
    /// Has the activity's app continue it.
    func open(_ identifier: String) async throws -> Bool
    func delete(_ identifiers: [String]) async throws
    /// Those for suggestions only, too.
    func deleteAll(of app: AppIdentity?, savedSince: UInt64) async throws -> Int
}

/// Opens documents and pages for the person.
package protocol SpotlightOpener: Sendable {
    func open(file path: String) async throws -> Bool
    func open(url: String) async throws -> Bool
}
