/// How often an activity is saved that the app asks to be saved without end: a pure value.
///
/// A person who works causes bursts, which pass. An app that asks again after each save, whether it means to or not, keeps
/// the daemon's disk busy for nothing: beyond a burst it is saved at a steady pace, with its newest state.
package struct SavingPace: Sendable {
    /// So many saves come as soon as they may.
    package var burst = 20
    /// Beyond those, one in this time.
    package var interval = Duration.seconds(10)
    /// When all that was saved has been made up for.
    private var settled: ContinuousClock.Instant?

    package init(burst: Int = 20, interval: Duration = .seconds(10)) {
        self.burst = burst
        self.interval = interval
    }

    /// - Returns: how long the next save is to wait; zero when it need not.
    package mutating func saved(now: ContinuousClock.Instant) -> Duration {
        let settled = max(settled ?? now, now) + interval
        self.settled = settled
        return max(.zero, settled - now - interval * (burst - 1))
    }
}
