import BatonCore
import Files
import Glibc

/// A number that is greater at each start of the daemon on this device, whatever the clock does.
struct Incarnation {
    let number: UInt64
    /// Why it is not kept; nil where it is. The next start has a greater one all the same, unless the clock is put back meanwhile.
    let problem: String?

    /// A disk that is full keeps no daemon from starting: what needs no room works.
    static func next(in directory: String) throws -> Incarnation {
        let path = directory + "/incarnation"
        let stored =
            try AtomicFile.read(path, limit: 64)
            .flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
        let next = max(WallClock.system.milliseconds, stored &+ 1)
        let bytes = Array("\(next)".utf8)
        do {
            try AtomicFile.write(bytes, to: path)
            return Incarnation(number: next, problem: nil)
        } catch {
            // The room that the file has is enough for a number of the same length.
            let isKept = stored > 0 && "\(stored)".utf8.count == bytes.count && overwrite(path, bytes)
            return Incarnation(number: next, problem: isKept ? nil : "\(error)")
        }
    }

    private static func overwrite(_ path: String, _ bytes: [UInt8]) -> Bool {
        let file = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return pwrite(file, bytes, bytes.count, 0) == bytes.count && fsync(file) == 0
    }
}
