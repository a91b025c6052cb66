/// The monotonic clock that presence goes by.
package struct PresenceClock: Sendable {
    /// Since any fixed moment.
    package var now: @Sendable () -> Duration
    /// Until `now` has reached a moment; throws when cancelled.
    package var sleep: @Sendable (_ until: Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (_ until: Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Counts on while the machine sleeps, so that streams that died meanwhile are noticed when it wakes.
    package static var system: PresenceClock {
        let start = ContinuousClock.now
        return PresenceClock(
            now: { start.duration(to: .now) },
            sleep: { try await ContinuousClock().sleep(until: start + $0, tolerance: .milliseconds(50)) })
    }
}

/// Lets through a burst, and after that a fixed number a second.
struct Pace {
    private let rate: Double
    private let burst: Double
    private var credit: Double
    private var last: Duration

    init(burst: Int, perSecond rate: Double, now: Duration) {
        self.rate = rate
        self.burst = Double(burst)
        credit = Double(burst)
        last = now
    }

    /// - Returns: until when to wait before going on; nil to go on at once.
    mutating func take(now: Duration) -> Duration? {
        credit = min(burst, credit + (now - last) / .seconds(1) * rate) - 1
        last = now
        return credit >= 0 ? nil : now + .seconds(-credit / rate)
    }
}
