package import NIOCore

/// Runs tasks on an event loop: what reads a connection there and answers over it needs no other thread to be woken, which costs
/// more than all else that a small call does.
///
/// Tasks that prefer it must not block, as everything on an event loop.
package final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    package init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The closure keeps the executor for as long as the task knows it.
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
