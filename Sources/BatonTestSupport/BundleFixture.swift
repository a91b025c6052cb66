package import BatonCore
package import BatonTrust
package import Foundation

/// Writes bundles for tests. Throws rather than asserting, so that a test fails where it calls this.
package struct BundleFixture {
    package enum Executable: Sendable {
        /// Copied from this path.
        case copy(of: String)
        /// A program that becomes `/bin/sh` with this script.
        case script(String)
        /// A file that passes for a program until it is started.
        case inert
    }

    /// `.../Name.app`.
    package let path: String
    package let bundleID: BundleID

    /// Writes an unsigned bundle `<directory>/<name>.app`, in place of one that is there.
    /// - Parameters:
    ///   - info: merged over `CFBundleIdentifier`, `CFBundleExecutable` (the name), `CFBundleName`, and versions of 1.
    ///   - resources: contents by path within the bundle.
    ///   - format: of the property lists.
    package init(
        in directory: String, name: String = "Example", bundleID: String = "com.example.Example",
        version: String = "1", activityTypes: [String] = [], executable: Executable = .inert,
        info: [String: Any] = [:], entitlements: [String: Any]? = nil, resources: [String: String] = [:],
        format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws {
        self.bundleID = try BundleID(validating: bundleID)
        path = "\(directory)/\(name).app"
        let manager = FileManager.default
        if manager.fileExists(atPath: path) { try manager.removeItem(atPath: path) }
        try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        var plist: [String: Any] = [
            "CFBundleIdentifier": bundleID, "CFBundleExecutable": name, "CFBundleName": name,
            "CFBundleShortVersionString": version, "CFBundleVersion": version,
        ]
        if !activityTypes.isEmpty { plist["NSUserActivityTypes"] = activityTypes }
        plist.merge(info) { $1 }
        try writePropertyList(plist, to: "Info.plist", format: format)
        if let entitlements { try writePropertyList(entitlements, to: "Entitlements.plist", format: format) }
        switch executable {
        case .copy(let source): try manager.copyItem(atPath: source, toPath: file(name))
        case .script(let text):
            try manager.copyItem(atPath: Products.path("ScriptApp"), toPath: file(name))
            try write(text + "\n", to: name + ".script")
        case .inert: try write("\u{7F}ELF", to: name)
        }
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file(name))
        for (path, text) in resources { try write(text, to: path) }
    }

    /// Signs the bundle as it is now.
    @discardableResult
    package func signed(by team: TeamKey) throws -> BundleFixture {
        try CodeSigner.sign(path, with: team)
        return self
    }

    /// The path of something in the bundle.
    package func file(_ relativePath: String) -> String { path + "/" + relativePath }

    /// Writes a file in the bundle, with the directories above it.
    package func write(_ text: String, to relativePath: String) throws {
        let url = URL(fileURLWithPath: file(relativePath))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    package func writePropertyList(
        _ value: Any, to relativePath: String, format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
        try data.write(to: URL(fileURLWithPath: file(relativePath)))
    }
}
