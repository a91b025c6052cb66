import Synchronization

/// Something that happens once, and can be waited for by any number of tasks; a wait ends when its task is cancelled too,
/// which disturbs no other wait.
package final class OneShot: Sendable {
    private struct State {
        var isFired = false
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package func fire() {
        let waiters = state.withLock { state in
            state.isFired = true
            let waiters = state.waiters.values
            state.waiters = [:]
            return Array(waiters)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits; false when the task was cancelled before it fired.
    package func hasFired() async -> Bool {
        await wait()
        return state.withLock { $0.isFired }
    }

    package func wait() async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancelled before this, the handler has found nothing to resume.
                let isOver = state.withLock { state in
                    guard !state.isFired, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
