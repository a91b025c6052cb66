import CLinux
import FileSync
import Glibc

/// Where the files of a folder that only receives go when the person undoes what was done there: `.baton-reverted/TIME` in the folder.
/// Nothing is deleted. On the queue of the container.
final class RevertedFiles {
    private let disk: ContainerDisk
    /// As text that sorts by time.
    let name: String
    private var directory: OpenNode?
    /// Directories for further files of one name, beside each other.
    private static let maximumOfName = 10_000

    init(_ disk: ContainerDisk, time: String) {
        self.disk = disk
        name = time
    }

    /// Below the folder.
    var path: String { "\(IgnoreRules.revertedName)/\(name)" }

    /// Moves something there, with what is beside a database.
    /// - Throws: `ESTALE` where another file is there now, `EBUSY` for a database that is in use.
    func take(_ place: LocalPlace, _ handle: LocalHandle) throws(DiskFailure) {
        let source = try disk.directory(place.directory)
        guard let node = try DiskNode.look(source.number, place.name.bytes), node.handle.file == handle.file else {
            throw DiskFailure("undo a change", code: ESTALE)
        }
        let isDatabase = node.kind == .file && DatabaseFiles.isDatabase(source, place.name.bytes)
        if isDatabase, DatabaseFiles.isOpen(source, place.name.bytes) {
            throw DiskFailure("undo a change of a database that a program has open", code: EBUSY)
        }
        try take(place.name.bytes, from: source, isDatabase: isDatabase)
        disk.places[handle] = nil
    }

    /// A file that has left the tree and is in staging.
    func takeStaged(_ handle: LocalHandle, as shown: [UInt8]) throws(DiskFailure) {
        guard let name = disk.staged[handle] else { return }
        try take(name, from: disk.staging, as: shown, isDatabase: false)
        disk.forgetStaged(handle)
    }

    private func take(
        _ name: [UInt8], from source: OpenNode, as shown: [UInt8]? = nil, isDatabase: Bool
    ) throws(DiskFailure) {
        let shown = shown ?? name
        let target = try free(for: shown)
        if isDatabase {
            // First: the log of one must not stand beside another.
            for suffix in DatabaseFiles.suffixes
            where name.count + suffix.count <= 255 && DatabaseFiles.isBeside(source, name + suffix) {
                _ = Self.rename(source, name + suffix, target, shown + suffix)
            }
        }
        guard Self.rename(source, name, target, shown) == 0 else { throw DiskFailure("undo a change") }
        fsync(target.number)
    }

    /// A directory in which nothing has a name.
    private func free(for name: [UInt8]) throws(DiskFailure) -> OpenNode {
        if directory == nil {
            directory = try Self.make(name: self.name, in: try Self.make(name: IgnoreRules.revertedName, in: disk.root))
        }
        guard var found = directory else { throw DiskFailure("undo a change", code: EIO) }
        var number = 1
        while try DiskNode.look(found.number, name) != nil, number < Self.maximumOfName, let directory {
            number += 1
            found = try Self.make(name: "another \(number)", in: directory)
        }
        return found
    }

    private static func make(name: String, in directory: OpenNode) throws(DiskFailure) -> OpenNode {
        mkdirat(directory.number, name, 0o700)
        return try OpenNode(
            openat(directory.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
            "make a folder for what was undone")
    }

    private static func rename(_ from: OpenNode, _ old: [UInt8], _ to: OpenNode, _ new: [UInt8]) -> Int32 {
        baton_rename_exclusively(
            from.number, old.map { CChar(bitPattern: $0) } + [0], to.number, new.map { CChar(bitPattern: $0) } + [0])
    }
}
