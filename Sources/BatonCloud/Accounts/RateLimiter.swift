import Synchronization

/// So many calls a second for each caller, and a few more at once.
package final class RateLimiter<Caller: Hashable & Sendable>: Sendable {
    /// Callers of whom something is remembered. Policy: at the bound those go who have called least lately.
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

    package func admits(_ caller: Caller) -> Bool {
        let now = now()
        return buckets.withLock { buckets in
            if buckets.count >= Self.maximumCallers, buckets[caller] == nil { Self.makeRoom(&buckets) }
            var bucket = buckets[caller] ?? Bucket(level: burst, time: now)
            let passed = bucket.time.duration(to: now) / .seconds(1)
            bucket.level = min(burst, bucket.level + max(0, passed) * perSecond)
            bucket.time = now
            defer { buckets[caller] = bucket }
            guard bucket.level >= 1 else { return false }
            bucket.level -= 1
            return true
        }
    }

    private static func makeRoom(_ buckets: inout [Caller: Bucket]) {
        for (caller, _) in buckets.sorted(by: { $0.value.time < $1.value.time }).prefix(maximumCallers / 4) {
            buckets[caller] = nil
        }
    }
}
