import Foundation

/// A process that cannot be mistaken for a later one with the same identifier.
struct ProcessStamp: Hashable, Sendable {
    let processID: Int32
    /// In clock ticks since the machine started.
    let startTime: UInt64

    init(processID: Int32, startTime: UInt64) {
        self.processID = processID
        self.startTime = startTime
    }

    /// Nil if there is no such process, or if it has ended and only waits to be reaped. Reads `/proc`, which is memory.
    init?(of processID: Int32) {
        guard processID > 0, let bytes = Self.read("/proc/\(processID)/stat"),
            // The name is in parentheses and may hold any character.
            let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = bytes[(nameEnd + 1)...].split(separator: UInt8(ascii: " "))
        // State is the 3rd field of the line, the start time the 22nd.
        guard fields.count > 19, let state = fields[0].first, state != UInt8(ascii: "Z"), state != UInt8(ascii: "X"),
            let startTime = UInt64(String(decoding: fields[19], as: UTF8.self))
        else { return nil }
        self.init(processID: processID, startTime: startTime)
    }

    var isAlive: Bool { ProcessStamp(of: processID) == self }

    /// To the whole group of a process that leads one, as apps do that Baton launched; else to the process alone.
    func send(_ signal: Int32) {
        guard isAlive else { return }
        kill(getpgid(processID) == processID ? -processID : processID, signal)
    }

    /// Differs after each start of the machine.
    static func bootID() -> String {
        read("/proc/sys/kernel/random/boot_id").map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        } ?? ""
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }
}
