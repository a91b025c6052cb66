import FileSync
import Glibc

/// A placeholder in a folder that is left, or of an account that is. It stands for nothing then, and would be sent as a file when the
/// folder is joined again, or another account entered.
struct LeftPlaceholder: Sendable {
    private let path: [UInt8]
    private let handle: LocalHandle
    private let fingerprint: Fingerprint

    /// - Parameters:
    ///   - folder: the folder's path.
    ///   - path: of bytes, below it.
    init(in folder: String, at path: [UInt8], _ handle: LocalHandle, _ fingerprint: Fingerprint) {
        self.path = Array("\(folder)/".utf8) + path
        (self.handle, self.fingerprint) = (handle, fingerprint)
    }

    /// Those that a tree had, where they were made.
    static func all(of base: [EntryID: BaseRecord], in folder: String) -> [LeftPlaceholder] {
        base.values.compactMap { record in
            guard record.isPlaceholder else { return nil }
            var (path, parent) = (record.localName.bytes, record.parent)
            for _ in 0..<ContainerDisk.maximumDepth where parent != .root {
                guard let above = base[parent] else { return nil }
                path = above.localName.bytes + [UInt8(ascii: "/")] + path
                parent = above.parent
            }
            return parent == .root ? LeftPlaceholder(in: folder, at: path, record.handle, record.fingerprint) : nil
        }
    }

    /// Those in a tree of which nothing is known, by their text.
    static func all(on disk: ContainerDisk) -> [LeftPlaceholder] {
        defer { disk.closeDirectories() }
        let context = ContainerDisk.ScanContext(
            isKnown: { _ in true }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })
        var found: [LeftPlaceholder] = []
        for (handle, nodes) in disk.scanEverything(context).listings {
            for node in nodes where node.kind == .file && disk.isPlaceholder(node.name) {
                guard node.fingerprint.size <= UInt64(PlaceholderText.maximumBytes),
                    let directory = try? disk.directory(handle),
                    let file = try? OpenNode(QuietOpening.open(directory.number, node.name.cString), "open a file"),
                    let bytes = ContainerDisk.read(file, limit: PlaceholderText.maximumBytes + 1),
                    PlaceholderText.matches(bytes),
                    let path = disk.bytes(of: LocalPlace(directory: handle, name: node.name))
                else { continue }
                found.append(LeftPlaceholder(in: disk.path, at: path, node.handle, node.fingerprint))
            }
        }
        return found
    }

    /// Only the very file: one that was written to, or put in its place, stays.
    func remove() {
        guard let node = try? DiskNode.look(AT_FDCWD, path), node.handle == handle, node.fingerprint == fingerprint
        else {
            return
        }
        unlink(path.map { CChar(bitPattern: $0) } + [0])
    }
}

extension ContainerReader {
    /// Those that are as they were made.
    var leftPlaceholders: [LeftPlaceholder] {
        planner.state.base.all.compactMap { _, record in
            guard record.isPlaceholder, let (_, _, node) = disk.find(record.handle), node.kind == .file,
                node.fingerprint == record.fingerprint,
                let below = disk.places[record.handle].flatMap({ disk.bytes(of: $0) })
            else { return nil }
            return LeftPlaceholder(in: path, at: below, node.handle, node.fingerprint)
        }
    }
}
