import BatonCore
import BatonTrust
import Files

/// The directories that belong to an app and survive its upgrades.
///
/// `Documents/Inbox` is a link to a directory beside the containers: what Landlock allows of a directory it allows of
/// everything below, and of the Inbox an app may do less than of its container.
enum AppContainer {
    static let directories = ["Documents", "Library", "Library/Application Support", "Library/Caches", "tmp"]

    /// Where the Inboxes are, each under the bundle identifier.
    static func inboxes(_ locations: Locations) -> String { locations.data + "/inboxes" }

    /// The target of an app's `Documents/Inbox`.
    static func inbox(of bundleID: BundleID, _ locations: Locations) -> String {
        inboxes(locations) + "/" + bundleID.rawValue
    }

    /// Makes what is missing. Blocks.
    static func prepare(_ bundleID: BundleID, _ locations: Locations) throws(BatonError) {
        let root = try DirectoryHandle(path: locations.containers).makeDirectory(bundleID.rawValue, mode: 0o700)
        for path in directories {
            let components = path.split(separator: "/")
            guard let last = components.last else { continue }
            try root.directory(at: components.dropLast()).makeDirectory(String(last), mode: 0o700)
        }
        try DirectoryHandle(path: inboxes(locations)).makeDirectory(bundleID.rawValue, mode: 0o700)
        try link(root.directory("Documents"), to: inbox(of: bundleID, locations))
    }

    /// An app may have put something else in the place of its link. A folder that is not empty is left to it; its files then come
    /// under their own path.
    private static func link(_ documents: DirectoryHandle, to inbox: String) throws(BatonError) {
        switch try documents.stamp(of: "Inbox")?.kind {
        case nil: break
        case .symlink:
            guard try documents.linkTarget(of: "Inbox") != Array(inbox.utf8) else { return }
            try documents.remove("Inbox")
        case .directory:
            do { try documents.remove("Inbox", isDirectory: true) } catch { return }
        case .file, .other: return
        }
        try documents.makeLink("Inbox", to: inbox)
    }

    static func remove(_ bundleID: BundleID, _ locations: Locations) throws(BatonError) {
        try DirectoryHandle(path: locations.containers).removeTree(bundleID.rawValue)
        try DirectoryHandle(path: inboxes(locations)).removeTree(bundleID.rawValue)
    }
}
