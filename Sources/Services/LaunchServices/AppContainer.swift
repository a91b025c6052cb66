import BatonCore
import BatonTrust

/// The directories that belong to an app and survive its upgrades.
enum AppContainer {
    static let directories = ["Documents", "Documents/Inbox", "Library", "Library/Caches", "tmp"]

    /// Makes what is missing. Blocks.
    static func prepare(_ bundleID: BundleID, in containers: String) throws(BatonError) {
        let root = try DirectoryHandle(path: containers).makeDirectory(bundleID.rawValue, mode: 0o700)
        for path in directories {
            let components = path.split(separator: "/")
            guard let last = components.last else { continue }
            try root.directory(at: components.dropLast()).makeDirectory(String(last), mode: 0o700)
        }
    }

    static func remove(_ bundleID: BundleID, in containers: String) throws(BatonError) {
        try DirectoryHandle(path: containers).removeTree(bundleID.rawValue)
    }
}
