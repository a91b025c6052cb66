import Media
import SessionBus
import Testing

/// Players of other programs, which may say anything.
struct ForeignPlayerTests {
    private static func player(_ properties: [String: BusValue], root: [String: BusValue] = [:]) -> ForeignPlayer {
        ForeignPlayer(
            busName: "org.mpris.MediaPlayer2.mpv", root: root, player: properties, now: .seconds(10))
    }

    @Test("A player's properties are read; what is of another type is left out (P-62)")
    func reading() {
        let player = Self.player(
            [
                "PlaybackStatus": .string("Playing"), "Position": .integer64(5_000_000), "Rate": .real(1),
                "CanPlay": .boolean(true), "CanPause": .boolean(true), "CanGoNext": .string("yes"),
                "Metadata": .dictionary([
                    "xesam:title": .string("Song\u{0}\u{7}x"), "xesam:artist": .strings(["A", "B"]),
                    "mpris:length": .real(60_000_000), "mpris:trackid": .path("/t/1"),
                ]),
            ], root: ["Identity": .string("mpv")])
        #expect(player.name == "mpv" && player.track.title == "Song  x" && player.track.artist == "A, B")
        #expect(player.track.duration == 60 && player.trackID == "/t/1")
        #expect(player.playback.position(now: .seconds(12), duration: 60) == 7)
        #expect(player.commands == [.play, .pause, .togglePlayPause, .stop])
        let liar = Self.player([
            "PlaybackStatus": .integer64(7), "Position": .real(.nan), "Rate": .string("fast"),
            "Metadata": .string("none"),
            "CanControl": .boolean(false), "CanPlay": .boolean(true),
        ])
        #expect(liar.name == "mpv" && liar.playback.state == .stopped && liar.commands.isEmpty)
        let long = Self.player(["Metadata": .dictionary(["xesam:title": .string(String(repeating: "é", count: 9000))])])
        #expect(long.track.title.utf8.count <= 512)
    }

    @Test("A player's lists may have any type and empty names, and a file without a title has its name (P-62)")
    func oddities() {
        func track(_ metadata: [String: BusValue]) -> MediaTrack {
            Self.player(["Metadata": .dictionary(metadata)]).track
        }
        #expect(track(["xesam:artist": .strings(["", ""])]).artist == "")
        #expect(track(["xesam:artist": .list([.string("A"), .integer32(7), .string("B")])]).artist == "A, B")
        #expect(track(["xesam:title": .strings(["Song"]), "xesam:album": .list([])]).title == "Song")
        #expect(track(["xesam:url": .string("file:///home/a/M%C3%BCsik/A%20%26%20B.v2.mp3")]).title == "A & B.v2")
        #expect(track(["xesam:url": .string("file:///home/a/.hidden")]).title == ".hidden")
        #expect(track(["xesam:url": .string("file:///")]).title == "")
        #expect(track(["xesam:url": .string("https://example.com/secret.mp3")]).title == "")
        #expect(track(["xesam:url": .string("file:///a.mp3"), "xesam:title": .string("Named")]).title == "Named")
    }

    @Test("Two songs of a player that gives all tracks one name are two (P-62)")
    func constantName() {
        func track(_ title: String) -> MediaTrack {
            let metadata: [String: BusValue] = [
                "mpris:trackid": .path("/org/mpris/MediaPlayer2/firefox"), "xesam:title": .string(title),
            ]
            return Self.player(["Metadata": .dictionary(metadata)]).track
        }
        #expect(!track("One").isSame(as: track("Two")) && track("One").isSame(as: track("One")))
        // Without titles the names distinguish them.
        func untitled(_ path: String) -> MediaTrack {
            Self.player(["Metadata": .dictionary(["mpris:trackid": .path(path)])]).track
        }
        #expect(!untitled("/t/1").isSame(as: untitled("/t/2")))
    }

    @Test("A player that floods is asked ten times a second, and one at a time (P-62)")
    func flood() {
        var players = ForeignPlayers()
        let name = "org.mpris.MediaPlayer2.flood"
        players.appeared(name, owner: ":1.7")
        var asked = 0
        for number in 0..<1000 {
            let now = Duration.milliseconds(number)
            players.changed(owner: ":1.7")
            for due in players.due(now: now) {
                asked += 1
                if due.isFirst { players.answered(name, root: [:], owner: nil) }
                players.answered(name, player: ["PlaybackStatus": .string("Playing")], owner: nil, now: now)
            }
        }
        #expect((9...11).contains(asked))
        #expect(players.players.count == 1)
    }

    @Test("One that does not answer is not asked again before it says that it has changed, and not shown (P-62)")
    func silence() {
        var players = ForeignPlayers()
        let name = "org.mpris.MediaPlayer2.silent"
        players.appeared(name, owner: ":1.7")
        #expect(players.due(now: .zero).map(\.name) == [name])
        #expect(players.due(now: .seconds(60)).isEmpty && players.nextDeadline == nil)
        players.answered(name, player: nil, owner: nil, now: .seconds(2))
        #expect(players.due(now: .seconds(60)).isEmpty && players.players.isEmpty)
        players.changed(owner: ":1.7")
        #expect(players.due(now: .seconds(60)).map(\.name) == [name])
        #expect(!players.vanished(name) && players.due(now: .seconds(90)).isEmpty)
    }

    @Test("A connection that had a player's name before and answers late does not speak for the one that has it (P-62)")
    func lateAnswer() {
        var players = ForeignPlayers()
        let name = "org.mpris.MediaPlayer2.player"
        players.appeared(name, owner: ":1.7")
        _ = players.due(now: .zero)
        _ = players.vanished(name)
        players.appeared(name, owner: ":1.8")
        _ = players.due(now: .seconds(1))
        players.answered(name, root: ["Identity": .string("New")], owner: ":1.8")
        players.answered(name, player: [:], owner: ":1.8", now: .seconds(1))
        players.answered(name, root: ["Identity": .string("Old")], owner: ":1.7")
        players.answered(name, player: ["PlaybackStatus": .string("Playing")], owner: ":1.7", now: .seconds(1))
        #expect(players.players.map(\.playback.isPlaying) == [false] && players.players.map(\.name) == ["New"])
        // The signals of the one that has the name are heard.
        players.changed(owner: ":1.8")
        #expect(players.due(now: .seconds(2)).map(\.name) == [name])
    }

    @Test("64 players are seen, and none of our own (P-62)")
    func bound() {
        var players = ForeignPlayers()
        players.appeared("org.mpris.MediaPlayer2.baton.own")
        players.appeared("org.example.other")
        for number in 0..<100 { players.appeared("org.mpris.MediaPlayer2.p\(number)") }
        #expect(players.due(now: .zero).count == 64)
    }
}
