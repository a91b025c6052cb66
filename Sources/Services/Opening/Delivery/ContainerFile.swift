package import BatonCore
package import BatonTrust

/// A file of an app's own container, for the daemon may read more than the app may.
package enum ContainerFile {
    /// Opens it through no link, whatever the app does to its container meanwhile. Blocks.
    /// - Throws: `permission_denied` for a path that leads elsewhere, and what ``DirectoryHandle`` throws.
    package static func open(_ path: String, in container: String) throws(BatonError) -> OpenFile {
        let names = path.hasPrefix(container + "/") ? path.dropFirst(container.count).split(separator: "/") : []
        guard let last = names.last, !names.contains(".."), !names.contains("."), !path.utf8.contains(0) else {
            throw BatonError(
                .permissionDenied, reason: "file_not_own",
                "An app may hand over files of its own container only. Copy the file there first.")
        }
        return try DirectoryHandle(path: container).directory(at: names.dropLast()).file(String(last))
    }
}
