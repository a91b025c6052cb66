package import BatonConcurrency
package import BatonCore

/// How often each app may have something opened: a burst, then one a second. Each may start an app, or open a window of the
/// browser, so an app without a bound could make the desktop unusable from behind.
package struct OpeningRate: Sendable {
    package static let burst = 20
    package static let interval = Duration.seconds(1)
    package static let maximumApps = 64

    private var buckets = TokenBuckets<AppIdentity>(maximum: Self.maximumApps)

    package init() {}

    package var count: Int { buckets.count }

    /// - Throws: `resource_exhausted` with reason `too_many_openings`.
    package mutating func take(_ app: AppIdentity, now: Timestamp) throws(BatonError) {
        guard buckets.take(app, burst: Self.burst, interval: Self.interval, now: now.monotonic) else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_openings",
                "\(app.bundleID) has had too much opened at once. It may open something again in a second.")
        }
    }
}
