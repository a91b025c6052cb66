import BatonCore

/// Launch images of a bundle: keys of its `Info.plist`, and the pictures at its top.
package struct LaunchImageDeclarations: Sendable, Hashable, Codable {
    /// One of `UILaunchImages`.
    package struct Image: Sendable, Hashable, Codable {
        /// `UILaunchImageName`: the beginning of the file's name.
        package var name: String
        /// `UILaunchImageOrientation`; Portrait when missing.
        package var orientation: String

        package init(name: String, orientation: String = "Portrait") {
            self.name = name
            self.orientation = orientation
        }
    }

    /// `UILaunchImages`. Where it is present, `UILaunchImageFile` does not count, even if it is empty.
    package var images: [Image]?
    /// `UILaunchImageFile`, else `Default` (U-24).
    package var basename = "Default"
    /// The names of the PNG files at the top of the bundle.
    package var files: [String] = []

    package init() {}
}

extension LaunchImageDeclarations {
    static let maximumFiles = 2_000

    init(_ plist: PropertyListReader, files resources: CodeResources) throws(BatonError) {
        if let name = try plist.string("UILaunchImageFile"), !name.isEmpty { basename = Self.withoutExtension(name) }
        if plist.values["UILaunchImages"] != nil {
            var images: [Image] = []
            for entry in try plist.dictionaries("UILaunchImages", maximumCount: 100) {
                images.append(
                    Image(
                        name: Self.withoutExtension(try entry.requiredString("UILaunchImageName")),
                        orientation: try entry.string("UILaunchImageOrientation") ?? "Portrait"))
            }
            self.images = images
        }
        let pictures = resources.entries.compactMap { path, entry -> String? in
            guard case .file = entry, !path.contains("/"), path.lowercased().hasSuffix(".png") else { return nil }
            return path
        }
        files = Array(pictures.sorted().prefix(Self.maximumFiles))
    }

    private static func withoutExtension(_ name: String) -> String {
        name.lowercased().hasSuffix(".png") ? String(name.dropLast(4)) : name
    }
}
