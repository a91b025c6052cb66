import Dispatch

/// Runs the connection on a thread of its own: callers wait for it on whatever thread they are, also on all of the
/// cooperative pool.
final class CoordinationExecutor: TaskExecutor {
    // Bound: the jobs of the few tasks that prefer this executor.
    let queue = DispatchQueue(label: "development.baton.coordination", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
