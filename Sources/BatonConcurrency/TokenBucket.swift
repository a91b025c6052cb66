/// A rate limit: a burst, and from then on one token in each interval. A value; times are those of any one clock, and one that was
/// set back gives nothing.
///
/// `TokenBuckets` has one for each of many callers. `RateLimiter` and `FetchLimiter` have rules of their own: they take several tokens
/// or none, or keep only what is used.
package struct TokenBucket: Sendable {
    private let interval: Duration
    private let capacity: Duration
    /// Tokens are counted in time, each as one interval, so that nothing is lost by rounding. Below zero are those taken ahead.
    private var level: Duration
    private var last: Duration

    /// - Parameter capacity: what may be saved up, as the time in which it comes. It is there at first.
    package init(interval: Duration, capacity: Duration, now: Duration = .zero) {
        self.interval = interval
        self.capacity = capacity
        level = capacity
        last = now
    }

    /// - Parameter burst: tokens that may be saved up, and that are there at first.
    package init(burst: Int, interval: Duration, now: Duration = .zero) {
        self.init(interval: interval, capacity: interval * burst, now: now)
    }

    /// - Returns: false where there is no token; nothing is taken then.
    package mutating func take(now: Duration) -> Bool {
        fill(now)
        guard level >= interval else { return false }
        level -= interval
        return true
    }

    /// Takes tokens, whether they are there or not.
    package mutating func takeAhead(_ count: Int = 1, now: Duration) {
        fill(now)
        level -= interval * count
    }

    /// How long it takes until all that were taken ahead have come.
    package func wait(now: Duration) -> Duration { max(.zero, .zero - level(at: now)) }

    /// When there will be a token; nil when there is.
    package func next(now: Duration) -> Duration? {
        let level = level(at: now)
        return level >= interval ? nil : max(last, now) + (interval - level)
    }

    /// One was not used after all.
    package mutating func giveBack() { level = min(capacity, level + interval) }

    /// The clock was set back: tokens come again from this time on.
    mutating func goBack(to now: Duration) { last = min(last, now) }

    private func level(at now: Duration) -> Duration { min(capacity, level + max(.zero, now - last)) }

    private mutating func fill(_ now: Duration) {
        level = level(at: now)
        last = max(last, now)
    }
}
