import CLinux
import Glibc

/// Opens files for the sync's own reading: the time of their last use, by which contents leave a full disk, stays that of the person's
/// programs. Only the owner of a file may open it so.
enum QuietOpening {
    /// `O_NOATIME`, which the C library does not show to Swift.
    private static let keepingUse: Int32 = 0o1_000_000
    private static let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

    /// - Returns: a descriptor, or -1 with `errno`.
    static func open(_ directory: Int32, _ path: [CChar]) -> Int32 {
        let number = openat(directory, path, flags | keepingUse)
        return number >= 0 || errno != EPERM ? number : openat(directory, path, flags)
    }

    /// The same beneath a directory only, whatever links lead out of it.
    static func open(beneath directory: Int32, _ path: String) -> Int32 {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let resolve = UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV)
        return path.withCString { path in
            let number = baton_openat2(directory, path, UInt64(flags | keepingUse), 0, resolve)
            return number >= 0 || errno != EPERM ? number : baton_openat2(directory, path, UInt64(flags), 0, resolve)
        }
    }
}
