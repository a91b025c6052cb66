import Files
package import Foundation

/// A container of the app, as it is on this device.
package struct UbiquityContainer: Sendable, Hashable {
    /// Whole: `TEAMID.com.example.App` or `iCloud.com.example.App`.
    package let identifier: String
    /// Absolute, without a slash at the end, as the daemon names it.
    package let path: String
    /// Its name for people; its identifier where it has none.
    package let displayName: String
    /// Without links, for comparing.
    private let resolved: String

    /// Nil for an invalid path.
    package init?(identifier: String, path: String, displayName: String = "") {
        guard path.hasPrefix("/"), !path.utf8.contains(0), !identifier.isEmpty else { return nil }
        self.identifier = identifier
        self.displayName = displayName.isEmpty ? identifier : displayName
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        resolved = Self.resolved(path)
        if self.path == "/" || resolved == "/" { return nil }
    }

    package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    package func url(of item: UbiquitousItem) -> URL {
        let isDirectory = item.kind == .directory || item.kind == .package
        return URL(fileURLWithPath: path + "/" + item.path, isDirectory: isDirectory)
    }

    /// The path below the container, of an item or of its placeholder; nil for what is not in it, and for itself.
    package func relativePath(of url: URL) -> String? {
        guard url.isFileURL else { return nil }
        let whole = Self.resolvingDirectory(url)
        guard whole.utf8.starts(with: (resolved + "/").utf8) else { return nil }
        let relative = String(decoding: whole.utf8.dropFirst(resolved.utf8.count + 1), as: UTF8.self)
        return relative.isEmpty ? nil : Placeholder.original(ofPath: relative)
    }

    /// Links are resolved in the directories only: a link in a container is an item of its own.
    private static func resolvingDirectory(_ url: URL) -> String {
        let standardized = URL(fileURLWithPath: url.path).standardizedFileURL
        let name = standardized.lastPathComponent
        guard name != "/" else { return "/" }
        let directory = resolved(standardized.deletingLastPathComponent().path)
        return (directory == "/" ? "" : directory) + "/" + name
    }

    private static func resolved(_ path: String) -> String {
        RealPath.resolvedAsFarAsItExists(URL(fileURLWithPath: path).standardizedFileURL.path)
    }
}

/// `.NAME.icloud`, which stands for an item whose content is not on this device.
package enum Placeholder {
    private static let suffix = ".icloud"

    package static func isPlaceholder(_ name: String) -> Bool {
        name.hasPrefix(".") && name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count + 1
    }

    package static func url(for item: URL) -> URL {
        item.deletingLastPathComponent().appendingPathComponent("." + item.lastPathComponent + suffix)
    }

    package static func original(ofPath path: String) -> String {
        var names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let last = names.last, isPlaceholder(last) else { return path }
        names[names.count - 1] = String(last.dropFirst().dropLast(suffix.count))
        return names.joined(separator: "/")
    }

    /// Whether all of an item is on this device: it is there, and below it nothing is missing.
    package static func isContentHere(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            // A link that leads nowhere is all that there is.
            return (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil
        }
        guard isDirectory.boolValue, let names = FileManager.default.enumerator(atPath: url.path) else { return true }
        for case let name as String in names where isPlaceholder((name as NSString).lastPathComponent) { return false }
        return true
    }
}
