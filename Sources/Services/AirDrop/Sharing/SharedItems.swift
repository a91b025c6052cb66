import BatonCore
import Files
import Glibc

/// Files of an app's own container that it hands over to be sent: the daemon may read more than the app may. Blocks.
///
/// Nothing is reached through a link, whatever the app does to its container meanwhile. Each file gets a second name in a
/// folder of the daemon's, so that a large one is not copied.
struct SharedItems {
    /// Policies: more or deeper ones are refused.
    private static let maximumEntries = 20_000
    private static let maximumDepth = 64

    private var count = 0

    /// - Parameters:
    ///   - paths: absolute ones.
    ///   - folder: made here; the caller removes it.
    /// - Returns: the paths below `folder`, in the same order and under the same names.
    /// - Throws: `permission_denied` with reason `file_not_own` for a path that leads elsewhere.
    static func take(
        _ paths: [String], of container: String, into folder: String
    ) throws(BatonError) -> [String] {
        try ReceivedItems.prepare(folder)
        let root = try DirectoryHandle(path: folder)
        var items = SharedItems()
        var taken: [String] = []
        for (number, path) in paths.enumerated() {
            let names = path.hasPrefix(container + "/") ? path.dropFirst(container.count).split(separator: "/") : []
            guard let last = names.last.map(String.init), !names.contains(".."), !names.contains("."),
                !path.utf8.contains(0)
            else {
                throw BatonError(
                    .permissionDenied, reason: "file_not_own",
                    "An app may hand over files of its own container only. Copy the file there first.")
            }
            let parent = try DirectoryHandle(path: container).directory(at: names.dropLast())
            let place = try root.makeNewDirectory("\(number)", mode: 0o700)
            guard try items.add(last, from: parent, to: place, depth: 0) else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_item",
                    "“\(PrintableName.escaped(path))” is neither a file nor a folder.")
            }
            taken.append("\(folder)/\(number)/\(last)")
        }
        return taken
    }

    /// - Returns: false for a link, pipe or socket, and for what is not there; inside of folders these stay behind.
    private mutating func add(
        _ name: String, from source: DirectoryHandle, to target: DirectoryHandle, depth: Int
    ) throws(BatonError) -> Bool {
        count += 1
        guard count <= Self.maximumEntries, depth <= Self.maximumDepth else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_files",
                "At most \(Self.maximumEntries) files and folders can be sent at once, "
                    + "\(Self.maximumDepth) within each other.")
        }
        switch try source.stamp(of: name)?.kind {
        case .file?:
            try Self.link(try source.file(name), to: target, name)
        case .directory?:
            let from = try source.directory(name)
            let to = try target.makeNewDirectory(name, mode: 0o700)
            for bytes in try from.names(limit: Self.maximumEntries) {
                guard let child = String(validating: bytes, as: UTF8.self) else {
                    throw BatonError(
                        .invalidArgument, reason: "invalid_item",
                        "“\(PrintableName.escaped(from.path))” holds a name that is not UTF-8. Rename it.")
                }
                _ = try add(child, from: from, to: to, depth: depth + 1)
            }
        default: return false
        }
        return true
    }

    /// Links the file that is open: its path may lead to another one by now.
    private static func link(
        _ file: OpenFile, to target: DirectoryHandle, _ name: String
    ) throws(BatonError) {
        let opened = "/proc/self/fd/\(file.descriptor)"
        if linkat(AT_FDCWD, opened, target.descriptor, name, AT_SYMLINK_FOLLOW) == 0 { return }
        // The container may be on another file system.
        let copy = try target.createFile(name, mode: 0o600)
        try file.forEachPiece { piece throws(BatonError) in
            try copy.write(piece)
            return true
        }
    }
}
