import Dispatch
import Synchronization

/// Runs the work of an operation on the thread that waits for its end: the app's blocks may wait there for other operations, which
/// they must not on a thread of the cooperative pool.
final class OperationThread: TaskExecutor {
    private struct State {
        // Bound: the steps of one task, which come one after the other.
        var jobs: [UnownedJob] = []
        var hasEnded = false
        /// Nothing is run here any more.
        var isOver = false
    }

    private let state = Mutex(State())
    /// Once for each job, and once for the end.
    private let wake = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = state.withLock { state in
            if !state.isOver { state.jobs.append(job) }
            return !state.isOver
        }
        if isTaken {
            wake.signal()
        } else {
            // An actor that the work has called still does this for others.
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// The work has ended.
    func end() {
        state.withLock { $0.hasEnded = true }
        wake.signal()
    }

    /// Runs the work here until its end.
    func run() {
        while true {
            wake.wait()
            let (job, isOver) = state.withLock { state -> (UnownedJob?, Bool) in
                if !state.jobs.isEmpty { return (state.jobs.removeFirst(), false) }
                state.isOver = state.hasEnded
                return (nil, state.isOver)
            }
            if isOver { return }
            job?.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
