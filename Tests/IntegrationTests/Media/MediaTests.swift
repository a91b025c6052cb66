import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import Testing

extension Integration {
    /// MonkeyPlayer with a real daemon, on a session bus of the test's own, controlled with Debian's playerctl.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct MediaTests {
        private static let identifier = TestBundle.monkeyPlayer.identifier
        private static let player = "baton.com_xamarin_monkeyplayer"

        private struct Listed: Decodable {
            struct Player: Decodable {
                var playerId: String
                var name: String
                var device: String?
                var state: String
                var title: String?
                var artist: String?
                var position: Double
                var duration: Double?
            }
            var players: [Player]
        }

        private static func players(_ device: TestDevice) async throws -> [Listed.Player] {
            try await device.baton("media").decode(Listed.self).players
        }

        /// Runs MonkeyPlayer on the first device, which has a bus.
        private static func with(
            _ count: Int,
            _ body: (TestHousehold, DesktopSession, ExampleLog, _ say: (String) throws -> Void) async throws -> Void
        ) async throws {
            try await TestHousehold.with(count, paired: count > 1) { household in
                let device = household[0]
                let bus = try await SessionBus()
                device.use(bus)
                let outcome: Result<Void, any Error>
                do {
                    try await device.restart()
                    try await household.install(.monkeyPlayer)
                    let fifo = device.container(of: identifier) + "/script"
                    #expect(mkfifo(fifo, 0o600) == 0)
                    try await device.baton("launch", identifier, "--env", "BATON_SCRIPT=\(fifo)")
                    let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                    defer { try? script.close() }
                    let log = try ExampleLog(.monkeyPlayer, on: device)
                    try await log.line("launched")
                    let desktop = DesktopSession(device, in: household.directory, bus: bus)
                    try await body(household, desktop, log) { line in
                        try script.write(contentsOf: Data("\(line)\n".utf8))
                    }
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await bus.end()
                try outcome.get()
            }
        }

        private static func read(_ desktop: DesktopSession, _ arguments: String...) async throws -> String {
            let program = try ChildProcess(["playerctl", "-p", player] + arguments, environment: desktop.environment)
            program.closeInput()
            return try await within(.seconds(30), "playerctl") {
                _ = try await program.status()
                try await program.output.waitForEnd()
                return program.output.all.joined(separator: "\n")
            }
        }

        private static func until(_ text: String, _ desktop: DesktopSession, _ arguments: String...) async throws {
            try await desktop.device.until("playerctl \(arguments) to print \(text)") {
                let program = try ChildProcess(
                    ["playerctl", "-p", player] + arguments, environment: desktop.environment)
                program.closeInput()
                _ = try await program.status()
                try await program.output.waitForEnd()
                return program.output.all.joined(separator: "\n") == text
            }
        }

        @Test(
            "the desktop's controls see what MonkeyPlayer plays, with the picture for missing ones, and control it; what its handler refuses is an error (P-62, P-64, P-65, S-24)"
        )
        func controls() async throws {
            try await Self.with(1) { household, desktop, log, say in
                try say("play 0")
                try await Self.until("Playing", desktop, "status")
                #expect(try await Self.read(desktop, "metadata", "xesam:title") == "Tone")
                #expect(try await Self.read(desktop, "metadata", "xesam:artist") == "The Monkeys")
                #expect(try await Self.read(desktop, "metadata", "xesam:album") == "Tests")
                #expect(try await Self.read(desktop, "metadata", "mpris:length") == "180000000")
                // The picture comes a moment later.
                try await household[0].until("the picture") {
                    try await Self.read(desktop, "metadata", "mpris:artUrl").hasPrefix("file:///")
                }
                let picture = try await Self.read(desktop, "metadata", "mpris:artUrl")
                let file = try Data(contentsOf: try #require(URL(string: picture)))
                let missing = Products.package + "/Examples/MonkeyPlayer/MissingAlbumArt.png"
                #expect(try file == Data(contentsOf: URL(fileURLWithPath: missing)))

                try await desktop.run("playerctl", "-p", Self.player, "pause")
                try await log.line("paused at")
                try await Self.until("Paused", desktop, "status")
                try await desktop.run("playerctl", "-p", Self.player, "position", "100")
                try await log.line("at 100")
                try await household[0].until("the position") {
                    try await Self.read(desktop, "position").hasPrefix("100.")
                }
                try await desktop.run("playerctl", "-p", Self.player, "play")
                try await Self.until("Playing", desktop, "status")
                // The first song has none before it.
                #expect(try await desktop.run(["playerctl", "-p", Self.player, "previous"], expecting: nil) != 0)
                try await desktop.run("playerctl", "-p", Self.player, "next")
                try await Self.until("Overtone", desktop, "metadata", "xesam:title")
                try await desktop.run("playerctl", "-p", Self.player, "next")
                // After the last song the control is off.
                try await Self.until("Undertone", desktop, "metadata", "xesam:title")
                #expect(try await desktop.run(["playerctl", "-p", Self.player, "next"], expecting: nil) != 0)

                try await household[0].baton("media", "pause")
                try await Self.until("Paused", desktop, "status")
                let refused = try await household[0].baton("media", "next", expecting: 6)
                #expect(refused.errors.contains("does not offer this now"))
                // The medium that it has loaded goes on by its name.
                try await household[0].baton("ask", "play", "undertone")
                try await Self.until("Playing", desktop, "status")
                try await household[0].baton("quit", Self.identifier)
                try await household[0].until("the player to be gone") {
                    try await Self.players(household[0]).isEmpty
                }
            }
        }

        @Test("another device sees what plays and controls it, and the same app goes on there at the position (P-62)")
        func elsewhere() async throws {
            try await Self.with(2) { household, desktop, log, say in
                let (here, there) = (household[0], household[1])
                try await here.isConnected(to: there)
                try say("play 1")
                try say("seek 60")
                try await there.until("the other device to see it") {
                    guard let player = try await Self.players(there).first else { return false }
                    return player.title == "Overtone" && player.state == "playing" && player.device == here.name
                        && player.position >= 60
                }
                try await there.baton("media", "pause")
                try await log.line("paused at 6")
                try await here.baton("media", "play")
                try await Self.until("Playing", desktop, "status")

                try await here.baton("media", "move", there.name)
                let other = try ExampleLog(.monkeyPlayer, on: there)
                try await other.line("loaded Overtone")
                try await other.line("plays Overtone from 6")
                try await Self.until("Paused", desktop, "status")
                try await here.until("this device to see it there") {
                    try await Self.players(here).contains { $0.device == there.name && $0.state == "playing" }
                }
            }
        }
    }
}
