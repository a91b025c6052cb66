import BatonCore
import Glibc
import Synchronization

/// How much of the machine indexing takes.
extension SpotlightService {
    /// Indexing is slower while this says so.
    package func followPower(_ isOnBattery: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isOnBattery = isOnBattery }
    }

    /// Processor time of this thread, in milliseconds.
    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    func spend(_ milliseconds: Double) {
        let (now, isOnBattery) = (clock.milliseconds, state.withLock { $0.isOnBattery }())
        state.withLock { $0.budget.spend(milliseconds, now: now, isOnBattery: isOnBattery) }
    }

    /// Returns when there is budget for a batch. Apps whose changes wait hear of it, and of its end.
    func awaitBudget() async throws {
        var told: [AppIdentity] = []
        while true {
            let (now, isOnBattery) = (clock.milliseconds, state.withLock { $0.isOnBattery }())
            let wait = state.withLock { $0.budget.wait(now: now, isOnBattery: isOnBattery) }
            guard wait > 0 else { break }
            if told.isEmpty {
                let waiting = try await journal.waitingOwners().compactMap(\.app)
                // Nothing waits, so nothing is slowed.
                guard !waiting.isEmpty else { return }
                told = waiting
                apps.tellThrottled(true, told)
                recorder.record(
                    "search", "throttled", "Indexing waits, so that it does not take too much of the processor.",
                    ["milliseconds": "\(wait)"])
            }
            // A charger may be plugged in meanwhile.
            try await Task.sleep(for: .milliseconds(min(wait, 5000)))
        }
        if !told.isEmpty { apps.tellThrottled(false, told) }
    }
}
