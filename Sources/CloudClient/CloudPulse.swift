import Synchronization

/// Whether a cloud answers its calls. A connection that is cut, rather than closed, takes minutes to fail.
final class CloudPulse: Sendable {
    private let state = Mutex((calls: 0, heard: ContinuousClock.now))

    func during<Value>(_ call: () async throws -> Value) async throws -> Value {
        state.withLock { state in
            if state.calls == 0 { state.heard = .now }
            state.calls += 1
        }
        defer {
            state.withLock { state in
                state.calls -= 1
                state.heard = .now
            }
        }
        return try await call()
    }

    /// Whether calls are under way, and none has ended for so long.
    func isSilent(for time: Duration) -> Bool {
        state.withLock { $0.calls > 0 && $0.heard.duration(to: .now) >= time }
    }
}
