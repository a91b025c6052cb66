import NIOCore
import Synchronization

/// Notices that bytes went to a pipe and nothing has come from it for a while, once until something comes again.
///
/// Whether writes complete would not show it: the system takes more bytes than apps may send without an answer.
final class StandstillWatch: Sendable {
    private struct State {
        /// Nil: nothing was sent since something came, or it was called since.
        var deadline: NIODeadline?
        var wasCalled = false
        /// One timer at a time, which looks at the deadline: it is not scheduled anew for each byte.
        var isScheduled = false
        var isOver = false
    }

    private let eventLoop: any EventLoop
    private let patience: TimeAmount
    private let stalled: @Sendable () -> Void
    private let state = Mutex(State())

    init(on eventLoop: any EventLoop, patience: Duration, stalled: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.patience = TimeAmount(patience)
        self.stalled = stalled
    }

    func sent() {
        let deadline = state.withLock { state -> NIODeadline? in
            guard !state.isOver, !state.wasCalled, state.deadline == nil else { return nil }
            let deadline = eventLoop.now + patience
            state.deadline = deadline
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            return deadline
        }
        if let deadline { schedule(deadline) }
    }

    func received() {
        state.withLock { state in
            state.deadline = nil
            state.wasCalled = false
        }
    }

    func end() { state.withLock { $0.isOver = true } }

    private func schedule(_ deadline: NIODeadline) {
        eventLoop.scheduleTask(deadline: deadline) { [self] in look() }
    }

    private func look() {
        let (isDue, next) = state.withLock { state -> (Bool, NIODeadline?) in
            state.isScheduled = false
            guard !state.isOver, let deadline = state.deadline else { return (false, nil) }
            guard deadline <= eventLoop.now else {
                state.isScheduled = true
                return (false, deadline)
            }
            state.deadline = nil
            state.wasCalled = true
            return (true, nil)
        }
        if let next { schedule(next) }
        if isDue { stalled() }
    }
}
