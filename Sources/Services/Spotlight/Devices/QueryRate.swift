import BatonConcurrency
package import BatonCore

/// How often each device may search here: a burst, then so many a second. Times are in milliseconds.
package struct QueryRate: Sendable {
    /// Queries a second of one device, and at once.
    package static let perSecond = 10
    package static let maximumDevices = 64
    private static let interval = Duration.seconds(1) / perSecond

    private var buckets = TokenBuckets<DeviceID>(maximum: Self.maximumDevices)

    package init() {}

    package var count: Int { buckets.count }

    /// - Throws: `resource_exhausted` with reason `too_many_queries`.
    package mutating func take(_ device: DeviceID, now: UInt64) throws(BatonError) {
        let now = Duration.milliseconds(Int64(clamping: now))
        guard buckets.take(device, burst: Self.perSecond, interval: Self.interval, now: now) else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_queries",
                "A device may search here \(Self.perSecond) times a second. Wait a second.")
        }
    }
}
