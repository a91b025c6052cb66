/// A burst, then one after each interval: a pure value.
struct TokenBucket: Sendable {
    let capacity: Int
    let refill: Duration
    private var level: Int
    /// When the next one is added; nil while it is full.
    private var next: Duration?

    init(capacity: Int, refill: Duration) {
        self.capacity = capacity
        self.refill = refill
        level = capacity
    }

    mutating func take(now: Duration) -> Bool {
        fill(now: now)
        guard level > 0 else { return false }
        level -= 1
        if next == nil { next = now + refill }
        return true
    }

    /// When there will be one; nil when there is.
    mutating func nextToken(now: Duration) -> Duration? {
        fill(now: now)
        return level > 0 ? nil : next
    }

    private mutating func fill(now: Duration) {
        while let due = next, due <= now, level < capacity {
            level += 1
            next = level < capacity ? due + refill : nil
        }
    }
}
