import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton media list`
struct MediaListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what plays, here and on your other devices.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(MediaControlMethods.listPlayers, .init())
        try session.emit(
            json: [
                "players": .array(answer.players.map(Self.json)), "bus_problem": .init(nonEmpty: answer.busProblem),
            ], text: Self.text(answer, session))
    }

    private static func text(_ answer: Baton_Control_V1_ListPlayersResponse, _ session: CommandSession) -> String {
        guard !answer.players.isEmpty else {
            let hint = answer.busProblem.isEmpty ? "" : " The desktop's players are not seen: \(answer.busProblem)"
            return "Nothing plays, here or on your other devices." + hint
        }
        return answer.players.map { player in
            let title = TerminalText.escape(player.item.title.isEmpty ? "Untitled" : player.item.title)
            let artist = player.item.artist.isEmpty ? "" : ", by " + TerminalText.escape(player.item.artist)
            let place = player.deviceName.isEmpty ? "" : " on " + TerminalText.escape(player.deviceName)
            var times = MediaTime.text(player.position)
            if player.item.hasDuration { times += " of " + MediaTime.text(player.item.duration) }
            let details =
                "  \(MediaTime.state(player.state)) in \(TerminalText.escape(player.name))\(place), \(times) "
                + "(\(TerminalText.escape(player.playerID)))"
            return session.paint(.bold, title) + artist + "\n" + session.paint(.faint, details)
        }.joined(separator: "\n")
    }

    private static func json(_ player: Baton_Control_V1_ShownPlayer) -> JSONValue {
        [
            "player_id": .string(player.playerID), "name": .string(player.name),
            "bundle_id": .init(nonEmpty: player.bundleID), "device_id": .init(nonEmpty: player.deviceID),
            "device": .init(nonEmpty: player.deviceName), "state": .string(MediaTime.state(player.state)),
            "title": .init(nonEmpty: player.item.title), "artist": .init(nonEmpty: player.item.artist),
            "album": .init(nonEmpty: player.item.albumTitle),
            "duration": player.item.hasDuration ? .real(player.item.duration) : .null,
            "position": .real(player.position), "rate": .real(player.rate),
            "identifier": .init(nonEmpty: player.item.identifier),
            "commands": .array(player.commands.map { .string("\($0)") }),
        ]
    }
}

/// Times and states of players, for people.
enum MediaTime {
    /// `3:07`, or `1:02:03`.
    static func text(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, let whole = Int(exactly: seconds.rounded(.down)) else { return "0:00" }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    static func state(_ state: Baton_Value_V1_MediaPlaybackState) -> String {
        switch state {
        case .playing: "playing"
        case .paused: "paused"
        case .stopped: "stopped"
        case .interrupted: "interrupted"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}
