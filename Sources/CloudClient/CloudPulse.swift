import Synchronization

/// Whether a cloud answers its calls. A connection that is cut, rather than closed, takes minutes to fail.
final class CloudPulse: Sendable {
    private let state = Mutex((calls: 0, heard: ContinuousClock.now))

    /// Bytes of a request from which it may be the upload that takes long, and not the answer.
    static let upload = 64 << 10

    /// - Parameter bytes: of the request, about. While an upload is under way its cloud is not silent for it.
    func during<Value>(sending bytes: Int = 0, _ call: () async throws -> Value) async throws -> Value {
        let count = bytes < Self.upload ? 1 : 0
        state.withLock { state in
            if state.calls == 0 { state.heard = .now }
            state.calls += count
        }
        defer {
            state.withLock { state in
                state.calls -= count
                state.heard = .now
            }
        }
        return try await call()
    }

    /// Whether calls that are no uploads are under way, and none has ended for so long.
    func isSilent(for time: Duration) -> Bool {
        state.withLock { $0.calls > 0 && $0.heard.duration(to: .now) >= time }
    }
}
