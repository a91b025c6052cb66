import BatonCore
import OrderedCollections
import Synchronization

/// The pending events of one subscriber. A zone that moves many times while the subscriber is slow is reported once, in
/// its latest state.
package final class Subscription: Sendable {
    /// Zones that wait to be reported. Policy: beyond it the stream ends, and says so; the next one begins with every zone.
    static let maximumPending = 20_000

    package enum Event: Hashable, Sendable {
        case zone(ZoneChange)
        case membership
        case keepAlive
    }

    private struct State {
        /// In the order in which the zones came there.
        var pending: OrderedDictionary<ZoneID, ZoneChange> = [:]
        var membership = false
        var keepAlive = false
        var end: BatonError?
        var waiter: CheckedContinuation<Void, Never>?

        var hasNews: Bool { !pending.isEmpty || membership || keepAlive || end != nil }
    }

    package let caller: CloudCaller
    let number: UInt64
    private let zones: Set<ZoneID>
    private let state = Mutex(State())

    init(number: UInt64, caller: CloudCaller, zones: Set<ZoneID>) {
        self.number = number
        self.caller = caller
        self.zones = zones
    }

    package func concerns(_ zone: ZoneID) -> Bool { zones.isEmpty || zones.contains(zone) }

    // MARK: Reporting

    func offer(_ change: ZoneChange) {
        guard concerns(change.zone) else { return }
        tell { state in
            state.pending[change.zone] = change
            if state.pending.count > Self.maximumPending, state.end == nil { state.end = Self.tooSlow }
        }
    }

    func offerMembership() { tell { $0.membership = true } }
    func offerKeepAlive() { tell { $0.keepAlive = true } }
    func end(_ error: BatonError) { tell { $0.end = $0.end ?? error } }

    private func tell(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    // MARK: Reading

    /// Waits for a change. One reader at a time.
    /// - Throws: why the stream ends: `permission_denied` when the device was revoked.
    package func next() async throws -> [Event] {
        while true {
            try Task.checkCancellation()
            let news = try state.withLock { state throws(BatonError) in try Self.take(&state) }
            if !news.isEmpty { return news }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isLate = state.withLock { state in
                        // Cancelled before it waits: the handler below has run, and found no reader.
                        guard !state.hasNews, !Task.isCancelled else { return true }
                        state.waiter = continuation
                        return false
                    }
                    if isLate { continuation.resume() }
                }
            } onCancel: {
                tell { _ in }
            }
        }
    }

    private static func take(_ state: inout State) throws(BatonError) -> [Event] {
        if let end = state.end { throw end }
        var events: [Event] = []
        if state.membership { events.append(.membership) }
        events += state.pending.values.map(Event.zone)
        if state.keepAlive, events.isEmpty { events.append(.keepAlive) }
        state.membership = false
        state.keepAlive = false
        state.pending = [:]
        return events
    }

    private static let tooSlow = BatonError(
        .resourceExhausted, reason: "subscriber_too_slow",
        "More zones have changed than the subscriber has read. Subscribe again: it begins with every zone.")
}
