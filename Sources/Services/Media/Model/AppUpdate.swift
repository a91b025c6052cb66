/// An app's description of its player, checked and bounded.
package struct AppUpdate: Hashable, Sendable {
    /// Nil: it plays nothing.
    package var playing: Playing?
    package var offers: [MediaCommand.Kind: MediaCommandOffer]
    package var hasContentDelegate: Bool
    package var hasContentDataSource: Bool
    package var identifiers: [String]

    package struct Playing: Hashable, Sendable {
        package var track: MediaTrack
        package var playback: Playback

        package init(track: MediaTrack, playback: Playback) {
            self.track = track
            self.playback = playback
        }
    }

    package init(
        playing: Playing?, offers: [MediaCommand.Kind: MediaCommandOffer] = [:], hasContentDelegate: Bool = false,
        hasContentDataSource: Bool = false, identifiers: [String] = []
    ) {
        self.playing = playing
        self.offers = offers
        self.hasContentDelegate = hasContentDelegate
        self.hasContentDataSource = hasContentDataSource
        self.identifiers = identifiers
    }
}
