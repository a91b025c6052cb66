import BatonCore
import Synchronization

/// How much of the machine indexing takes, and whose turn it is.
extension SpotlightService {
    /// Indexing is slower while this says so.
    package func followPower(_ isOnBattery: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isOnBattery = isOnBattery }
    }

    /// As the context has it; false where it is not known.
    var isOnBattery: Bool { state.withLock { $0.isOnBattery }() }

    func spend(_ milliseconds: Double, of owner: ItemOwner) {
        let (now, isOnBattery) = (clock.milliseconds, self.isOnBattery)
        state.withLock { $0.indexing.spend(milliseconds, of: owner, now: now, isOnBattery: isOnBattery) }
    }

    /// Takes what waits in the journal into the index, within the budget.
    ///
    /// Apps whose changes wait for it hear so, those too that come meanwhile, and of the end.
    func applyJournalWithinBudget() async throws {
        var told: Set<AppIdentity> = []
        defer { if !told.isEmpty { apps.tellThrottled(false, Array(told)) } }
        while true {
            // These have no bound, and do not wait for what has.
            try await applyProtected()
            if state.withLock({ $0.takeActivityChange() }) { try await followActivities() }
            let waiting = try await journal.waitingOwners()
            let (now, isOnBattery) = (clock.milliseconds, self.isOnBattery)
            let next = state.withLock { $0.indexing.next(of: waiting, now: now, isOnBattery: isOnBattery) }
            switch next {
            case nil: return
            case .app(let owner)?:
                if let app = owner.app, told.contains(app) {
                    apps.tellThrottled(false, Array(told))
                    told = []
                }
                try await applyBatch(of: owner, .small)
            case .wait(let milliseconds)?:
                let new = Set(waiting.compactMap(\.app)).subtracting(told)
                if !new.isEmpty { apps.tellThrottled(true, Array(new)) }
                if told.isEmpty {
                    recorder.record(
                        "search", "throttled", "Indexing waits, so that it does not take too much of the processor.",
                        ["milliseconds": "\(milliseconds)"])
                }
                told.formUnion(new)
                // Another app may come, and a charger be plugged in meanwhile.
                try await Task.sleep(for: .milliseconds(min(milliseconds, 500)))
            }
        }
    }
}

extension SpotlightService.State {
    /// Whether activities were saved or deleted since this was asked last.
    mutating func takeActivityChange() -> Bool {
        defer { hasActivityChange = false }
        return hasActivityChange
    }
}
