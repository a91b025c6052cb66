import BatonTransport
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

    /// Nil if there is no such process, or if it has ended and only waits to be reaped.
    init?(of processID: Int32) {
        guard let startTime = PeerProcess.startTime(of: processID) else { return nil }
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
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }
}
