/// How many bytes went by in the last ten seconds. A value.
struct RateMeter: Sendable {
    private static let seconds = 10
    /// By the second's number, modulo their count.
    private var buckets = [UInt64](repeating: 0, count: seconds)
    private var newest: Int64 = 0

    mutating func add(_ bytes: Int, now: Duration) {
        advance(to: now)
        buckets[Int(newest) % Self.seconds] += UInt64(max(bytes, 0))
    }

    /// Bytes a second.
    mutating func rate(now: Duration) -> UInt64 {
        advance(to: now)
        return buckets.reduce(0, +) / UInt64(Self.seconds)
    }

    private mutating func advance(to now: Duration) {
        let second = max(now.components.seconds, newest)
        for passed in (newest + 1)..<max(second + 1, newest + 1) where passed > second - Int64(Self.seconds) {
            buckets[Int(passed) % Self.seconds] = 0
        }
        newest = second
    }
}
