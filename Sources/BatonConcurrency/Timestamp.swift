package import BatonCore

/// The time of an input to a ``StateMachine``.
package struct Timestamp: Hashable, Sendable {
    /// Since any fixed moment; never goes back.
    package var monotonic: Duration
    /// Milliseconds since 1970; people set it.
    package var wall: UInt64

    package init(_ monotonic: Duration, wall: UInt64 = 0) {
        self.monotonic = monotonic
        self.wall = wall
    }
}

/// Says what time it is. A parameter of each driver, so that tests own it.
package struct MomentClock: Sendable {
    private let read: @Sendable () -> Timestamp

    package init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    package init(wall: WallClock) {
        let epoch = ContinuousClock.now
        self.init { Timestamp(.now - epoch, wall: wall.milliseconds) }
    }

    package var now: Timestamp { read() }
}
