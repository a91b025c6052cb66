/// A request of a desktop program to a player, and its meaning for the app. Pure.
package enum MPRISRequest: Hashable, Sendable {
    case next, previous, play, pause, playPause, stop
    /// Microseconds from the position now.
    case seek(Int64)
    case setPosition(track: String, Int64)
    case setRate(Double)
    case setLoopStatus(String)
    case setShuffle(Bool)
    case setVolume
    /// `Raise` and `Quit`, which have no effect where a player cannot.
    case window
    case openURI

    package enum Outcome: Hashable, Sendable {
        case perform(MediaCommand)
        /// The specification says that nothing happens.
        case nothing
        case refuse(String)
    }

    package func outcome(of picture: PlayerPicture, track number: UInt64, now: Duration) -> Outcome {
        switch self {
        case .next: Self.ask(.nextTrack, picture)
        case .previous: Self.ask(.previousTrack, picture)
        case .play: Self.ask(.play, picture)
        case .pause: Self.ask(.pause, picture)
        case .playPause: Self.ask(.togglePlayPause, picture)
        case .stop: Self.ask(.stop, picture)
        case .seek(let offset): Self.seek(offset, picture, now)
        case .setPosition(let track, let position):
            Self.move(to: position, of: track, picture, number)
        case .setRate(let rate): Self.change(rate: rate, picture)
        case .setLoopStatus(let status): Self.change(loop: status, picture)
        case .setShuffle(let isOn): Self.ask(.changeShuffleMode, picture, value: isOn ? 1 : 0)
        case .setVolume, .window: .nothing
        case .openURI: .refuse("\(picture.name) opens no addresses in this way.")
        }
    }

    private static func ask(_ kind: MediaCommand.Kind, _ picture: PlayerPicture, value: Double = 0) -> Outcome {
        if let command = picture.command(for: kind) { return .perform(MediaCommand(command, value: value)) }
        // The state that is asked for is there already.
        if kind == .pause, !picture.playback.isPlaying, picture.can(.togglePlayPause) { return .nothing }
        if kind == .play, picture.playback.isPlaying, picture.can(.togglePlayPause) { return .nothing }
        return .refuse("\(picture.name) does not offer this now.")
    }

    private static func seek(_ offset: Int64, _ picture: PlayerPicture, _ now: Duration) -> Outcome {
        let target = picture.playback.position(now: now, duration: picture.track.duration) + Double(offset) / 1_000_000
        // Beyond the end is the next track.
        if let duration = picture.track.duration, target > duration, picture.can(.nextTrack) {
            return .perform(MediaCommand(.nextTrack))
        }
        return ask(.changePlaybackPosition, picture, value: max(0, min(target, picture.track.duration ?? target)))
    }

    private static func move(
        to position: Int64, of track: String, _ picture: PlayerPicture, _ number: UInt64
    ) -> Outcome {
        let seconds = Double(position) / 1_000_000
        guard track == MPRISProperties.trackPath(number), position >= 0, seconds <= picture.track.duration ?? seconds
        else { return .nothing }
        return ask(.changePlaybackPosition, picture, value: seconds)
    }

    private static func change(rate: Double, _ picture: PlayerPicture) -> Outcome {
        guard rate.isFinite else { return .refuse("A rate is a number.") }
        if rate == 0 { return ask(.pause, picture) }
        return ask(.changePlaybackRate, picture, value: rate)
    }

    private static func change(loop status: String, _ picture: PlayerPicture) -> Outcome {
        guard let type = ["None", "Track", "Playlist"].firstIndex(of: status) else {
            return .refuse("A loop status is None, Track or Playlist.")
        }
        return ask(.changeRepeatMode, picture, value: Double(type))
    }
}
