import BatonCore
import Glibc

/// Looks for room on a disk by taking some.
enum DiskRoom {
    /// Asks how much is free, and takes nothing.
    /// - Parameter bytes: of a disk that is large enough; of a smaller one a sixty-fourth of it is looked for.
    /// - Throws: `resource_exhausted` `disk_full`. Blocks.
    static func check(_ bytes: Int, in folder: String) throws(BatonError) {
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { throw CloudDatabase.diskFull(nil) }
        let unit = Int(clamping: UInt64(disk.f_frsize))
        let part = Int(clamping: UInt64(disk.f_blocks)) / 64 * unit
        // The superuser may use what is kept from others.
        let free = Int(clamping: UInt64(geteuid() == 0 ? disk.f_bfree : disk.f_bavail)).multipliedReportingOverflow(
            by: unit)
        guard free.overflow || free.partialValue >= max(4096, min(bytes, part)) else {
            throw CloudDatabase.diskFull(nil)
        }
    }

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
