/// A rate limit for each of many callers. Policy: of more than the maximum the one that asked longest ago is forgotten, which by then
/// has all its tokens again. A value; times are those of any one clock, and go on from there when it was set back.
package struct TokenBuckets<Caller: Hashable & Sendable>: Sendable {
    private let maximum: Int
    private var buckets: [Caller: (bucket: TokenBucket, asked: Duration)] = [:]

    /// - Parameter maximum: callers that are remembered.
    package init(maximum: Int) { self.maximum = maximum }

    package var count: Int { buckets.count }

    /// - Parameters:
    ///   - burst: tokens that a caller has at first, and may save up.
    ///   - interval: in which one more comes.
    /// - Returns: false where the caller has no token; nothing is taken then.
    package mutating func take(_ caller: Caller, burst: Int, interval: Duration, now: Duration) -> Bool {
        let known = buckets[caller]
        var bucket = known?.bucket ?? TokenBucket(burst: burst, interval: interval, now: now)
        if let known, now < known.asked { bucket.goBack(to: now) }
        let isAllowed = bucket.take(now: now)
        buckets[caller] = (bucket, now)
        if buckets.count > maximum, let oldest = buckets.min(by: { $0.value.asked < $1.value.asked }) {
            buckets[oldest.key] = nil
        }
        return isAllowed
    }
}
