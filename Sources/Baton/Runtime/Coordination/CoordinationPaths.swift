import FileCoordination
import Files
import Foundation
import Synchronization
import UniformTypes

/// Turns an app's URLs into the arbiter's paths.
package enum CoordinationPaths {
    /// Whether a directory counts as one item, by its name and the types that the app and the system declare.
    package static var isPackage: @Sendable (String) -> Bool {
        get { packages.withLock { $0 } }
        set { packages.withLock { $0 = newValue } }
    }

    private static let packages = Mutex<@Sendable (String) -> Bool>({ path in
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard name.dropFirst().contains(".") else { return false }
        let type = AppTypes.registry.type(ofFileName: name, isDirectory: true)
        return AppTypes.registry.conforms(type, to: "com.apple.package")
    })

    /// Links in the directories are resolved, so that one file has one path; the file itself need not exist.
    /// - Parameter resolvesLink: whether the last name is resolved too, if it is a link.
    static func item(_ url: URL, resolvesLink: Bool = false) -> PresentedItem? {
        guard url.isFileURL else { return nil }
        let standardized = URL(fileURLWithPath: url.path).standardizedFileURL.path
        let text: String
        if resolvesLink {
            text = RealPath.resolvedAsFarAsItExists(standardized)
        } else {
            let (directory, name) = split(standardized)
            let parent = RealPath.resolvedAsFarAsItExists(directory)
            text = name.isEmpty ? parent : (parent == "/" ? "" : parent) + "/" + name
        }
        guard let path = CoordinatedPath(text) else { return nil }
        return PresentedItem(path, unit: unit(of: path))
    }

    /// The outermost package that a path is in, or else the path.
    static func unit(of path: CoordinatedPath) -> CoordinatedPath { path.unit(isPackage: isPackage) }

    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (path, "") }
        let directory = String(path[..<slash])
        return (directory.isEmpty ? "/" : directory, String(path[path.index(after: slash)...]))
    }
}
