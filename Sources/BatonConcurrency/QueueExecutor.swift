package import Dispatch

/// Runs an actor on a queue of its own, on which work may block: never on the cooperative pool.
///
/// Work put on the queue otherwise is within the actor too, by `assumeIsolated`.
package final class QueueExecutor: SerialExecutor {
    // Bound: the calls that wait for the actor.
    package let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
