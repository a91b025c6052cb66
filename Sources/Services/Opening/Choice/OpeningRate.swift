package import BatonConcurrency
package import BatonCore

/// How often each app may have something opened: a burst, then one a second. Each may start an app, or open a window of the
/// browser, so an app without a bound could make the desktop unusable from behind.
package struct OpeningRate: Sendable {
    package static let burst = 20.0
    package static let interval = Duration.seconds(1)
    /// Policy: of more apps the one that opened longest ago is forgotten, which by then has its burst again.
    package static let maximumApps = 64

    private struct Bucket {
        var tokens: Double
        var time: Duration
    }

    private var buckets: [AppIdentity: Bucket] = [:]

    package init() {}

    package var count: Int { buckets.count }

    /// - Throws: `resource_exhausted` with reason `too_many_openings`.
    package mutating func take(_ app: AppIdentity, now: Moment) throws(BatonError) {
        var bucket = buckets[app] ?? Bucket(tokens: Self.burst, time: now.monotonic)
        bucket.tokens = min(Self.burst, bucket.tokens + max(0, (now.monotonic - bucket.time) / Self.interval))
        bucket.time = now.monotonic
        let isAllowed = bucket.tokens >= 1
        if isAllowed { bucket.tokens -= 1 }
        buckets[app] = bucket
        if buckets.count > Self.maximumApps, let oldest = buckets.min(by: { $0.value.time < $1.value.time }) {
            buckets[oldest.key] = nil
        }
        guard isAllowed else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_openings",
                "\(app.bundleID) has had too much opened at once. It may open something again in a second.")
        }
    }
}
