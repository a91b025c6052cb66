import Synchronization

/// Ends waiting early, for all who wait.
final class WakeSignal: Sendable {
    private struct State {
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var last: UInt64 = 0
    }

    /// Bounded by the loops that wait, of which the host has three.
    private let state = Mutex(State())

    func wake() {
        for continuation in state.withLock({ Array($0.waiting.values) }) { continuation.yield() }
    }

    /// One element for each time that ``wake()`` is called from now on; several that nobody has read yet count as one.
    func signals() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.last += 1
            state.waiting[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.waiting.removeValue(forKey: id) }
        }
        return stream
    }

    /// Sleeps for this long, or until one of ``signals()`` comes.
    func sleep(
        _ duration: Duration, or signals: AsyncStream<Void>,
        with sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await sleep(duration) }
            group.addTask { for await _ in signals { break } }
            try await group.next()
        }
        try Task.checkCancellation()
    }
}
