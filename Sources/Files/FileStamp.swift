import Glibc

/// A file's identity and times, taken without reading it. A file with an equal stamp has not been written to by
/// `write`, renamed onto, or had its mode changed since: the change time cannot be set by a program. About writable
/// mappings see ``OpenFile/showsEveryChange()``.
package struct FileStamp: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, directory, symlink, other }

    let device: UInt64
    let inode: UInt64
    let mode: UInt32
    let owner: UInt32
    package let size: Int64
    let modified: Int64
    /// Nanoseconds since 1970.
    package let changed: Int64

    init(_ status: Glibc.stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        mode = UInt32(status.st_mode)
        owner = UInt32(status.st_uid)
        size = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    package var kind: Kind {
        switch mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): .file
        case UInt32(S_IFDIR): .directory
        case UInt32(S_IFLNK): .symlink
        default: .other
        }
    }

    /// Names a file of another kind than these three, for messages.
    package var kindDescription: String {
        switch mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): "a file"
        case UInt32(S_IFDIR): "a directory"
        case UInt32(S_IFLNK): "a symbolic link"
        case UInt32(S_IFIFO): "a named pipe"
        case UInt32(S_IFSOCK): "a socket"
        case UInt32(S_IFBLK), UInt32(S_IFCHR): "a device"
        default: "of an unknown kind"
        }
    }

    package var isExecutable: Bool { mode & 0o111 != 0 }
    /// Runs with another user's rights: never in a bundle.
    package var changesIdentity: Bool { mode & 0o6000 != 0 }
    package var permissions: UInt32 { mode & 0o7777 }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }
}
