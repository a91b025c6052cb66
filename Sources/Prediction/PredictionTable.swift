/// Counts of items, as seen under one condition.
struct PredictionRow: Sendable {
    private(set) var counts: [UInt32: Double] = [:]
    private(set) var sum = 0.0

    /// - Parameter decay: what the counts so far are multiplied with.
    mutating func add(_ item: UInt32, amount: Double = 1, decay: Double = 1) {
        if decay != 1 {
            sum = 0
            for (key, count) in counts {
                // What has faded counts as never seen, so that a row stays small.
                let left = count * decay
                counts[key] = left < 1e-6 ? nil : left
                sum += left < 1e-6 ? 0 : left
            }
        }
        counts[item, default: 0] += amount
        sum += amount
    }

    func count(of item: UInt32) -> Double { counts[item] ?? 0 }
}

/// The last item and the one before it.
struct PredictionPair: Hashable, Sendable {
    let last: UInt32
    let before: UInt32
}
