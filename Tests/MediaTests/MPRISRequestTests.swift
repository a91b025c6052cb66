import Media
import Testing

/// Requests of the desktop's programs to players.
struct MPRISRequestTests {
    private static func picture(
        rate: Double = 1, _ kinds: MediaCommand.Kind...
    ) -> PlayerPicture {
        PlayerPicture(
            id: "a", name: "Player", track: MediaTrack(title: "Tone", duration: 100),
            playback: Playback(state: .unknown, elapsed: 50, rate: rate, measured: .zero),
            offers: Dictionary(kinds.map { ($0, MediaCommandOffer()) }, uniquingKeysWith: { first, _ in first }))
    }

    private static func outcome(
        _ request: MPRISRequest, _ picture: PlayerPicture, track: UInt64 = 1
    ) -> MPRISRequest.Outcome {
        request.outcome(of: picture, track: track, now: .zero)
    }

    private static func isRefused(_ outcome: MPRISRequest.Outcome) -> Bool {
        if case .refuse = outcome { true } else { false }
    }

    @Test("Each call becomes the command of the app, and what has no target is refused (P-62)")
    func commands() {
        #expect(Self.outcome(.next, Self.picture(.nextTrack)) == .perform(MediaCommand(.nextTrack)))
        #expect(Self.isRefused(Self.outcome(.next, Self.picture(.previousTrack))))
        #expect(Self.outcome(.stop, Self.picture(.stop)) == .perform(MediaCommand(.stop)))
        #expect(Self.isRefused(Self.outcome(.openURI, Self.picture(.play))))
        #expect(Self.outcome(.setVolume, Self.picture()) == .nothing)
    }

    @Test("One of play, pause and toggle stands for the others, without doing the opposite (P-62)")
    func toggles() {
        let toggle = MPRISRequest.Outcome.perform(MediaCommand(.togglePlayPause))
        #expect(Self.outcome(.pause, Self.picture(.togglePlayPause)) == toggle)
        #expect(Self.outcome(.play, Self.picture(.togglePlayPause)) == .nothing)
        #expect(Self.outcome(.play, Self.picture(rate: 0, .togglePlayPause)) == toggle)
        #expect(Self.outcome(.pause, Self.picture(rate: 0, .togglePlayPause)) == .nothing)
        #expect(Self.outcome(.playPause, Self.picture(.play, .pause)) == .perform(MediaCommand(.pause)))
        #expect(Self.outcome(.playPause, Self.picture(rate: 0, .play, .pause)) == .perform(MediaCommand(.play)))
    }

    @Test("Positions are of the track that plays and within it; beyond the end is the next track (P-62)")
    func positions() {
        let picture = Self.picture(.changePlaybackPosition, .nextTrack)
        let here = "/development/baton/media/track/1"
        #expect(
            Self.outcome(.setPosition(track: here, 20_000_000), picture)
                == .perform(MediaCommand(.changePlaybackPosition, value: 20)))
        #expect(Self.outcome(.setPosition(track: "/other", 20_000_000), picture) == .nothing)
        #expect(Self.outcome(.setPosition(track: here, 101_000_000), picture) == .nothing)
        #expect(Self.outcome(.setPosition(track: here, -1), picture) == .nothing)
        #expect(
            Self.outcome(.seek(-10_000_000), picture) == .perform(MediaCommand(.changePlaybackPosition, value: 40)))
        #expect(Self.outcome(.seek(.min), picture) == .perform(MediaCommand(.changePlaybackPosition, value: 0)))
        #expect(Self.outcome(.seek(.max), picture) == .perform(MediaCommand(.nextTrack)))
    }

    @Test("Rate, loop and shuffle are Apple's modes (P-62)")
    func modes() {
        let picture = Self.picture(.pause, .changePlaybackRate, .changeRepeatMode, .changeShuffleMode)
        #expect(Self.outcome(.setRate(2), picture) == .perform(MediaCommand(.changePlaybackRate, value: 2)))
        #expect(Self.outcome(.setRate(0), picture) == .perform(MediaCommand(.pause)))
        #expect(Self.isRefused(Self.outcome(.setRate(.nan), picture)))
        #expect(
            Self.outcome(.setLoopStatus("Playlist"), picture) == .perform(MediaCommand(.changeRepeatMode, value: 2)))
        #expect(Self.isRefused(Self.outcome(.setLoopStatus("x"), picture)))
        #expect(Self.outcome(.setShuffle(true), picture) == .perform(MediaCommand(.changeShuffleMode, value: 1)))
    }

    @Test("Statuses of handlers other than success are errors, each by its name (P-62)")
    func statuses() {
        #expect(MediaFailure(status: 0) == nil)
        #expect(MediaFailure(status: 100) == .noSuchContent)
        #expect(MediaFailure(status: 110) == .noActionableItem)
        #expect(MediaFailure(status: 120) == .deviceNotFound)
        #expect(MediaFailure(status: 200) == .commandFailed && MediaFailure(status: 7) == .commandFailed)
    }

    @Test("Names on the bus are valid, whatever the app is called (P-62)")
    func names() {
        #expect(MPRISName.make("com.example.My-App") == "org.mpris.MediaPlayer2.baton.com_example_My_App")
        #expect(MPRISName.make("7z") == "org.mpris.MediaPlayer2.baton._7z")
        #expect(MPRISName.make("", instance: 2) == "org.mpris.MediaPlayer2.baton._.instance2")
        #expect(MPRISName.make(String(repeating: "é.", count: 500)).utf8.count <= 255)
        #expect(MPRISName.isForeign("org.mpris.MediaPlayer2.mpv"))
        #expect(!MPRISName.isForeign("org.mpris.MediaPlayer2.baton.x") && !MPRISName.isForeign("org.example"))
    }
}
