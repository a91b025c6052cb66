import Glibc

/// How large a disk is, and what of it is free for this user. Bytes.
struct DiskRoom {
    private static let shortestPause = Duration.seconds(30)
    private static let longestPause = Duration.seconds(600)
    /// Bytes that programs write in a second, but for a short time.
    private static let writingRate: UInt64 = 128 << 20

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

    /// Bytes that are to stay free. A disk that is small keeps a tenth of itself.
    func wanted(of room: UInt64) -> UInt64 { min(room, all / 10) }

    /// Bytes that are missing of the room that is to stay free.
    func missing(of room: UInt64) -> UInt64 {
        let wanted = wanted(of: room)
        return wanted - min(wanted, free)
    }

    /// How long it takes at least until less than that is free: until then no look is needed.
    func pause(keeping wanted: UInt64) -> Duration {
        let seconds = (free - min(free, wanted)) / Self.writingRate
        return min(max(.seconds(Int64(clamping: seconds)), Self.shortestPause), Self.longestPause)
    }
}
