import BatonCore
import BatonStore

/// A number that is greater at each start of the daemon on this device, whatever the clock does.
enum Incarnation {
    static func next(in directory: String) throws -> UInt64 {
        let path = directory + "/incarnation"
        let stored =
            try AtomicFile.read(path, limit: 64)
            .flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
        let next = max(WallClock.system.milliseconds, stored &+ 1)
        try AtomicFile.write(Array("\(next)".utf8), to: path)
        return next
    }
}
