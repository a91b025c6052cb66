package import BatonCore

/// A device's state that lies in no file of the person's: it is in a backup as a file, `device/device.json`.
package struct DeviceFacts: Codable, Hashable, Sendable {
    package static let root = "device"
    package static let file = "device.json"
    /// Limit of the file, and of each list.
    package static let maximumBytes = 16 << 20
    package static let maximumEntries = 10_000

    /// An app or the browser that opens a scheme, a type or a domain.
    package struct Handler: Codable, Hashable, Sendable {
        /// `scheme`, `type` or `domain`.
        package var kind: String
        package var name: String
        /// Empty: the browser.
        package var bundleID: String

        package init(kind: String, name: String, bundleID: String) {
            self.kind = kind
            self.name = name
            self.bundleID = bundleID
        }
    }

    /// A folder that is kept equal on several devices.
    package struct Folder: Codable, Hashable, Sendable {
        package var name: String
        package var path: String
        /// It only receives there. Nil in facts of versions that did not say so, as the lists.
        package var isReadOnly: Bool?
        /// Identifiers of the directories whose files come as placeholders, and of what is kept.
        package var onDemand: [String]?
        package var kept: [String]?

        package init(name: String, path: String) {
            self.name = name
            self.path = path
        }

        /// For a device where it has that path, within the limits.
        fileprivate func placed(at path: String) -> Folder {
            var folder = self
            folder.path = path
            folder.onDemand = onDemand.map { Array($0.prefix(DeviceFacts.maximumEntries)) }
            folder.kept = kept.map { Array($0.prefix(DeviceFacts.maximumEntries)) }
            return folder
        }
    }

    /// The person's home there: paths in it are in the home here.
    package var home: String
    package var handlers: [Handler]
    package var folders: [Folder]
    package var included: [String]
    package var excluded: [String]
    /// Bundle identifiers of apps that are backed up with their bundles. Nil in facts of versions that had none.
    package var wholeApps: [String]?
    /// For each app, by its bundle identifier, the fingerprint of its team. Nil in facts of versions that had none.
    package var teams: [String: [UInt8]]?

    package init(
        home: String = "", handlers: [Handler] = [], folders: [Folder] = [], included: [String] = [],
        excluded: [String] = []
    ) {
        self.home = home
        self.handlers = handlers
        self.folders = folders
        self.included = included
        self.excluded = excluded
    }

    /// The team whose app's data is in the backup; nil where that is not known.
    package func team(of app: BundleID) -> TeamIdentity? {
        guard let fingerprint = teams?[app.rawValue], fingerprint.count == 32 else { return nil }
        return TeamIdentity(fingerprint: fingerprint)
    }

    /// Where a path of that device is on this one.
    package func place(of path: String, home here: String) -> String {
        guard !home.isEmpty, home != "/", !here.isEmpty, path == home || path.hasPrefix(home + "/") else { return path }
        return here + path.dropFirst(home.count)
    }

    /// Whether a path says where it leads.
    package static func isPlain(_ path: String) -> Bool {
        path.hasPrefix("/") && !path.utf8.contains(0)
            && !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// Folders that have no place on this device, and paths of the backup's own lists; at most 100 of each.
    package func unplaced(in here: String) -> (folders: [Folder], paths: [String]) {
        let isUnplaced = { (path: String) in !Self.isPlain(place(of: path, home: here)) }
        let folders = folders.prefix(Self.maximumEntries).filter { isUnplaced($0.path) }
        let paths = (included.prefix(Self.maximumEntries) + excluded.prefix(Self.maximumEntries)).filter(isUnplaced)
        return (Array(folders.prefix(100)), Array(paths.prefix(100)))
    }

    /// For this device, within the limits.
    package func placed(in here: String) -> DeviceFacts {
        func places(_ paths: [String]) -> [String] {
            paths.prefix(Self.maximumEntries).map { place(of: $0, home: here) }.filter(Self.isPlain)
        }
        var facts = DeviceFacts(
            home: here, handlers: Array(handlers.prefix(Self.maximumEntries)),
            folders: folders.prefix(Self.maximumEntries).map {
                $0.placed(at: place(of: $0.path, home: here))
            }.filter { Self.isPlain($0.path) },
            included: places(included), excluded: places(excluded))
        facts.wholeApps = wholeApps.map { Array($0.prefix(Self.maximumEntries)) }
        return facts
    }
}
