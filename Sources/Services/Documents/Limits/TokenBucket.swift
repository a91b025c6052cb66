/// Spaces out what is sent, so that it comes to a rate. A value.
struct TokenBucket: Sendable {
    /// Bytes a second; nil for as fast as it goes.
    private(set) var rate: Double?
    /// What may go at once; below zero what was taken ahead.
    private var balance = 0.0
    private var last = Duration.zero

    init(rate: Double? = nil) { (self.rate, balance) = (rate, rate ?? 0) }

    mutating func set(rate: Double?) {
        guard rate != self.rate else { return }
        self = TokenBucket(rate: rate)
    }

    /// Takes more than there is, too: then the next one waits. At most a second's worth is saved up.
    /// - Returns: how long to wait first.
    mutating func take(_ bytes: Int, now: Duration) -> Duration {
        guard let rate, rate > 0 else { return .zero }
        let passed = max(now - last, .zero) / .seconds(1)
        last = max(last, now)
        balance = min(balance + passed * rate, rate)
        let wait = balance >= 0 ? 0 : -balance / rate
        balance -= Double(bytes)
        return .seconds(wait)
    }
}
