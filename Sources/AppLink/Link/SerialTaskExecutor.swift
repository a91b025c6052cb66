import BatonCore
package import Dispatch
import Synchronization

/// Runs tasks on a thread of its own.
///
/// Callers wait for the daemon, on whatever thread they are; when that is every thread of the cooperative pool, what they
/// wait for must not need one.
package final class SerialTaskExecutor: TaskExecutor {
    // Bound: the jobs of the few tasks that prefer this executor.
    package let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension SerialTaskExecutor {
    private final class Box<Output: Sendable>: Sendable {
        let result = Mutex<Result<Output, any Error>?>(nil)
    }

    /// Has this thread wait for a task. Never called on the queue itself.
    /// - Throws: what the task throws; `deadline_exceeded` after the patience, when the task is cancelled.
    package func wait<Output: Sendable>(
        _ patience: Duration, _ body: @escaping @Sendable () async throws -> Output
    ) throws -> Output {
        let (box, semaphore) = (Box<Output>(), DispatchSemaphore(value: 0))
        // Ends with its own deadline; who gives up before cancels it.
        let task = Task(executorPreference: self, priority: .userInitiated) {
            let result: Result<Output, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            box.result.withLock { $0 = result }
            semaphore.signal()
        }
        let milliseconds = Int(patience / .milliseconds(1))
        guard semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success,
            let result = box.result.withLock({ $0 })
        else {
            task.cancel()
            throw BatonError(
                .deadlineExceeded, reason: "daemon_silent", "The daemon did not answer in time. Try again.")
        }
        return try result.get()
    }
}
