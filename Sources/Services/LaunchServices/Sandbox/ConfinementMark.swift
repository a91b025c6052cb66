import BatonCore
import Foundation
import Synchronization

/// Knows the descendants of apps that were launched: each has one filter of system calls more than the daemon that launched the app,
/// and no process can take one off (``ConfinedLaunch``).
package enum ConfinementMark {
    private static let own = filters(of: "self") ?? 0
    /// The fewest filters of an app since the machine started. Apps outlive their daemon, and one from a terminal has none itself, while
    /// systemd gives its services some.
    private static let fewest = Mutex(Int.max)

    /// Whether a process descends from an app, or from another program that was confined like one.
    /// - Returns: nil for a process that is gone, or where the kernel does not show it.
    package static func isOn(_ processID: Int32) -> Bool? {
        filters(of: String(processID)).map { isMarked($0, own: own, fewest: fewest.withLock(\.self)) }
    }

    static func isMarked(_ filters: Int, own: Int, fewest: Int) -> Bool { filters > min(own, fewest - 1) }

    /// Reads what daemons before this one have noted. Blocks.
    /// - Parameter running: the apps of those that still run; an older daemon has noted nothing.
    static func learn(from record: ConfinementRecord, running: [Int32]) throws(BatonError) {
        let known = try record.read()
        let found = running.compactMap { filters(of: String($0)) }.filter { $0 > 0 } + [known].compactMap(\.self)
        guard let least = found.min() else { return }
        fewest.withLock { $0 = min($0, least) }
        if least != known { try record.write(least) }
    }

    /// Notes for the daemons after this one that apps are started. Blocks.
    static func note(in record: ConfinementRecord) throws(BatonError) {
        guard own + 1 < fewest.withLock(\.self) else { return }
        try record.write(own + 1)
        fewest.withLock { $0 = min($0, own + 1) }
    }

    private static func filters(of process: String) -> Int? {
        guard let file = fopen("/proc/\(process)/status", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 8192)
        let count = fread(&buffer, 1, buffer.count, file)
        let text = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let key = "\nSeccomp_filters:"
        guard let start = text.range(of: key) else { return nil }
        return Int(text[start.upperBound...].prefix { $0 != "\n" }.trimmingCharacters(in: .whitespaces))
    }
}
