import BatonCore
import Synchronization

/// How much of the machine indexing takes.
extension SpotlightService {
    /// Indexing is slower while this says so.
    package func followPower(_ isOnBattery: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isOnBattery = isOnBattery }
    }

    /// As the context has it; false where it is not known.
    var isOnBattery: Bool { state.withLock { $0.isOnBattery }() }

    func spend(_ milliseconds: Double) {
        let (now, isOnBattery) = (clock.milliseconds, self.isOnBattery)
        state.withLock { $0.budget.spend(milliseconds, now: now, isOnBattery: isOnBattery) }
    }

    /// Returns when there is budget for a batch. Apps whose changes wait hear of it, those too that come meanwhile, and of its end.
    func awaitBudget() async throws {
        var told: Set<AppIdentity> = []
        while true {
            let (now, isOnBattery) = (clock.milliseconds, self.isOnBattery)
            let wait = state.withLock { $0.budget.wait(now: now, isOnBattery: isOnBattery) }
            guard wait > 0 else { break }
            let waiting = Set(try await journal.waitingOwners().compactMap(\.app))
            // Nothing waits, so nothing is slowed.
            guard !waiting.isEmpty else { break }
            let new = waiting.subtracting(told)
            if !new.isEmpty { apps.tellThrottled(true, Array(new)) }
            if told.isEmpty {
                recorder.record(
                    "search", "throttled", "Indexing waits, so that it does not take too much of the processor.",
                    ["milliseconds": "\(wait)"])
            }
            told.formUnion(new)
            // A charger may be plugged in meanwhile.
            try await Task.sleep(for: .milliseconds(min(wait, 5000)))
        }
        if !told.isEmpty { apps.tellThrottled(false, Array(told)) }
    }
}
