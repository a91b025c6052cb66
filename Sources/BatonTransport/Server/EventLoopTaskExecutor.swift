import NIOCore

/// Runs tasks on an event loop: what serves a connection there goes from reading to answering without another thread
/// being woken, which costs more than all else that a small call does.
///
/// Tasks that prefer it must not block, as everything on an event loop.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The closure keeps the executor for as long as the task knows it.
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
