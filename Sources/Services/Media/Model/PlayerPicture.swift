/// Everything that is published of one player.
package struct PlayerPicture: Hashable, Sendable {
    /// The last part of its name on the bus, before it is made one.
    package var id: String
    /// For people.
    package var name: String
    /// The app's entry of the desktop; nil where it has none.
    package var desktopEntry: String?
    package var track: MediaTrack
    package var playback: Playback
    package var offers: [MediaCommand.Kind: MediaCommandOffer]
    /// Where the picture's file is.
    package var artworkPath: String?

    package init(
        id: String, name: String, desktopEntry: String? = nil, track: MediaTrack, playback: Playback,
        offers: [MediaCommand.Kind: MediaCommandOffer], artworkPath: String? = nil
    ) {
        self.id = id
        self.name = name
        self.desktopEntry = desktopEntry
        self.track = track
        self.playback = playback
        self.offers = offers
        self.artworkPath = artworkPath
    }

    package func can(_ kind: MediaCommand.Kind) -> Bool { offers[kind]?.isEnabled == true }

    /// The command that does this here: an app may have a target for one of a pair only.
    package func command(for kind: MediaCommand.Kind) -> MediaCommand.Kind? {
        if can(kind) { return kind }
        switch kind {
        case .play, .pause:
            return can(.togglePlayPause) && (kind == .pause) == playback.isPlaying ? .togglePlayPause : nil
        case .togglePlayPause:
            let other: MediaCommand.Kind = playback.isPlaying ? .pause : .play
            return can(other) ? other : nil
        default: return nil
        }
    }
}
