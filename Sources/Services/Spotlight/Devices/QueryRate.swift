package import BatonCore

/// How often each device may search here: a burst, then so many a second. Times are in milliseconds.
package struct QueryRate: Sendable {
    /// Queries a second of one device, and at once.
    package static let perSecond = 10
    /// Policy: of more devices the one that asked longest ago is forgotten, which by then has all its queries again.
    package static let maximumDevices = 64

    private struct Bucket {
        var tokens: Double
        var time: UInt64
    }

    private var buckets: [DeviceID: Bucket] = [:]

    package init() {}

    package var count: Int { buckets.count }

    /// - Throws: `resource_exhausted` with reason `too_many_queries`.
    package mutating func take(_ device: DeviceID, now: UInt64) throws(BatonError) {
        let full = Double(Self.perSecond)
        var bucket = buckets[device] ?? Bucket(tokens: full, time: now)
        // A clock that was set back gives nothing, and takes nothing away.
        let earned = now > bucket.time ? Double(now - bucket.time) / 1000 * full : 0
        bucket.tokens = min(full, bucket.tokens + earned)
        bucket.time = now
        let isAllowed = bucket.tokens >= 1
        if isAllowed { bucket.tokens -= 1 }
        buckets[device] = bucket
        if buckets.count > Self.maximumDevices, let oldest = buckets.min(by: { $0.value.time < $1.value.time }) {
            buckets[oldest.key] = nil
        }
        guard isAllowed else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_queries",
                "A device may search here \(Self.perSecond) times a second. Wait a second.")
        }
    }
}
