/// How much of a processor indexing may take: a tenth of one core over a minute, a fiftieth on battery. A pure value.
///
/// Unused time is saved up for a minute, so that items that an app indexes now and then are in the index at once.
struct IndexingBudget: Sendable, Hashable {
    private static let minute = 60_000.0

    /// The part of the whole that it is.
    private let part: Double
    /// Milliseconds of a core; below 0 after a batch that took more than was left.
    private var left: Double
    /// Milliseconds since 1970.
    private var updated: UInt64
    /// Whether the last ``wait(now:isOnBattery:)`` said to wait.
    private(set) var isThrottled = false

    init(now: UInt64, part: Double = 1) {
        self.part = part
        left = Self.minute / 10 * part
        updated = now
    }

    private func share(_ isOnBattery: Bool) -> Double { (isOnBattery ? 1 / 50 : 1 / 10) * part }

    private mutating func refill(_ now: UInt64, _ isOnBattery: Bool) {
        let share = share(isOnBattery)
        // A clock that was set back gives nothing.
        let elapsed = now > updated ? min(Double(now - updated), Self.minute) : 0
        left = min(left + elapsed * share, Self.minute * share)
        updated = now
    }

    /// Milliseconds of a core that a batch has taken.
    mutating func spend(_ milliseconds: Double, now: UInt64, isOnBattery: Bool) {
        refill(now, isOnBattery)
        left -= min(max(milliseconds, 0), Self.minute)
    }

    /// - Returns: milliseconds until the next batch; 0 for now.
    mutating func wait(now: UInt64, isOnBattery: Bool) -> UInt64 {
        refill(now, isOnBattery)
        // Once nothing is left, a tenth of a minute's share is waited for, so that batches do not become ever smaller.
        let share = share(isOnBattery)
        let wanted = isThrottled ? Self.minute * share / 10 : 0
        isThrottled = left <= wanted && (isThrottled || left <= 0)
        return isThrottled ? UInt64(max((Self.minute * share / 10 - left) / share, 1)) : 0
    }

    /// Whether more than another minute's share was taken in advance.
    mutating func isOverdrawn(now: UInt64, isOnBattery: Bool) -> Bool {
        refill(now, isOnBattery)
        return left < -Self.minute * share(isOnBattery)
    }

    /// Whether all of a minute is there, as if nothing had ever been spent.
    mutating func isWhole(now: UInt64, isOnBattery: Bool) -> Bool {
        refill(now, isOnBattery)
        return left >= Self.minute * share(isOnBattery)
    }
}
