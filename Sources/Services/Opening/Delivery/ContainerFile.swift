package import BatonCore
package import Files

/// A file of a container that an app writes, for the daemon may read more than the app may.
package enum ContainerFile {
    /// Opens it through no link, whatever the app does to its container meanwhile. Blocks.
    /// - Throws: `permission_denied` for a path that leads elsewhere, and what ``DirectoryHandle`` throws.
    package static func open(_ path: String, in container: String) throws(BatonError) -> OpenFile {
        let (directory, name) = try parent(of: path, in: container)
        return try directory.file(name)
    }

    /// As above, for a document, which may be a package.
    /// - Returns: nil for a package, which is a directory.
    package static func document(_ path: String, in container: String) throws(BatonError) -> OpenFile? {
        let (directory, name) = try parent(of: path, in: container)
        guard try directory.stamp(of: name)?.kind == .directory else { return try directory.file(name) }
        _ = try directory.directory(name)
        return nil
    }

    private static func parent(
        of path: String, in container: String
    ) throws(BatonError) -> (directory: DirectoryHandle, name: String) {
        let names = path.hasPrefix(container + "/") ? path.dropFirst(container.count).split(separator: "/") : []
        guard let last = names.last, !names.contains(".."), !names.contains("."), !path.utf8.contains(0) else {
            throw BatonError(
                .permissionDenied, reason: "file_not_own",
                "An app may hand over files of its own container only. Copy the file there first.")
        }
        return (try DirectoryHandle(path: container).directory(at: names.dropLast()), String(last))
    }
}
