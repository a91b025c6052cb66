import BatonConcurrency

/// With the times of the sync's machine, which are in milliseconds.
extension TokenBucket {
    init(burst: Int, refill: UInt64, at now: UInt64 = 0) {
        self.init(
            burst: burst, interval: .milliseconds(Int64(clamping: refill)), now: .milliseconds(Int64(clamping: now)))
    }

    /// When it may be done next; 0: at once.
    var next: UInt64 {
        guard let (seconds, attoseconds) = next(now: .zero)?.components else { return 0 }
        // All times are whole milliseconds.
        return UInt64(clamping: seconds) * 1000 + UInt64(clamping: attoseconds / 1_000_000_000_000_000)
    }

    /// - Parameter time: not before ``next``; may be yet to come.
    mutating func take(at time: UInt64) { takeAhead(now: .milliseconds(Int64(clamping: time))) }
}
