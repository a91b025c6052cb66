package import BatonCore
import Glibc

/// A directory held open, whose entries are reached relative to it and never through a symbolic link.
///
/// A path can be made to lead elsewhere between two uses; a descriptor cannot. Everything that reads or writes a
/// bundle goes through this type.
package final class DirectoryHandle: Sendable {
    package let descriptor: Int32
    /// For messages only.
    package let path: String

    /// Takes over an open descriptor of a directory.
    init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { Glibc.close(descriptor) }

    /// - Throws: when `path` is not a directory, or its last component is a symbolic link.
    package convenience init(path: String) throws(BatonError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure.error("open", path) }
        self.init(adopting: descriptor, path: path)
    }

    package func directory(_ name: String) throws(BatonError) -> DirectoryHandle {
        let child = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard child >= 0 else { throw FileFailure.error("open", joined(name)) }
        return DirectoryHandle(adopting: child, path: joined(name))
    }

    /// - Parameter components: names from here downwards.
    package func directory(at components: some Sequence<Substring>) throws(BatonError) -> DirectoryHandle {
        var current = self
        for component in components { current = try current.directory(String(component)) }
        return current
    }

    /// Opens a regular file for reading. Nothing else is opened: not even a named pipe, which would block.
    package func file(_ name: String) throws(BatonError) -> OpenFile {
        let child = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard child >= 0 else { throw FileFailure.error("open", joined(name)) }
        let file = OpenFile(descriptor: child, path: joined(name))
        let kind = try file.stamp()
        guard kind.kind == .file else {
            throw BatonError(
                .failedPrecondition, reason: "not_a_file",
                "“\(PrintableName.escaped(file.path))” is \(kind.kindDescription), not a file.")
        }
        return file
    }

    package func stamp() throws(BatonError) -> FileStamp {
        var status = Glibc.stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure.error("examine", path) }
        return FileStamp(status)
    }

    /// The stamp of the entry itself, never of a link's target; nil if there is none.
    /// - Parameter name: may be a path below this directory.
    package func stamp(of name: String) throws(BatonError) -> FileStamp? {
        var status = Glibc.stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileFailure.error("examine", joined(name))
        }
        return FileStamp(status)
    }

    /// The raw names, sorted by their bytes; without `.` and `..`.
    /// - Throws: `resource_exhausted` when there are more than `limit`.
    package func names(limit: Int) throws(BatonError) -> [[UInt8]] {
        // A descriptor of its own: the position in a directory belongs to the open file.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw FileFailure.error("list", path) }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw FileFailure.error("list", path) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            guard names.count < limit else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_files",
                    "“\(PrintableName.escaped(path))” holds more than the \(limit) entries that are allowed.")
            }
            names.append(name)
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    package func linkTarget(of name: String) throws(BatonError) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: 4097)
        let count = readlinkat(descriptor, name, &buffer, buffer.count)
        guard count >= 0 else { throw FileFailure.error("read", joined(name)) }
        return buffer.prefix(count).map(UInt8.init(bitPattern:))
    }

    func joined(_ name: String) -> String { path + "/" + name }
}
