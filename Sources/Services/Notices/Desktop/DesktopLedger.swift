import Files
import Foundation

/// The notices that a daemon shows on the desktop, so that the next one can remove them if this one is killed.
struct DesktopLedger: Hashable, Sendable, Codable {
    /// The bus, so that another one with the same names is not taken for it.
    var bus: String
    /// The notification server's name on the bus, which is never used again there.
    var owner: String
    /// The server's numbers of the notices.
    var notices: [UInt32]

    static let maximumNotices = 64

    /// Blocks. Nil when there is none that can be read: then nothing is known of old notices.
    static func load(_ path: String) -> DesktopLedger? {
        guard let bytes = try? AtomicFile.read(path, limit: 1 << 16),
            var ledger = try? JSONDecoder().decode(DesktopLedger.self, from: Data(bytes))
        else { return nil }
        ledger.notices = Array(ledger.notices.prefix(maximumNotices))
        return ledger
    }

    /// Blocks. One that cannot be written costs no more than a notice that stays after a crash.
    func save(_ path: String) {
        guard !notices.isEmpty else {
            unlink(path)
            return
        }
        guard let data = try? JSONEncoder().encode(self) else { return }
        try? AtomicFile.write(Array(data), to: path)
    }
}
