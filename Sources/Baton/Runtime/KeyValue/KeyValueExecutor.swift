import Dispatch

/// Runs tasks on a thread of its own.
///
/// Callers of the key-value store wait for the daemon, on whatever thread they are; when that is every thread of the
/// cooperative pool, what they wait for must not need one.
final class KeyValueExecutor: TaskExecutor {
    // Bound: the jobs of the few tasks that prefer this executor.
    let queue = DispatchQueue(label: "development.baton.key-value", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
