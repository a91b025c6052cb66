import BatonCore

/// When the next request to a server may begin: one a second, and a few that wait. A pure value.
struct RequestPace: Sendable {
    static let interval = Duration.seconds(1)
    /// Requests that may wait; more are refused, and their apps asked to try again.
    static let maximumWaiting = 8

    private var next: ContinuousClock.Instant?

    /// - Returns: how long the caller is to wait.
    /// - Throws: `resource_exhausted` with reason `geocoder_busy`.
    mutating func enter(now: ContinuousClock.Instant) throws(BatonError) -> Duration {
        let start = max(next ?? now, now)
        guard start - now < Self.interval * Self.maximumWaiting else {
            throw BatonError(
                .resourceExhausted, reason: "geocoder_busy",
                "Too many places are being looked up. Try again in a few seconds.")
        }
        next = start + Self.interval
        return start - now
    }
}
