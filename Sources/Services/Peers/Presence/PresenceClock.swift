import BatonConcurrency

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

extension TokenBucket {
    /// Lets through a burst, and after that a fixed number a second.
    /// - Returns: until when to wait before going on; nil to go on at once.
    mutating func pace(now: Duration) -> Duration? {
        takeAhead(now: now)
        let wait = wait(now: now)
        return wait > .zero ? now + wait : nil
    }
}
