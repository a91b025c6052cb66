import BatonConcurrency
import Synchronization

/// A kind of change of the account. Each says only that something changed: read the present state.
package enum AccountEvent: Hashable, Sendable {
    /// An account was made, joined or replaced: there is another ``AccountService/linkIdentity()``.
    case accountChanged
    /// Devices were added or revoked, or the discovery keys changed.
    case membershipChanged
    /// A device's name changed.
    case profilesChanged
    /// There are more content keys: what waits for one can be tried again.
    case contentKeysChanged
    /// The account's cloud is elsewhere, or there is one, or none any more.
    case cloudEndpointChanged
    /// This device does not belong to the account any more. Its data stays; the link must stop.
    case revokedSelf
}

/// Hands events to any number of readers.
///
/// Bound: one waiting event of each kind per reader; an event that already waits is not added again (the reader will
/// read the present state anyhow), so none is lost and nothing grows.
final class AccountEvents: Sendable {
    private final class Reader: Sendable {
        private let waiting = Mailbox<[AccountEvent]>([])

        func add(_ events: [AccountEvent]) {
            waiting.post { waiting in
                for event in events where !waiting.contains(event) { waiting.append(event) }
            }
        }

        func next() async -> AccountEvent? {
            while true {
                let event = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if let event { return event }
                var signals = waiting.changes.makeAsyncIterator()
                if await signals.next() == nil { return nil }
            }
        }
    }

    private struct WeakReader: Sendable {
        weak let reader: Reader?
    }

    private let readers = Mutex<[WeakReader]>([])

    func send(_ events: [AccountEvent]) {
        guard !events.isEmpty else { return }
        let present = readers.withLock { readers in
            readers.removeAll { $0.reader == nil }
            return readers.compactMap(\.reader)
        }
        for reader in present { reader.add(events) }
    }

    /// Events from now on. The stream ends when its reading task is cancelled.
    func stream() -> AsyncStream<AccountEvent> {
        let reader = reader()
        return AsyncStream(unfolding: { await reader.next() })
    }

    /// As ``stream()``, without the kinds.
    func changes() -> AsyncStream<Void> {
        let reader = reader()
        return AsyncStream(unfolding: { await reader.next().map { _ in () } })
    }

    private func reader() -> Reader {
        let reader = Reader()
        readers.withLock { $0.append(WeakReader(reader: reader)) }
        return reader
    }
}
