import OrderedCollections
import Synchronization

/// The events that one reader of `browse` has not taken yet.
///
/// Bounded by the number of instances that are tracked: of each instance only the newest event is kept, and everything
/// else is a flag. So a slow reader gets the newest state of each instance, and nothing is lost for good.
package final class DiscoveryMailbox: Sendable {
    private struct State {
        /// In the order in which they changed first.
        var latest: OrderedDictionary<String, DiscoveryEvent> = [:]
        var networkChanged = false
        var unavailable: String?
        /// At most one name is announced per type.
        var nameTaken: String?
        var waiter: CheckedContinuation<DiscoveryEvent?, Never>?
        var isFinished = false

        mutating func add(_ event: DiscoveryEvent) {
            switch event {
            case .found(let service): latest[service.instance] = event
            case .lost(let instance): latest[instance] = event
            case .networkChanged:
                networkChanged = true
                // It was reported in vain, or is about to be reported anew.
                unavailable = nil
            case .unavailable(let reason): unavailable = reason
            case .nameTaken(let instance): nameTaken = instance
            }
        }

        mutating func take() -> DiscoveryEvent? {
            if networkChanged {
                networkChanged = false
                return .networkChanged
            }
            if let reason = unavailable {
                unavailable = nil
                return .unavailable(reason: reason)
            }
            if let instance = nameTaken {
                nameTaken = nil
                return .nameTaken(instance: instance)
            }
            return latest.isEmpty ? nil : latest.removeFirst().value
        }
    }

    private let state = Mutex(State())
    private let onRelease: @Sendable () -> Void

    /// - Parameter onRelease: called when the last reference goes, that is when no reader is left.
    package init(onRelease: @escaping @Sendable () -> Void = {}) { self.onRelease = onRelease }

    deinit { onRelease() }

    /// The stream to read; the mailbox lives as long as the stream.
    package func stream() -> AsyncStream<DiscoveryEvent> {
        AsyncStream(unfolding: { await self.next() }, onCancel: { self.finish() })
    }

    package var isFinished: Bool { state.withLock { $0.isFinished } }

    package func post(_ event: DiscoveryEvent) {
        let delivery = state.withLock { state -> (CheckedContinuation<DiscoveryEvent?, Never>, DiscoveryEvent)? in
            guard !state.isFinished else { return nil }
            state.add(event)
            guard let waiter = state.waiter, let next = state.take() else { return nil }
            state.waiter = nil
            return (waiter, next)
        }
        delivery.map { waiter, event in waiter.resume(returning: event) }
    }

    package func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: nil)
    }

    private func next() async -> DiscoveryEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let immediate = state.withLock { state -> DiscoveryEvent?? in
                    if let event = state.take() { return .some(event) }
                    guard !state.isFinished else { return .some(nil) }
                    state.waiter = continuation
                    return nil
                }
                if let immediate { continuation.resume(returning: immediate) }
            }
        } onCancel: {
            finish()
        }
    }
}
