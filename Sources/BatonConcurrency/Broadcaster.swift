import Synchronization

/// Sends each subscriber the elements from its subscription on, all of them in one order.
package final class Broadcaster<Element: Sendable>: Sendable {
    /// Elements that a subscriber has not read yet.
    package enum Buffer: Sendable {
        /// Only the newest waits: for states, of which the last one counts.
        case newest
        /// This many elements wait; a subscriber that falls further behind loses the oldest.
        case latest(Int)
        /// This many elements wait; a subscriber that falls further behind has its stream ended.
        case bounded(Int)
        /// All wait: where what can happen is bounded otherwise.
        case unbounded
    }

    private struct State {
        var subscribers: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    private let buffer: Buffer
    private let state = Mutex(State())
    /// Subscribers whose readers have gone, under a lock that is never held while one is notified: the runtime holds a task's
    /// lock when it says that the task was cancelled, and takes it when a reader is notified.
    private let ended = Mutex<[UInt64]>([])

    package init(_ buffer: Buffer) { self.buffer = buffer }

    /// - Parameter first: read before everything else.
    package func subscribe(_ first: [Element] = []) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
        for element in first { continuation.yield(element) }
        let id = state.withLock { state -> UInt64? in
            removeEnded(&state)
            guard !state.isFinished else { return nil }
            state.last += 1
            state.subscribers[state.last] = continuation
            return state.last
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget(id) }
        return stream
    }

    private var policy: AsyncStream<Element>.Continuation.BufferingPolicy {
        switch buffer {
        case .newest: .bufferingNewest(1)
        case .latest(let count): .bufferingNewest(count)
        case .bounded(let count): .bufferingOldest(count)
        case .unbounded: .unbounded
        }
    }

    /// Does not block.
    package func send(_ element: Element) {
        // Under the lock, which keeps the order; a subscriber that fell behind is ended outside of it, since that calls back.
        let behind = state.withLock { state in
            var behind: [AsyncStream<Element>.Continuation] = []
            removeEnded(&state)
            for (id, subscriber) in state.subscribers {
                guard case .dropped = subscriber.yield(element), case .bounded = buffer else { continue }
                state.subscribers[id] = nil
                behind.append(subscriber)
            }
            return behind
        }
        for subscriber in behind { subscriber.finish() }
    }

    /// Ends every stream, those to come too.
    package func finish() {
        let subscribers = state.withLock { state in
            state.isFinished = true
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    package var count: Int {
        state.withLock { state in
            removeEnded(&state)
            return state.subscribers.count
        }
    }

    private func forget(_ id: UInt64) { ended.withLock { $0.append(id) } }

    private func removeEnded(_ state: inout State) {
        let ids = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        for id in ids { state.subscribers[id] = nil }
    }
}
