package import BatonCore
package import Files
import Glibc

/// The output of an app, or of the browser: one file, put aside at the next launch once it has grown; one older is kept.
package enum AppLog {
    static let limit: Int64 = 4 << 20

    static func path(_ bundleID: BundleID, in directory: String) -> String { "\(directory)/\(bundleID).log" }

    /// Opens the log for appending. Blocks.
    static func open(_ bundleID: BundleID, in directory: String) throws(BatonError) -> OpenFile {
        try open(named: "\(bundleID).log", in: directory)
    }

    /// Opens a log by its name. Blocks.
    package static func open(named name: String, in directory: String) throws(BatonError) -> OpenFile {
        let directory = try DirectoryHandle(path: directory)
        if let stamp = try directory.stamp(of: name), stamp.size > limit {
            try directory.rename(name, to: name + ".1")
        }
        return try directory.appendableFile(name, mode: 0o600)
    }

    static func remove(_ bundleID: BundleID, in directory: String) throws(BatonError) {
        let directory = try DirectoryHandle(path: directory)
        try directory.remove("\(bundleID).log")
        try directory.remove("\(bundleID).log.1")
    }
}
