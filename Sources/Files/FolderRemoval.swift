import Glibc

/// Removes folders without following a link. Blocks.
package enum FolderRemoval {
    /// Deeper ones are left where they are; those that are received are not as deep.
    private static let maximumDepth = 128

    static func remove(_ name: String, in parent: Int32, depth: Int = 0) {
        guard depth < maximumDepth else { return }
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 {
            for name in names(descriptor) where unlinkat(descriptor, name, 0) != 0 {
                remove(name, in: descriptor, depth: depth + 1)
            }
            close(descriptor)
        }
        unlinkat(parent, name, AT_REMOVEDIR)
    }

    /// The names in a folder. The descriptor stays open.
    package static func names(_ descriptor: Int32) -> [String] {
        // The stream of names closes the descriptor that it is given.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return [] }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return []
        }
        defer { closedir(stream) }
        rewinddir(stream)
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
