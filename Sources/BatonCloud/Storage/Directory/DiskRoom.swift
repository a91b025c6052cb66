import BatonCore
import Glibc

/// Looks for room on a disk by taking some.
enum DiskRoom {
    /// - Parameters:
    ///   - path: of a file that is made for it and removed.
    ///   - bytes: of a disk that is large enough; of a smaller one an eighth of it is looked for.
    /// - Throws: `resource_exhausted` `disk_full`. Blocks.
    static func find(_ bytes: Int, at path: String) throws(BatonError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CloudDatabase.diskFull(nil) }
        defer { close(descriptor) }
        unlink(path)
        var disk = statvfs()
        guard fstatvfs(descriptor, &disk) == 0 else { throw CloudDatabase.diskFull(nil) }
        let eighth = Int(clamping: UInt64(disk.f_blocks)) / 8 * Int(clamping: UInt64(disk.f_frsize))
        let wanted = max(4096, min(bytes, eighth))
        guard posix_fallocate(descriptor, 0, off_t(wanted)) == 0 else { throw CloudDatabase.diskFull(nil) }
    }
}
