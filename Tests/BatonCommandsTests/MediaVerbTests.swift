import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

struct MediaVerbTests {
    private func fixture() -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(MediaControlMethods.listPlayers) { _ in
            .with {
                $0.players = [
                    .with {
                        $0.playerID = "ABCD.com.example.tone"
                        $0.name = "Tone"
                        $0.deviceID = "ABCD"
                        $0.deviceName = "Kitchen"
                        $0.item.title = "A \u{1B}[2Jsong"
                        $0.item.duration = 3725
                        $0.state = .playing
                        $0.position = 65.4
                    }
                ]
            }
        }
        fixture.daemon.on(MediaControlMethods.controlPlayer) { _ in .with { $0.name = "Tone" } }
        fixture.daemon.on(MediaControlMethods.moveMedia) { _ in
            .with {
                $0.appName = "Tone"
                $0.deviceName = "Kitchen"
                $0.title = "Song"
                $0.position = 61
            }
        }
        return fixture
    }

    @Test("what plays is listed with its device and its position, for people and as JSON (P-62)")
    func lists() async throws {
        let fixture = fixture()
        #expect(await fixture.run("media") == .success)
        #expect(fixture.output.text.contains("playing in Tone on Kitchen, 1:05 of 1:02:05"))
        #expect(!fixture.output.text.contains("\u{1B}[2J"))
        #expect(await fixture.run("media", "--json") == .success)
        let players = try fixture.json(fixture.output)["players"] as? [[String: Any]]
        #expect(players?.first?["device"] as? String == "Kitchen" && players?.first?["state"] as? String == "playing")
    }

    @Test("each verb asks for its command, of the player that is named (P-62)")
    func controls() async throws {
        let fixture = fixture()
        for verb in ["play", "pause", "toggle", "next", "previous"] {
            #expect(await fixture.run("media", verb) == .success)
        }
        #expect(await fixture.run("media", "seek", "90.5", "Tone") == .success)
        #expect(fixture.output.text.contains("Tone is at 1:30."))
        let requests = fixture.daemon.requests(of: Baton_Control_V1_ControlPlayerRequest.self)
        #expect(
            requests.map(\.command.kind) == [
                .play, .pause, .togglePlayPause, .nextTrack, .previousTrack, .changePlaybackPosition,
            ])
        #expect(requests.last?.player == "Tone" && requests.last?.command.value == 90.5)
        #expect(requests.first?.player == "")
        for text in ["nan", "+30", "1:60", "1:", ":30", "1:2:3:4", "1e999"] {
            #expect(await fixture.run("media", "seek", text) == .usage, "\(text)")
        }
        for text in ["1:30", "1:02:03.5"] { #expect(await fixture.run("media", "seek", text) == .success, "\(text)") }
        let sought = fixture.daemon.requests(of: Baton_Control_V1_ControlPlayerRequest.self).suffix(2)
        #expect(sought.map(\.command.value) == [90, 3723.5])
        #expect(await fixture.run("media", "seek") == .usage)
    }

    @Test("toggling says which of the two it was (P-62)")
    func toggling() async throws {
        for (wasPlaying, wanted) in [(true, "Tone is paused.\n"), (false, "Tone plays.\n")] {
            let fixture = CommandLineFixture()
            fixture.daemon.on(MediaControlMethods.controlPlayer) { _ in
                .with {
                    $0.name = "Tone"
                    $0.wasPlaying = wasPlaying
                }
            }
            #expect(await fixture.run("media", "toggle") == .success)
            #expect(fixture.output.text == wanted)
        }
    }

    @Test("what plays is moved to a device, and it is said where it goes on (P-62)")
    func moves() async throws {
        let fixture = fixture()
        #expect(await fixture.run("media", "move", "Kitchen") == .success)
        #expect(fixture.output.text.contains("“Song” goes on in Tone on Kitchen at 1:01."))
        #expect(fixture.daemon.requests(of: Baton_Control_V1_MoveMediaRequest.self).map(\.device) == ["Kitchen"])
        #expect(await fixture.run("media", "move") == .usage)
    }
}
