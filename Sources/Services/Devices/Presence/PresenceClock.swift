import Synchronization

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

/// Something that happens once, and can be waited for by any number of tasks; waiting ends when cancelled too.
final class OneShot: Sendable {
    private struct State {
        var hasFired = false
        /// Bounded by the tasks that wait.
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
    }

    // Not an `AsyncStream`: that ends for all who wait when one of them is cancelled.
    private let state = Mutex(State())

    func fire() {
        let waiters = state.withLock { state in
            state.hasFired = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // If it was cancelled before, nobody was there yet to be told.
                    guard !state.hasFired, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}

/// Lets through a burst, and after that so many a second.
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
