import FileSync

/// Results of actions wait for those of the actions that follow, so that all are made durable, and what follows from them is written, at
/// once: one by one that costs more than the actions.
struct WaitingResults {
    private static let most = 1000
    private static let longest = Duration.seconds(1)

    private var taken: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { taken = now }

    /// Whether inputs are left for later. Anything but a result is handled at once, with the results before it.
    /// - Parameter hasActions: more results are to come.
    mutating func mayWait(
        _ inputs: [FileSyncInput], forMore hasActions: Bool, at now: ContinuousClock.Instant
    ) -> Bool {
        let isSoon = inputs.count < Self.most && taken.duration(to: now) < Self.longest
        if hasActions, isSoon, inputs.allSatisfy(\.isResult) { return true }
        taken = now
        return false
    }
}
