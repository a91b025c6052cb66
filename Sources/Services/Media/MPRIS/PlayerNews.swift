package import SessionBus

/// When the bus is signalled one player's changes: together, at most ten times a second, and the last is right. A pure value.
package struct PlayerNews: Sendable {
    package enum Action: Hashable, Sendable {
        /// Names of properties, sorted.
        case changed([String])
        /// The position differs from the one that follows from time and rate; in microseconds.
        case seeked(Int64)
    }

    package static let shortestPause = Duration.milliseconds(100)
    /// Less is a clock's or an app's imprecision.
    package static let jump = 1.0

    package private(set) var picture: PlayerPicture
    /// Grows with each track.
    package private(set) var trackNumber: UInt64 = 1
    private var told: [String: BusValue]
    private var lastTold: Duration?
    private var hasJumped = false
    private var isWaiting = false

    /// A player that appears; readers read all of it.
    package init(_ picture: PlayerPicture) {
        self.picture = picture
        told = MPRISProperties.player(picture, track: 1)
    }

    package var properties: [String: BusValue] { MPRISProperties.player(picture, track: trackNumber) }

    package mutating func update(_ new: PlayerPicture, now: Duration) -> [Action] {
        let isSame = new.track.isSame(as: picture.track)
        let position = new.playback.position(now: now, duration: new.track.duration)
        let expected = isSame ? picture.playback.position(now: now, duration: picture.track.duration) : 0
        if !isSame {
            trackNumber += 1
            hasJumped = false
        }
        if abs(position - expected) > Self.jump { hasJumped = true }
        picture = new
        isWaiting = true
        return advance(now: now)
    }

    /// When ``advance(now:)`` has a signal to send.
    package var nextDeadline: Duration? {
        guard isWaiting, let lastTold else { return isWaiting ? .zero : nil }
        return lastTold + Self.shortestPause
    }

    package mutating func advance(now: Duration) -> [Action] {
        guard let deadline = nextDeadline, deadline <= now else { return [] }
        isWaiting = false
        var actions: [Action] = []
        let current = properties
        let names = Set(current.keys).union(told.keys).filter { current[$0] != told[$0] }.sorted()
        if !names.isEmpty { actions.append(.changed(names)) }
        if hasJumped { actions.append(.seeked(MPRISProperties.position(picture, now: now))) }
        hasJumped = false
        told = current
        if !actions.isEmpty { lastTold = now }
        return actions
    }
}
