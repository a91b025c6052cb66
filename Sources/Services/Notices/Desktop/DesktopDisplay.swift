import CSystemd
import Foundation
import Synchronization

/// The desktop, by `org.freedesktop.Notifications` on the person's session bus.
///
/// The bus has a thread of its own, which starts with the first notice and then sleeps until something comes; without a
/// bus, as on a server, that is all.
package final class DesktopDisplay: NoticeDisplay {
    typealias Job = @Sendable (DesktopEngine) -> Void

    private struct State {
        /// Bounded by the rates of notices: each job is a notice shown or closed, and takes no time.
        var jobs: [Job] = []
        var hasThread = false
        var isStopping = false
        var hasEnded = false
        var onEnd: [CheckedContinuation<Void, Never>] = []
    }

    package let events: AsyncStream<NoticeDisplayEvent>
    private let eventQueue: AsyncStream<NoticeDisplayEvent>.Continuation
    private let address: String?
    private let ledger: String
    private let state = Mutex(State())
    /// An eventfd; readable when there is something in `state`. Closed by the thread at its end, under the lock.
    private let wakeup: Int32

    /// - Parameters:
    ///   - environment: says where the bus is.
    ///   - ledger: a file in which the next daemon finds what this one could not take away.
    package init(environment: [String: String], ledger: String) {
        (events, eventQueue) = AsyncStream.makeStream()
        address = SessionBusAddress.find(in: environment)
        self.ledger = ledger
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // Notices left by a daemon that was killed are removed at once.
        if access(ledger, F_OK) == 0 { perform { _ in } }
    }

    deinit {
        // Without a thread, which keeps the object alive, nobody else closes it.
        if !state.withLock({ $0.hasEnded }) { Glibc.close(wakeup) }
        eventQueue.finish()
    }

    package func show(_ notice: Notice) { perform { $0.show(notice) } }

    package func close(_ id: UInt64) {
        // Nothing was shown before the thread began.
        guard state.withLock({ $0.hasThread }) else { return }
        perform { $0.close(id) }
    }

    package func shutdown() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                guard state.hasThread, !state.hasEnded else {
                    state.isStopping = true
                    return true
                }
                state.isStopping = true
                state.onEnd.append(continuation)
                signal()
                return false
            }
            if isOver { continuation.resume() }
        }
        eventQueue.finish()
    }

    private func perform(_ job: @escaping Job) {
        let mustStart = state.withLock { state in
            guard !state.isStopping, address != nil else { return false }
            state.jobs.append(job)
            signal()
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if mustStart { startThread() }
    }

    private func startThread() {
        let thread = Thread { [self] in
            let engine = DesktopEngine(address: address ?? "", ledger: ledger) { [eventQueue] in eventQueue.yield($0) }
            engine.run(wakeup: wakeup) { drain($0) }
            end()
        }
        thread.name = "baton-desktop"
        thread.stackSize = 512 * 1024
        thread.start()
    }

    /// Only under the lock, so that the descriptor is still open.
    private func signal() { _ = eventfd_write(wakeup, 1) }

    /// - Returns: false when the engine is to end.
    private func drain(_ engine: DesktopEngine) -> Bool {
        let (jobs, goOn) = state.withLock { state in
            defer { state.jobs = [] }
            return (state.jobs, !state.isStopping)
        }
        for job in jobs { job(engine) }
        return goOn
    }

    private func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            Glibc.close(wakeup)
            defer { state.onEnd = [] }
            return state.onEnd
        }
        for continuation in waiting { continuation.resume() }
    }
}
