import BatonConcurrency

/// Spaces out what is sent, so that it comes to a rate that may change. A value.
struct SendingPace: Sendable {
    /// Bytes a second; nil for as fast as it goes.
    private(set) var rate: Double?
    /// A token is a byte; at most a second's worth is saved up.
    private var bucket: TokenBucket?

    init(rate: Double? = nil) {
        self.rate = rate
        if let rate, rate > 0 { bucket = TokenBucket(interval: .seconds(1 / rate), capacity: .seconds(1)) }
    }

    mutating func set(rate: Double?) {
        guard rate != self.rate else { return }
        self = SendingPace(rate: rate)
    }

    /// Takes more than there is, too: then the next one waits.
    /// - Returns: how long to wait first.
    mutating func take(_ bytes: Int, now: Duration) -> Duration {
        let wait = bucket?.wait(now: now) ?? .zero
        bucket?.takeAhead(bytes, now: now)
        return wait
    }
}
