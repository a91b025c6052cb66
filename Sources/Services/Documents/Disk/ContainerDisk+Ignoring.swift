import FileSync
import Glibc

/// What the person's `.batonignore` keeps on this device. It is about what is not synced yet: what is synced stays so.
extension ContainerDisk {
    /// Reads the folder's rules. One that cannot be read changes nothing.
    /// - Returns: whether they are others than before. Then the whole tree is to be looked at.
    func readIgnoreFile() -> Bool {
        guard let old = ignoring else { return false }
        let name = IgnoreFile.name.bytes
        guard let node = try? DiskNode.look(root.number, name), node.kind == .file else {
            ignoring = IgnoreFile()
            return !old.isEmpty
        }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        guard let file = try? OpenNode(openat(root.number, name.map { CChar(bitPattern: $0) } + [0], flags), "open"),
            let bytes = Self.read(file, limit: IgnoreFile.maximumBytes + 1)
        else { return false }
        let new = IgnoreFile(bytes)
        ignoring = new
        return new != old
    }

    private static func read(_ file: OpenNode, limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let got = bytes.withUnsafeMutableBytes {
                pread(file.number, $0.baseAddress?.advanced(by: count), limit - count, count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return Array(bytes.prefix(count))
    }

    func isIgnored(_ place: LocalPlace, isDirectory: Bool) -> Bool {
        guard let ignoring, !ignoring.isEmpty else { return false }
        var names = [place.name.bytes]
        var current = place.directory
        while current != rootHandle {
            guard let above = places[current], names.count < Self.maximumDepth else { return false }
            names.append(above.name.bytes)
            current = above.directory
        }
        return ignoring.ignores(names.reversed(), isDirectory: isDirectory)
    }

    func isIgnored(
        _ directory: LocalHandle, _ name: EntryName, isDirectory: Bool, _ context: ScanContext
    ) -> Bool {
        guard let ignoring, !ignoring.isEmpty else { return false }
        let place = LocalPlace(directory: directory, name: name)
        return isIgnored(place, isDirectory: isDirectory) && !context.isSynced(place)
    }
}
