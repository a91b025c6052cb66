package import BatonConcurrency
package import BatonCore
import Synchronization

/// Runs `operation`; when it takes longer than `timeout` it is cancelled, and when it then fails, `error` is thrown instead.
///
/// Returns when the operation has ended, so an operation must heed its cancellation.
/// - Parameters:
///   - executor: the executor that the operation prefers; nil for the threads that all share.
///   - onStart: receives what cancels the operation before its time.
package func withDeadline<Value: Sendable>(
    _ timeout: Duration, timer: DeadlineTimer = .shared, executor: (any TaskExecutor)? = nil, error: BatonError,
    onStart: (_ cancel: @escaping @Sendable () -> Void) -> Void = { _ in },
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let hasExpired = Atomic(false)
    // Awaited right below; the timer cancels it, or the task that made this call.
    let task = Task(executorPreference: executor) { try await operation() }
    onStart { task.cancel() }
    let entry = timer.schedule(after: timeout) {
        hasExpired.store(true, ordering: .relaxed)
        task.cancel()
    }
    defer { timer.cancel(entry) }
    do {
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    } catch let failure {
        throw hasExpired.load(ordering: .relaxed) ? error : failure
    }
}
