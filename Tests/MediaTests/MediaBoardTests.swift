import BatonCore
import Media
import SessionBus
import Testing

/// The players and their media, and which player is meant.
struct MediaBoardTests {
    private static let tone = AppIdentity(bundleID: BundleID(unchecked: "com.example.tone"), team: .development)
    private static let device = DeviceID(unchecked: String(repeating: "A", count: 26))

    private static func update(
        _ title: String, rate: Double = 1, at now: Duration = .zero, artwork: UInt64 = 0
    ) -> AppUpdate {
        var track = MediaTrack(title: title, duration: 100)
        track.artwork = artwork
        return AppUpdate(
            playing: .init(
                track: track, playback: Playback(state: .unknown, elapsed: 0, rate: rate, measured: now)),
            offers: [.play: .init(), .pause: .init()])
    }

    private static func remote(_ rate: Double = 1) -> MediaPlayer {
        MediaPlayer(
            source: .device(device, "com.example.far"), id: "far", name: "Far", app: tone,
            track: MediaTrack(title: "Far song"),
            playback: Playback(state: .unknown, elapsed: 0, rate: rate, measured: .zero), commands: [.pause],
            lastUsed: .seconds(99))
    }

    private let sessions = (SessionID.random(), SessionID.random())

    private func tell(
        _ board: inout MediaBoard, _ session: SessionID, _ update: AppUpdate, now: Duration = .zero
    ) -> MediaPlayer? {
        board.update(session, of: Self.tone, name: "Tone", desktopEntry: nil, update, now: now)
    }

    @Test("A position behind the end of what plays is refused, and any is taken where no end is known (P-62)")
    func positions() throws {
        var player = Self.remote()
        try player.check(MediaCommand(.changePlaybackPosition, value: 99_999))
        player.track.duration = 545.5
        try player.check(MediaCommand(.changePlaybackPosition, value: 545.5))
        let error = #expect(throws: BatonError.self) {
            try player.check(MediaCommand(.changePlaybackPosition, value: 99_999))
        }
        #expect(error?.message == "The media that Far plays end after 545 seconds. Name a position before that.")
        player.track.duration = -.infinity
        #expect(throws: BatonError.self) { try player.check(MediaCommand(.changePlaybackPosition, value: 1)) }
    }

    @Test("A program that takes an app's name on the bus has another one here, and gets nothing meant for the app")
    func takenName() throws {
        var board = MediaBoard()
        _ = board.setForeign([Self.foreign("com.example.tone", "Playing", title: "A")], now: .zero)
        #expect(board.all.map(\.id) == ["com.example.tone"])
        _ = tell(&board, sessions.0, Self.update("One", rate: 0), now: .seconds(1))
        let meant = try PlayerChoice.find("com.example.tone", for: .pause, among: board.all)
        #expect(meant.source == .app(sessions.0.rawValue))
        #expect(Set(board.all.map(\.id)) == ["com.example.tone", "org.mpris.MediaPlayer2.com.example.tone"])
    }

    @Test("A program that takes the name of another device's player on the bus gets nothing meant for that")
    func takenNameOfDevice() throws {
        var board = MediaBoard()
        board.setDevice(Self.device, [Self.remote()])
        _ = board.setForeign([Self.foreign("far", "Playing", title: "A")], now: .zero)
        let meant = try PlayerChoice.find("far", for: .pause, among: board.all)
        #expect(meant.source == Self.remote().source)
        #expect(Set(board.all.map(\.id)) == ["far", "org.mpris.MediaPlayer2.far"])
    }

    @Test("Processes of one app leave room for the players of others, and those that have one keep it")
    func room() {
        var (board, limits) = (MediaBoard(), MediaLimits())
        (limits.maximumApps, limits.maximumOfApp) = (3, 2)
        let other = AppIdentity(bundleID: BundleID(unchecked: "com.example.other"), team: .development)
        for session in [sessions.0, sessions.1] {
            #expect(board.hasRoom(for: session, of: Self.tone, limits))
            _ = tell(&board, session, Self.update("One"))
        }
        #expect(!board.hasRoom(for: .random(), of: Self.tone, limits))
        #expect(board.hasRoom(for: sessions.0, of: Self.tone, limits))
        let third = SessionID.random()
        #expect(board.hasRoom(for: third, of: other, limits))
        _ = board.update(third, of: other, name: "Other", desktopEntry: nil, Self.update("Two"), now: .zero)
        #expect(!board.hasRoom(for: .random(), of: other, limits))
        _ = board.ended(sessions.0)
        #expect(board.hasRoom(for: .random(), of: Self.tone, limits))
    }

    @Test("Beginning to play is told once for each item, and not for a pause or a jump (P-61)")
    func beginning() {
        var board = MediaBoard()
        #expect(tell(&board, sessions.0, Self.update("One", rate: 0)) == nil)
        #expect(tell(&board, sessions.0, Self.update("One"))?.track.title == "One")
        #expect(tell(&board, sessions.0, Self.update("One", at: .seconds(5))) == nil)
        #expect(tell(&board, sessions.0, Self.update("Two"))?.track.title == "Two")
        #expect(tell(&board, sessions.0, AppUpdate(playing: nil)) == nil)
        #expect(board.all.isEmpty)
    }

    @Test("A player of another device is offered here only while nothing plays here (P-62)")
    func offering() {
        var board = MediaBoard()
        board.setDevice(Self.device, [Self.remote()])
        #expect(board.offered { _ in "Kitchen" }.map(\.name) == ["Far (Kitchen)"])
        _ = tell(&board, sessions.0, Self.update("Here"))
        #expect(board.offered { _ in "Kitchen" }.map(\.name) == ["Tone"])
        _ = tell(&board, sessions.0, Self.update("Here", rate: 0))
        #expect(board.offered { _ in "Kitchen" }.map(\.name) == ["Tone", "Far (Kitchen)"])
        // A program of the desktop that plays here counts too.
        let mpv = ForeignPlayer(
            busName: "org.mpris.MediaPlayer2.mpv", root: [:], player: ["PlaybackStatus": .string("Playing")],
            now: .zero)
        #expect(board.setForeign([mpv], now: .zero).count == 1)
        #expect(board.offered { _ in "Kitchen" }.map(\.name) == ["Tone"])
        board.setDevice(Self.device, nil)
        #expect(board.all.map(\.name) == ["mpv", "Tone"])
    }

    @Test("Two processes of one app are two players, with two names (P-62)")
    func twice() {
        var board = MediaBoard()
        _ = tell(&board, sessions.0, Self.update("One"))
        _ = tell(&board, sessions.1, Self.update("Two"))
        #expect(Set(board.all.map(\.id)) == ["com.example.tone", "com.example.tone-2"])
        #expect(board.ended(sessions.0)?.id == "com.example.tone")
        #expect(board.all.map(\.id) == ["com.example.tone-2"])
    }

    @Test("A picture is shown once its file is there, and only with the item it belongs to (P-64)")
    func artwork() {
        var board = MediaBoard()
        _ = tell(&board, sessions.0, Self.update("One", artwork: 1))
        #expect(board.apps[sessions.0]?.picture?.artworkPath == nil)
        board.setArtwork(sessions.0, 1, path: "/run/1.png")
        #expect(board.apps[sessions.0]?.picture?.artworkPath == "/run/1.png")
        _ = tell(&board, sessions.0, Self.update("Two", artwork: 2))
        #expect(board.apps[sessions.0]?.picture?.artworkPath == nil)
    }

    private static func foreign(
        _ name: String, _ status: String, title: String, canGoNext: Bool = true
    ) -> ForeignPlayer {
        ForeignPlayer(
            busName: "org.mpris.MediaPlayer2." + name, root: [:],
            player: [
                "PlaybackStatus": .string(status), "CanPlay": .boolean(canGoNext), "CanPause": .boolean(canGoNext),
                "CanGoNext": .boolean(canGoNext), "Metadata": .dictionary(["xesam:title": .string(title)]),
            ], now: .zero)
    }

    @Test("Among several players a command goes to the one that plays, else to the one that last played (P-62)")
    func lastPlayed() throws {
        var board = MediaBoard()
        func name(_ kind: MediaCommand.Kind) throws -> String {
            try PlayerChoice.find(nil, for: kind, among: board.all).name
        }
        func set(_ time: Int, _ players: ForeignPlayer...) { _ = board.setForeign(players, now: .seconds(time)) }
        set(1, Self.foreign("a", "Playing", title: "A"), Self.foreign("b", "Paused", title: "B"))
        #expect(try name(.nextTrack) == "a")
        set(2, Self.foreign("a", "Paused", title: "A"), Self.foreign("b", "Paused", title: "B"))
        // One that was opened, and one whose title changes while it is paused, were not played.
        set(
            3, Self.foreign("a", "Paused", title: "A"), Self.foreign("b", "Paused", title: "C"),
            Self.foreign("c", "Paused", title: "D"))
        for kind in [MediaCommand.Kind.play, .togglePlayPause, .nextTrack] { #expect(try name(kind) == "a", "\(kind)") }
        set(4, Self.foreign("a", "Paused", title: "A"), Self.foreign("b", "Playing", title: "C"))
        #expect(try name(.pause) == "b")
        set(5, Self.foreign("a", "Paused", title: "A"), Self.foreign("b", "Paused", title: "C"))
        #expect(try name(.play) == "b")
        // One that cannot do it is not asked while another can.
        set(6, Self.foreign("a", "Paused", title: "A"), Self.foreign("b", "Stopped", title: "", canGoNext: false))
        #expect(try name(.play) == "a" && name(.nextTrack) == "a")
        // An app that was paused counts as a program does.
        _ = tell(&board, sessions.0, Self.update("One"), now: .seconds(7))
        _ = tell(&board, sessions.0, Self.update("One", rate: 0), now: .seconds(8))
        #expect(try name(.play) == "Tone")
        _ = tell(&board, sessions.0, Self.update("Two", rate: 0), now: .seconds(9))
        set(10, Self.foreign("a", "Playing", title: "A"))
        set(11, Self.foreign("a", "Paused", title: "A"))
        #expect(try name(.play) == "a")
    }

    @Test("Without a name a pause goes to what plays, here first; playing goes on here (P-62)")
    func choice() throws {
        var board = MediaBoard()
        board.setDevice(Self.device, [Self.remote()])
        _ = tell(&board, sessions.0, Self.update("Here", rate: 0))
        #expect(try PlayerChoice.find(nil, for: .pause, among: board.all).name == "Far")
        #expect(try PlayerChoice.find(nil, for: .play, among: board.all).name == "Tone")
        _ = tell(&board, sessions.0, Self.update("Here"))
        #expect(try PlayerChoice.find("", for: .pause, among: board.all).name == "Tone")
        #expect(try PlayerChoice.find("far", for: .pause, among: board.all).id == "far")
        #expect(try PlayerChoice.find("COM.example.TONE", for: .pause, among: [Self.remote()]).id == "far")
        #expect(throws: BatonError.self) { try PlayerChoice.find("nothing", for: .pause, among: board.all) }
        let mistyped = #expect(throws: BatonError.self) { try PlayerChoice.find("tnoe", for: .pause, among: board.all) }
        #expect(mistyped?.message.contains("Did you mean “Tone”?") == true)
        _ = board.setForeign([Self.foreign("loud-vlc", "Paused", title: "A")], now: .seconds(1))
        #expect(try PlayerChoice.find("vlc", for: .pause, among: board.all).name == "loud-vlc")
        let both = [Self.foreign("loud-vlc", "Paused", title: "A"), Self.foreign("low-vlc", "Paused", title: "B")]
        _ = board.setForeign(both, now: .seconds(2))
        let unclear = #expect(throws: BatonError.self) { try PlayerChoice.find("vlc", for: .pause, among: board.all) }
        #expect(unclear?.reason == "ambiguous_player")
        #expect(throws: BatonError.self) { try PlayerChoice.find(nil, for: .pause, among: []) }
    }
}
