import BatonCore
import CAvahi
import Foundation
import Synchronization

/// The one thread on which Avahi runs, and the way to hand work to it.
final class AvahiThread: Sendable {
    typealias Job = @Sendable (AvahiEngine) -> Void

    private struct State {
        /// Bounded by the callers: each awaits its announcement; a browse or refresh is one small closure.
        var jobs: [Job] = []
        /// Called on the thread when it has ended.
        var onEnd: [@Sendable () -> Void] = []
        var isStopping = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    /// An eventfd; readable when there is something in `state`. Closed by the thread at its end, under the lock.
    private let wakeup: Int32

    init(interfaces: [String]?, recorder: any EventRecorder, prepare: @escaping @Sendable () -> Void) {
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        let thread = Thread { [self] in
            prepare()
            AvahiEngine(interfaces: interfaces, recorder: recorder).run(wakeup: wakeup) { drain($0) }
            end()
        }
        thread.name = "baton-avahi"
        thread.stackSize = 512 * 1024
        thread.start()
    }

    /// Runs `job` on the thread, soon.
    /// - Returns: false when the thread ends, in which case the job is dropped.
    @discardableResult
    func perform(_ job: @escaping Job) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.jobs.append(job)
            signal()
            return true
        }
    }

    /// - Throws: `unavailable` after `stop`.
    func run<Value: Sendable>(_ body: @escaping @Sendable (AvahiEngine) -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            guard perform({ continuation.resume(returning: body($0)) }) else {
                continuation.resume(
                    throwing: BatonError(.unavailable, reason: "discovery_stopped", "Discovery was shut down."))
                return
            }
        }
    }

    /// - Parameter onEnd: called once nothing of the thread is left.
    func stop(_ onEnd: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            guard !state.hasEnded else { return true }
            state.isStopping = true
            state.onEnd.append(onEnd)
            signal()
            return false
        }
        if hasEnded { onEnd() }
    }

    /// Only under the lock, so that the descriptor is still open.
    private func signal() { _ = eventfd_write(wakeup, 1) }

    /// - Returns: false when the loop is to end.
    private func drain(_ engine: AvahiEngine) -> Bool {
        let (jobs, goOn) = state.withLock { state in
            let jobs = state.jobs
            state.jobs = []
            return (jobs, !state.isStopping)
        }
        for job in jobs { job(engine) }
        return goOn
    }

    private func end() {
        let callbacks = state.withLock { state in
            state.hasEnded = true
            close(wakeup)
            let callbacks = state.onEnd
            state.onEnd = []
            return callbacks
        }
        for callback in callbacks { callback() }
    }
}
