/// A rate limit: a burst, and one in each interval from then on. Times are in milliseconds.
struct TokenBucket: Sendable {
    private let burst: Double
    private let refill: UInt64
    private var tokens: Double
    private var refilled: UInt64

    /// Full.
    init(burst: Int, refill: UInt64, at now: UInt64 = 0) {
        self.burst = Double(burst)
        self.refill = refill
        tokens = self.burst
        refilled = now
    }

    /// When it may be done next; 0: at once.
    var next: UInt64 {
        guard tokens < 1 else { return 0 }
        return refilled + UInt64(((1 - tokens) * Double(refill)).rounded(.up))
    }

    /// - Parameter time: not before ``next``; may be yet to come.
    mutating func take(at time: UInt64) {
        let earned = Double(time - min(time, refilled)) / Double(refill)
        tokens = min(burst, tokens + earned) - 1
        refilled = max(refilled, time)
    }

    /// It was not done after all.
    mutating func giveBack() { tokens = min(burst, tokens + 1) }
}
