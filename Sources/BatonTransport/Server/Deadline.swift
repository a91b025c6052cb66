package import BatonCore

/// Runs `operation`; when it takes longer than `timeout` it is cancelled and `error` is thrown.
package func withDeadline<Value: Sendable>(
    _ timeout: Duration, error: BatonError, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try await Task.sleep(for: timeout)
            throw error
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw error }
        return value
    }
}
