import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// A player that is no app of Baton's: Debian's mpv with mpv-mpris, seen and controlled from another device (P-62).
    @Suite(.serialized, .timeLimit(.minutes(2))) struct ForeignMediaTests {
        private struct Listed: Decodable {
            struct Player: Decodable {
                var name: String
                var device: String?
                var state: String
                var title: String?
            }
            var players: [Player]
        }

        private static func players(_ device: TestDevice) async throws -> [Listed.Player] {
            try await device.baton("media").decode(Listed.self).players
        }

        /// A minute of silence, as a WAV file.
        private static var silence: Data {
            func number(_ value: UInt32) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
            func short(_ value: UInt16) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
            let samples = Data(count: 8000 * 60)
            var file = Data("RIFF".utf8)
            file.append(number(UInt32(36 + samples.count)))
            file.append(Data("WAVEfmt ".utf8))
            file.append(number(16))
            // PCM, one channel, 8,000 samples in a second, 8 bits.
            file.append(short(1))
            file.append(short(1))
            file.append(number(8000))
            file.append(number(8000))
            file.append(short(1))
            file.append(short(8))
            file.append(Data("data".utf8))
            file.append(number(UInt32(samples.count)))
            file.append(samples)
            return file
        }

        @Test(
            "what mpv plays is seen on the account's other device and on that desktop, and controlled from both; it cannot be moved (P-62)"
        )
        func mpv() async throws {
            try await TestHousehold.with(2) { household in
                let (here, there) = (household[0], household[1])
                let buses = (try await SessionBus(), try await SessionBus())
                here.use(buses.0)
                there.use(buses.1)
                try await here.restart()
                try await there.restart()
                try await here.isConnected(to: there)
                let file = household.directory + "/Tone.wav"
                try Self.silence.write(to: URL(fileURLWithPath: file))
                let player = try ChildProcess(
                    [
                        "/usr/bin/mpv", "--no-config", "--no-terminal", "--load-scripts=no",
                        "--script=/usr/lib/mpv-mpris/mpris.so", "--ao=null", "--vo=null", "--title=Tone", file,
                    ],
                    environment: [
                        "PATH": "/usr/bin:/bin", "HOME": household.directory,
                        "DBUS_SESSION_BUS_ADDRESS": buses.0.address,
                    ])
                player.closeInput()
                do {
                    try await there.until("the other device to see mpv") {
                        try await Self.players(there).contains { $0.device == here.name && $0.state == "playing" }
                    }
                    try await there.baton("media", "pause")
                    try await here.until("mpv to be paused") {
                        try await Self.players(here).contains { $0.device == nil && $0.state == "paused" }
                    }
                    // While nothing plays there the desktop's controls there have it.
                    let desktop = DesktopSession(there, in: household.directory, bus: buses.1)
                    @Sendable func names() async -> [String] {
                        // It fails where there is no player.
                        let all = (try? await desktop.output(of: "playerctl", "-l")) ?? []
                        return all.filter { $0.hasPrefix("baton.") }
                    }
                    try await there.until("the desktop there to list it") { await !names().isEmpty }
                    let name = try #require(await names().first)
                    try await desktop.run("playerctl", "-p", name, "play")
                    try await here.until("mpv to play again") {
                        try await Self.players(here).contains { $0.device == nil && $0.state == "playing" }
                    }
                    // Only apps of Baton's can be moved.
                    #expect(try await here.baton(["media", "move", there.name], expecting: nil).status != 0)
                    await player.kill()
                    try await there.until("the player to be gone") { try await Self.players(there).isEmpty }
                } catch {
                    await player.kill()
                    await buses.0.end()
                    await buses.1.end()
                    throw error
                }
                await buses.0.end()
                await buses.1.end()
            }
        }
    }
}
