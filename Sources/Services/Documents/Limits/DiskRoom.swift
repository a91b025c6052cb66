import Glibc

/// How large a disk is, and what of it is free for this user. Bytes.
struct DiskRoom {
    var free: UInt64
    var all: UInt64

    /// - Parameter path: something on that disk; nil where nothing is.
    init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        all = UInt64(status.f_blocks) * UInt64(status.f_frsize)
    }

    init(free: UInt64, all: UInt64) { (self.free, self.all) = (free, all) }

    /// Bytes that are missing of the room that is to stay free. A disk that is small keeps a tenth of itself.
    func missing(of room: UInt64) -> UInt64 {
        let wanted = min(room, all / 10)
        return wanted - min(wanted, free)
    }
}
