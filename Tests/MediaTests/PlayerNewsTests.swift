import Media
import SessionBus
import Testing

/// The signals to the bus about a player, and their times.
struct PlayerNewsTests {
    private static func picture(
        _ title: String = "Tone", elapsed: Double = 0, rate: Double = 1, at: Duration = .zero,
        offers: [MediaCommand.Kind: MediaCommandOffer] = [.play: .init(), .pause: .init()]
    ) -> PlayerPicture {
        PlayerPicture(
            id: "com.example.player", name: "Player", track: MediaTrack(title: title, artist: "Monkeys", duration: 180),
            playback: Playback(state: .unknown, elapsed: elapsed, rate: rate, measured: at), offers: offers)
    }

    @Test("The position follows from time and rate, and ends with the item (P-64)")
    func position() {
        let playback = Playback(state: .playing, elapsed: 10, rate: 2, measured: .seconds(100))
        #expect(playback.position(now: .seconds(105), duration: 180) == 20)
        #expect(playback.position(now: .seconds(500), duration: 180) == 180)
        #expect(playback.position(now: .seconds(90), duration: 180) == 10)
        let paused = Playback(state: .paused, elapsed: 10, rate: 1, measured: .zero)
        #expect(paused.position(now: .seconds(50), duration: nil) == 10)
        let hostile = Playback(state: .playing, elapsed: .nan, rate: .infinity, measured: .zero)
        #expect(hostile.position(now: .seconds(50), duration: .nan).isFinite)
        let backwards = Playback(state: .playing, elapsed: 10, rate: -1, measured: .zero)
        #expect(backwards.position(now: .seconds(50), duration: 180) == 0)
    }

    @Test("A change is told at once with its properties, and nothing when nothing changed (P-62)")
    func change() {
        var news = PlayerNews(Self.picture())
        #expect(news.update(Self.picture(), now: .seconds(0.2)) == [])
        let paused = Self.picture(elapsed: 1, rate: 0, at: .seconds(1))
        #expect(news.update(paused, now: .seconds(1)) == [.changed(["PlaybackStatus"])])
        #expect(news.nextDeadline == nil)
    }

    @Test("Ten of 100 changes a second are told, and the last is right (P-62)")
    func flood() {
        var news = PlayerNews(Self.picture())
        var told = 0
        var now = Duration.zero
        for number in 0..<500 {
            now = .milliseconds(number * 10)
            if let deadline = news.nextDeadline, deadline <= now { told += news.advance(now: now).isEmpty ? 0 : 1 }
            told += news.update(Self.picture("Song \(number)", at: now), now: now).isEmpty ? 0 : 1
        }
        #expect((45...52).contains(told))
        if let deadline = news.nextDeadline { #expect(news.advance(now: deadline) == [.changed(["Metadata"])]) }
        guard case .dictionary(let metadata)? = news.properties["Metadata"] else {
            Issue.record("There is no metadata.")
            return
        }
        #expect(metadata["xesam:title"] == .string("Song 499"))
        #expect(news.nextDeadline == nil)
    }

    @Test("A jump is told, the passing of time and a new item at its beginning are not (P-62)")
    func jumps() {
        var news = PlayerNews(Self.picture())
        // Ten seconds later, as expected.
        #expect(news.update(Self.picture(elapsed: 10.3, at: .seconds(10)), now: .seconds(10)) == [])
        let jumped = news.update(Self.picture(elapsed: 60, at: .seconds(11)), now: .seconds(11))
        #expect(jumped == [.seeked(60_000_000)])
        // Another item: its track has another name.
        let next = news.update(Self.picture("Other", elapsed: 0, at: .seconds(12)), now: .seconds(12))
        #expect(next == [.changed(["Metadata"])])
        #expect(news.trackNumber == 2)
        let middle = news.update(Self.picture("Third", elapsed: 30, at: .seconds(13)), now: .seconds(13))
        #expect(middle == [.changed(["Metadata"]), .seeked(30_000_000)])
    }

    @Test("Controls follow targets and whether they are enabled (P-62)")
    func controls() {
        let none = MPRISProperties.player(Self.picture(offers: [:]), track: 1)
        #expect(none["CanControl"] == .boolean(false) && none["CanPlay"] == .boolean(false))
        let some = MPRISProperties.player(
            Self.picture(
                offers: [
                    .togglePlayPause: .init(), .nextTrack: .init(isEnabled: false), .changePlaybackPosition: .init(),
                    .changeRepeatMode: .init(current: 1), .changePlaybackRate: .init(choices: [0.5, 2]),
                ]), track: 1)
        #expect(some["CanPlay"] == .boolean(true) && some["CanPause"] == .boolean(true))
        #expect(some["CanGoNext"] == .boolean(false) && some["CanGoPrevious"] == .boolean(false))
        #expect(some["CanSeek"] == .boolean(true) && some["LoopStatus"] == .string("Track"))
        #expect(some["MinimumRate"] == .real(0.5) && some["MaximumRate"] == .real(2))
    }

    @Test(
        "An app's address of what plays goes to the desktop only as a page's",
        arguments: [
            ("https://example.com/song", true), ("file:///home/ann/.ssh/id_rsa", false), ("/etc/passwd", false),
            ("smb://host/share", false),
        ])
    func address(_ url: String, _ isShown: Bool) {
        var picture = Self.picture()
        picture.track.url = url
        guard case .dictionary(let values)? = MPRISProperties.player(picture, track: 1)["Metadata"] else {
            Issue.record("There is no metadata.")
            return
        }
        #expect(values["xesam:url"] == (isShown ? .string(url) : nil))
    }

    @Test("Metadata has Apple's fields under the names of MPRIS (P-64)")
    func metadata() {
        var picture = Self.picture()
        picture.track.albumTitle = "Tests"
        picture.track.trackNumber = 3
        picture.artworkPath = "/run/user/1000/a b/1.png"
        guard case .dictionary(let values)? = MPRISProperties.player(picture, track: 7)["Metadata"] else {
            Issue.record("There is no metadata.")
            return
        }
        #expect(
            values == [
                "mpris:trackid": .path("/development/baton/media/track/7"), "mpris:length": .integer64(180_000_000),
                "mpris:artUrl": .string("file:///run/user/1000/a%20b/1.png"), "xesam:title": .string("Tone"),
                "xesam:artist": .strings(["Monkeys"]), "xesam:album": .string("Tests"),
                "xesam:trackNumber": .integer32(3),
            ])
    }
}
