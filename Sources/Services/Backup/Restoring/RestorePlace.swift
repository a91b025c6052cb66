import BatonCore
import Glibc

/// A directory of a restore, by the way to it. No file is held open for it, so there may be as many as there are directories.
final class RestorePlace {
    /// `O_PATH`, which Swift's import of the C library leaves out.
    private static let pathOnly: Int32 = 0o10000000

    private let top: FileNode
    private let parent: RestorePlace?
    private let name: [UInt8]

    init(top: FileNode) { (self.top, parent, name) = (top, nil, []) }

    init(_ name: [UInt8], in parent: RestorePlace) { (top, self.parent, self.name) = (parent.top, parent, name) }

    /// One of its entries, not opened for reading or writing. No link is followed.
    func entry(_ entry: [UInt8]) -> FileNode? {
        var names = [entry]
        var place = self
        while let parent = place.parent {
            names.append(place.name)
            place = parent
        }
        var node = top
        for (left, name) in names.enumerated().reversed() {
            let flags = Self.pathOnly | O_NOFOLLOW | O_CLOEXEC | (left > 0 ? O_DIRECTORY : 0)
            let child = openat(node.descriptor, FileNode.terminated(name), flags)
            guard child >= 0 else { return nil }
            node = FileNode(descriptor: child, path: node.joined(name))
        }
        return node
    }
}

/// Where the first of several names of a file was restored to.
struct RestoredLink {
    private let place: RestorePlace
    private let name: [UInt8]
    private let status: NodeStatus

    init(_ name: [UInt8], in place: RestorePlace, _ status: NodeStatus) {
        (self.place, self.name, self.status) = (place, name, status)
    }

    /// The file; nil where it is another one now, or was changed.
    func opened() -> FileNode? {
        guard let node = place.entry(name), let now = try? node.status() else { return nil }
        let isSame =
            (now.device, now.inode, now.size, now.modified) == (
                status.device, status.inode, status.size, status.modified
            )
        return isSame && now.kind == .file ? node : nil
    }
}
