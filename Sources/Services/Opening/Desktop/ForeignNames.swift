package import BatonCore
import Files
import Foundation

/// The names of other programs on the desktop, which no app may take: an app that is called as a browser or a keyring would get
/// what is meant for that. Blocks.
package struct ForeignNames: Sendable {
    private static let maximumSize = 1 << 20
    /// Their names are the desktop's own.
    private static let reserved = [
        "org.freedesktop.", "org.gnome.", "org.kde.", "org.mpris.", "org.a11y.", "ca.desrt.",
    ]

    private let directories: [String]

    /// - Parameters:
    ///   - own: the person's folder with `applications` and `dbus-1`, where Baton writes too.
    ///   - environment: of the daemon; its `XDG_DATA_DIRS` are the folders of all persons.
    package init(own: String, environment: [String: String]) {
        let shared = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        directories = [own] + shared.split(separator: ":").map(String.init)
    }

    /// Whether another program has the app's name, or the desktop keeps it for itself.
    package func has(_ app: BundleID) -> Bool {
        let name = app.rawValue
        if Self.reserved.contains(where: { name.lowercased().hasPrefix($0) }) { return true }
        return directories.contains { directory in
            isForeign("\(directory)/applications/\(name).desktop")
                || isForeign("\(directory)/dbus-1/services/\(name).service")
        }
    }

    private func isForeign(_ path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        guard let bytes = try? AtomicFile.read(path, limit: Self.maximumSize) else { return true }
        return !String(decoding: bytes, as: UTF8.self).contains("\n\(MarkedFiles.marker)=")
    }
}
