/// How far something has been played, and whether it goes on: sent seldom, since the rest follows from time and rate.
package struct Playback: Hashable, Sendable {
    /// `MPNowPlayingPlaybackState`.
    package enum State: Int, Hashable, Sendable {
        case unknown = 0
        case playing, paused, stopped, interrupted
    }

    package var state: State
    /// Seconds from the beginning, at ``measured``.
    package var elapsed: Double
    /// How fast it plays: 1 for normal.
    package var rate: Double
    /// On the monotonic clock.
    package var measured: Duration

    /// - Parameters: as an app gives them; invalid numbers count as 0, rates are kept between -64 and 64.
    package init(state: State, elapsed: Double, rate: Double, measured: Duration) {
        let rate = rate.isFinite ? min(max(rate, -64), 64) : 0
        self.elapsed = elapsed.isFinite ? min(max(elapsed, 0), Self.maximumSeconds) : 0
        self.rate = rate
        self.measured = measured
        // Without a state the rate decides.
        self.state = state == .unknown ? (rate == 0 ? .paused : .playing) : state
    }

    /// 10 years: more fits into microseconds, and nothing plays as long.
    package static let maximumSeconds = 315_576_000.0

    package var isPlaying: Bool { state == .playing && rate != 0 }

    /// Seconds from the beginning; never beyond the end.
    package func position(now: Duration, duration: Double?) -> Double {
        let passed = isPlaying ? max(0, (now - measured) / .seconds(1)) * rate : 0
        let position = max(0, elapsed + passed)
        return min(position, min(duration ?? Self.maximumSeconds, Self.maximumSeconds))
    }
}
