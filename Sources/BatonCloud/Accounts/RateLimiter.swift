import Synchronization

/// Limits the calls per second of each caller, with a small burst.
package final class RateLimiter<Caller: Hashable & Sendable>: Sendable {
    /// Callers that are remembered. Policy: at the bound those go that have called least lately.
    private static var maximumCallers: Int { 50_000 }

    private struct Bucket {
        var level: Double
        var time: ContinuousClock.Instant
    }

    private let perSecond: Double
    private let burst: Double
    private let now: @Sendable () -> ContinuousClock.Instant
    private let buckets = Mutex<[Caller: Bucket]>([:])

    package init(
        perSecond: Double, burst: Double, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.perSecond = perSecond
        self.burst = burst
        self.now = now
    }

    /// - Parameter cost: of a call that is worth several; one that is worth more than may come at once takes all of it.
    package func admits(_ caller: Caller, cost: Double = 1) -> Bool {
        let cost = min(max(1, cost), burst)
        let now = now()
        return buckets.withLock { buckets in
            if buckets.count >= Self.maximumCallers, buckets[caller] == nil { Self.makeRoom(&buckets) }
            var bucket = buckets[caller] ?? Bucket(level: burst, time: now)
            let passed = bucket.time.duration(to: now) / .seconds(1)
            bucket.level = min(burst, bucket.level + max(0, passed) * perSecond)
            bucket.time = now
            defer { buckets[caller] = bucket }
            guard bucket.level >= cost else { return false }
            bucket.level -= cost
            return true
        }
    }

    private static func makeRoom(_ buckets: inout [Caller: Bucket]) {
        for (caller, _) in buckets.sorted(by: { $0.value.time < $1.value.time }).prefix(maximumCallers / 4) {
            buckets[caller] = nil
        }
    }
}
