import FileCoordination
import Foundation
import Synchronization

/// Turns an app's URLs into the arbiter's paths.
package enum CoordinationPaths {
    /// Whether a directory counts as one item, by its name. The app library sets what knows the types.
    package static var isPackage: @Sendable (String) -> Bool {
        get { packages.withLock { $0 } }
        set { packages.withLock { $0 = newValue } }
    }

    private static let packages = Mutex<@Sendable (String) -> Bool> { _ in false }

    /// Links in the directories are resolved, so that one file has one path; the file itself need not exist.
    /// - Parameter resolvesLink: whether the last name is resolved too, if it is a link.
    static func item(_ url: URL, resolvesLink: Bool = false) -> PresentedItem? {
        guard url.isFileURL else { return nil }
        let standardized = URL(fileURLWithPath: url.path).standardizedFileURL.path
        let text: String
        if resolvesLink {
            text = resolved(standardized)
        } else {
            let (directory, name) = split(standardized)
            let parent = resolved(directory)
            text = name.isEmpty ? parent : (parent == "/" ? "" : parent) + "/" + name
        }
        guard let path = CoordinatedPath(text) else { return nil }
        return PresentedItem(path, unit: unit(of: path))
    }

    /// The outermost package that a path is in, or else the path.
    static func unit(of path: CoordinatedPath) -> CoordinatedPath {
        let isPackage = isPackage
        var prefix = ""
        for name in path.description.split(separator: "/") {
            prefix += "/" + name
            if isPackage(prefix), let unit = CoordinatedPath(prefix) { return unit }
        }
        return path
    }

    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (path, "") }
        let directory = String(path[..<slash])
        return (directory.isEmpty ? "/" : directory, String(path[path.index(after: slash)...]))
    }

    /// Resolves as much of a path as exists.
    private static func resolved(_ path: String) -> String {
        var existing = path
        var rest: [String] = []
        while existing != "/" {
            if let real = realpath(existing, nil) {
                defer { free(real) }
                return ([String(cString: real)] + rest.reversed()).joined(separator: "/").replacing("//", with: "/")
            }
            let (directory, name) = split(existing)
            rest.append(name)
            existing = directory
        }
        return "/" + rest.reversed().joined(separator: "/")
    }
}
