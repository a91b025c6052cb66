import BatonCore
import Files
import Glibc

/// The kind of file at a name in an Inbox.
struct InboxEntry: Hashable, Sendable {
    var inode: UInt64
    var permissions: UInt32
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
    var isFile: Bool
    /// It has a length, and nothing that was ever written.
    var isHole: Bool

    /// Nil when there is nothing.
    init?(_ directory: DirectoryHandle, _ name: String) {
        var status = stat()
        guard fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        permissions = UInt32(status.st_mode) & 0o7777
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        isFile = status.st_mode & S_IFMT == S_IFREG
        isHole = status.st_blocks == 0 && status.st_size > 0
    }

    /// Stands for a file that is sealed, or is hidden from apps: none may open it.
    var isClosed: Bool { isFile && permissions & 0o777 == 0 }

    /// Sets what a file shows of itself.
    static func set(_ file: OpenFile, mode: UInt32, modified: Int64) throws(BatonError) {
        var times = [timespec(), timespec()]
        for index in times.indices {
            times[index].tv_sec = Int(modified / 1_000_000_000)
            times[index].tv_nsec = Int(max(0, modified % 1_000_000_000))
        }
        guard futimens(file.descriptor, times) == 0, fchmod(file.descriptor, mode) == 0 else {
            throw failure(file.path)
        }
    }

    static func resize(_ file: OpenFile, _ size: Int64) throws(BatonError) {
        guard ftruncate(file.descriptor, Int(size)) == 0 else { throw failure(file.path) }
    }

    static func change(_ directory: DirectoryHandle, _ name: String, mode: UInt32) throws(BatonError) {
        guard fchmodat(directory.descriptor, name, mode, 0) == 0 || errno == ENOENT else { throw failure(name) }
    }

    /// Gives a file another name that is free.
    /// - Returns: false when it is not free.
    static func link(_ directory: DirectoryHandle, _ name: String, as new: String) throws(BatonError) -> Bool {
        if linkat(directory.descriptor, name, directory.descriptor, new, 0) == 0 { return true }
        guard errno == EEXIST else { throw failure(new) }
        return false
    }

    private static func failure(_ path: String) -> BatonError {
        BatonError(
            errno == ENOSPC || errno == EDQUOT ? .resourceExhausted : .failedPrecondition, reason: "inbox_unwritable",
            "“\(PrintableName.escaped(path))” cannot be changed: \(String(cString: strerror(errno))).")
    }
}
