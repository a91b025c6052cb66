import BatonConcurrency
import BatonCore
import BatonTransport
import Synchronization

/// A process that hears of a store's changes.
///
/// Bound: nothing is queued but the keys whose present entries it is to be sent, so a subscriber that is slow costs no more
/// than the store has keys, and gets the last state of each; beyond ``maximumKeys`` it gets everything anew.
final class KeyValueSubscriber: Sendable {
    enum PendingUpdate: Sendable {
        case everything
        case keys([String: KeyValueChangeReason?])
    }

    static let maximumKeys = 4096

    let id = SessionID.random()
    let grant: KeyValueGrant
    /// Nil for the command line.
    let process: PeerProcess?
    /// Signals that something is due, at once for the first time. One element: the content is read then.
    var signals: AsyncStream<Void> { ring.stream }
    private let ring = Signal()
    private let due = Mutex<PendingUpdate>(.everything)

    init(grant: KeyValueGrant, process: PeerProcess?) {
        self.grant = grant
        self.process = process
        ring.send()
    }

    func tell(_ keys: [String: KeyValueChangeReason?]) {
        guard !keys.isEmpty else { return }
        due.withLock { due in
            guard case .keys(var waiting) = due else { return }
            // Why another device's change came still holds after a write here. The era shows that another account came.
            waiting.merge(keys) { old, new in new ?? old }
            due = waiting.count > Self.maximumKeys ? .everything : .keys(waiting)
        }
        ring.send()
    }

    func takeDue() -> PendingUpdate {
        due.withLock { due in
            defer { due = .keys([:]) }
            return due
        }
    }

    /// Sends everything once more.
    func forget() { due.withLock { $0 = .everything } }

    func end() { ring.finish() }
}
