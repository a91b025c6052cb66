import Synchronization

/// How many commands of the daemon may be under way in the app at once.
///
/// Policy: at the limit no further command is read, so that the daemon's stream stands still until the app has
/// answered one. Only the one loop that reads commands waits here.
final class CommandWindow: Sendable {
    private struct State {
        var free: Int
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(limit: Int) { state = Mutex(State(free: limit)) }

    /// Waits for a free place and takes it. Returns at once when the task is cancelled.
    func acquire() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.isCancelled { return true }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    precondition(state.waiter == nil, "only one loop reads commands")
                    state.waiter = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }

    func release() {
        let waiter = state.withLock { state in
            guard let waiter = state.waiter else {
                state.free += 1
                return nil as CheckedContinuation<Void, Never>?
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }
}
