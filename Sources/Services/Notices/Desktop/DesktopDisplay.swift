import Glibc
package import SessionBus
import Synchronization

/// The desktop, by `org.freedesktop.Notifications` on the person's session bus.
///
/// The bus has a thread of its own, which starts with the first notice and then sleeps until something comes; without a
/// bus, as on a server, that is all.
package final class DesktopDisplay: NoticeDisplay {
    typealias Job = @Sendable (DesktopEngine) -> Void

    package let events: AsyncStream<NoticeDisplayEvent>
    private let eventQueue: AsyncStream<NoticeDisplayEvent>.Continuation
    private let address: String?
    private let ledger: String
    private let trust: BusTrust
    /// Bounded by the rates of notices: each job is a notice shown or closed, and takes no time.
    private let jobs = Mutex<[Job]>([])
    private let thread = BusThread("baton-desktop")

    /// - Parameters:
    ///   - environment: says where the bus is.
    ///   - ledger: a file in which the next daemon finds what this one could not take away.
    ///   - trust: judges the notification server. One that is not trusted is none: it would press buttons in the person's place.
    package init(environment: [String: String], ledger: String, trust: @escaping BusTrust) {
        (events, eventQueue) = AsyncStream.makeStream()
        address = BusAddress.session(in: environment)
        self.ledger = ledger
        self.trust = trust
        // Notices left by a daemon that was killed are removed at once.
        if access(ledger, F_OK) == 0 { perform { _ in } }
    }

    deinit { eventQueue.finish() }

    package func show(_ notice: Notice) { perform { $0.show(notice) } }

    package func close(_ id: UInt64) {
        // Nothing was shown before the thread began.
        guard thread.hasStarted else { return }
        perform { $0.close(id) }
    }

    package func shutdown() async {
        await thread.stop()
        eventQueue.finish()
    }

    private func perform(_ job: @escaping Job) {
        guard !thread.isStopping, let address else { return }
        jobs.withLock { $0.append(job) }
        thread.start { [self] thread in
            let engine = DesktopEngine(address: address, ledger: ledger, trust: trust) { [eventQueue] in
                eventQueue.yield($0)
            }
            engine.run(thread) { [self] engine in drain(engine, thread) }
        }
        thread.wake()
    }

    /// - Returns: false when the engine is to end.
    private func drain(_ engine: DesktopEngine, _ thread: BusThread) -> Bool {
        let goOn = !thread.isStopping
        let waiting = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in waiting { job(engine) }
        return goOn
    }
}
