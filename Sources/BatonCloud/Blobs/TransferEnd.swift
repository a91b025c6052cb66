import BatonConcurrency
import BatonCore
import BatonTransport
import HTTPTypes
import Synchronization

/// How a transfer of a device ends that does not belong to the account any more. An upload is answered with the reason,
/// instead of what it sends next; an answer that has begun can only be broken off.
final class TransferEnd: Sendable {
    private struct State {
        var reason: BatonError?
        var timer: DeadlineTimer.Entry?
        var isOver = false
    }

    /// For an upload that sends nothing, or waits for the disk.
    private static let patience = Duration.seconds(5)

    private let state = Mutex(State())

    func come(to call: ResourceCall, with error: BatonError) {
        guard call.method == .put else { return call.abandon() }
        state.withLock { state in
            guard !state.isOver, state.timer == nil else { return }
            state.reason = error
            state.timer = DeadlineTimer.shared.schedule(after: Self.patience) { call.abandon() }
        }
    }

    /// - Throws: the reason, once it has come.
    func check() throws(BatonError) {
        if let error = state.withLock({ $0.reason }) { throw error }
    }

    /// The transfer has ended: its connection may serve another call.
    func over() {
        let timer = state.withLock { state in
            state.isOver = true
            return state.timer
        }
        if let timer { DeadlineTimer.shared.cancel(timer) }
    }
}
