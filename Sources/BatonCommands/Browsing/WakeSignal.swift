import BatonConcurrency

/// Ends waiting early, for all who wait.
final class WakeSignal: Sendable {
    /// Bounded by the loops that wait, of which the host has three.
    private let waiting = Broadcaster<Void>(.newest)

    func wake() { waiting.send(()) }

    /// One element for each time that ``wake()`` is called from now on; several that are not read yet count as one.
    func signals() -> AsyncStream<Void> { waiting.subscribe() }

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
