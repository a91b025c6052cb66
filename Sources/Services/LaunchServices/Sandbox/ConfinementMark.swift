import Foundation

/// Knows the descendants of apps that were launched: each has one filter of system calls more than the daemon, and
/// no process can take one off (``ConfinedLaunch``).
package enum ConfinementMark {
    private static let own = filters(of: "self") ?? 0

    /// Whether a process descends from an app, or from another program that was confined like one.
    /// - Returns: nil for a process that is gone, or where the kernel does not show it.
    package static func isOn(_ processID: Int32) -> Bool? {
        filters(of: String(processID)).map { $0 > own }
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
