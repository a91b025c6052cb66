import FileSync
import Files
import Glibc

/// Entries that the person's `.batonignore` keeps on this device. It concerns entries not synced yet: synced ones stay so.
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

    static func read(_ file: OpenNode, limit: Int) -> [UInt8]? {
        try? FileIO.readAll(file.number, count: limit, at: 0) { DiskFailure("read its rules", code: $0) }
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

    /// The rules for one directory, kept while a tree is listed: directories with one parent follow each other.
    final class FollowedRules {
        fileprivate var parent: (handle: LocalHandle, rules: IgnoreFile.Directory)?
    }

    /// - Returns: nil without rules, and for a directory that is nowhere.
    func rules(in directory: LocalHandle, _ followed: FollowedRules) -> IgnoreFile.Directory? {
        guard let ignoring, !ignoring.isEmpty else { return nil }
        guard directory != rootHandle else { return ignoring.root }
        guard let place = places[directory] else { return nil }
        if followed.parent?.handle != place.directory {
            var names: [[UInt8]] = []
            var current = place.directory
            while current != rootHandle {
                guard let above = places[current], names.count < Self.maximumDepth else { return nil }
                names.append(above.name.bytes)
                current = above.directory
            }
            let rules = names.reversed().reduce(ignoring.root) { ignoring.directory($1, in: $0) }
            followed.parent = (place.directory, rules)
        }
        return followed.parent.map { ignoring.directory(place.name.bytes, in: $0.rules) }
    }

    func isIgnored(
        _ name: EntryName, in directory: LocalHandle, _ rules: IgnoreFile.Directory?, isDirectory: Bool,
        _ context: ScanContext
    ) -> Bool {
        guard let ignoring, let rules, ignoring.ignores(name.bytes, in: rules, isDirectory: isDirectory) else {
            return false
        }
        return !context.isSynced(LocalPlace(directory: directory, name: name))
    }
}
