import Synchronization

/// Hands elements from senders to the task that waits, in order.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var end: Result<Void, any Error>?
        var waiter: CheckedContinuation<Element?, any Error>?
    }

    private let state = Mutex(State())

    func send(_ element: Element) {
        let waiter = state.withLock { state in
            guard let waiter = state.waiter else {
                state.elements.append(element)
                return nil as CheckedContinuation<Element?, any Error>?
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: element)
    }

    func end(_ result: Result<Void, any Error> = .success(())) {
        let waiter = state.withLock { state in
            state.end = state.end ?? result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: result.map { nil })
    }

    /// Nil at the end. Throws when the task is cancelled.
    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Element?, any Error>? in
                    if !state.elements.isEmpty { return .success(state.elements.removeFirst()) }
                    if let end = state.end { return end.map { nil } }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiter = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Elements that were sent and not taken.
    var pending: [Element] { state.withLock { $0.elements } }
}
