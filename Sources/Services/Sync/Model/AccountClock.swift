import BatonCore

/// The cloud's time, as far as it goes on no faster than this device's clock.
///
/// A cloud is not trusted: with a time that leaps a little at each connection it would end in hours what an account counts in weeks. A
/// device's own clock is not trusted either, so its time of day counts for nothing, only what has passed by it.
struct AccountClock: Hashable, Sendable {
    /// The greatest that was believed, in milliseconds since 1970, and this device's time at that moment.
    private(set) var time: UInt64
    private(set) var own: UInt64

    /// The first time that is heard is believed.
    init(time: UInt64, own: UInt64) {
        self.time = min(time, HybridTimestamp.maximumMilliseconds)
        self.own = min(own, HybridTimestamp.maximumMilliseconds)
    }

    /// - Returns: the time that is believed.
    mutating func hear(_ cloud: UInt64, own now: UInt64) -> UInt64 {
        let told = AccountClock(time: cloud, own: now)
        // This clock was set back, if only a little: what has passed is not known, and counts for nothing.
        guard told.own >= own else {
            (time, own) = (min(told.time, time), told.own)
            return time
        }
        let passed = told.own - own
        let expected = time + passed
        // A clock that lost time, or runs slowly, is made up for.
        let believed = min(told.time, expected + passed / 8)
        (time, own) = (max(believed, expected), told.own)
        return believed
    }
}
