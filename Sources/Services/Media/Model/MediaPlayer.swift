package import BatonCore

/// A player, wherever it is.
package struct MediaPlayer: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// An app of this device; the session's identifier.
        case app(String)
        /// A program of this desktop; its name on the bus.
        case desktop(String)
        /// Another device's; its identifier there.
        case device(DeviceID, String)
    }

    package var source: Source
    /// Names it among all.
    package var id: String
    /// For people.
    package var name: String
    /// Nil for a program of the desktop.
    package var app: AppIdentity?
    package var track: MediaTrack
    package var playback: Playback
    /// Those that can be asked now.
    package var commands: Set<MediaCommand.Kind>
    /// When it last played, as far as that was seen; else when it appeared. On the monotonic clock.
    package var lastUsed: Duration
    /// False for one that was never seen to play: it comes after those that were, however new it is.
    package var hasPlayed: Bool

    package init(
        source: Source, id: String, name: String, app: AppIdentity?, track: MediaTrack, playback: Playback,
        commands: Set<MediaCommand.Kind>, lastUsed: Duration, hasPlayed: Bool = true
    ) {
        self.source = source
        self.id = id
        self.name = name
        self.app = app
        self.track = track
        self.playback = playback
        self.commands = commands
        self.lastUsed = lastUsed
        self.hasPlayed = hasPlayed
    }

    package var isHere: Bool { if case .device = source { false } else { true } }
    package var isPlaying: Bool { playback.isPlaying }

    /// - Throws: `out_of_range` for a position behind the end of what plays.
    package func check(_ command: MediaCommand) throws(BatonError) {
        guard command.kind == .changePlaybackPosition, let duration = track.duration, command.value > duration else {
            return
        }
        let seconds = Int(min(max(duration, 0), Playback.maximumSeconds).rounded(.down))
        throw BatonError(
            .outOfRange, reason: "beyond_end",
            "The media that \(name) plays end after \(seconds) seconds. Name a position before that.")
    }
}
