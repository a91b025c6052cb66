import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// The player that a verb of `baton media` is for.
struct ChosenPlayer: ParsableArguments {
    @Argument(help: "A player's identifier or name.")
    var player: String?

    @Option(name: .customLong("player"), help: "The same, as an option.")
    var named: String?

    func validate() throws {
        guard player == nil || named == nil else { throw ValidationError("Name the player once.") }
    }

    /// Empty for the one that plays, else the one that last played.
    var text: String { named ?? player ?? "" }
}

/// A verb of `baton media` that asks a player for one thing.
protocol MediaVerb: Verb {
    var players: ChosenPlayer { get }
    var command: Baton_Value_V1_MediaCommand { get }
    /// The end of the sentence that begins with the player's name.
    func outcome(_ answer: Baton_Control_V1_ControlPlayerResponse) -> String
}

extension MediaVerb {
    /// The app's handler may take 10 seconds, perhaps on another device.
    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            MediaControlMethods.controlPlayer,
            .with {
                $0.player = players.text
                $0.command = command
            }, timeout: .seconds(20))
        try session.emit(
            json: ["player": .string(answer.name)], text: "\(TerminalText.escape(answer.name)) \(outcome(answer)).")
    }
}

/// `baton media play`
struct MediaPlayCommand: MediaVerb {
    static let configuration = CommandConfiguration(commandName: "play", abstract: "Go on playing.")
    @OptionGroup var players: ChosenPlayer
    @OptionGroup var options: GlobalOptions
    var command: Baton_Value_V1_MediaCommand { .with { $0.kind = .play } }
    func outcome(_ answer: Baton_Control_V1_ControlPlayerResponse) -> String { "plays" }
}

/// `baton media pause`
struct MediaPauseCommand: MediaVerb {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause what plays.")
    @OptionGroup var players: ChosenPlayer
    @OptionGroup var options: GlobalOptions
    var command: Baton_Value_V1_MediaCommand { .with { $0.kind = .pause } }
    func outcome(_ answer: Baton_Control_V1_ControlPlayerResponse) -> String { "is paused" }
}

/// `baton media toggle`
struct MediaToggleCommand: MediaVerb {
    static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Pause, or go on playing.")
    @OptionGroup var players: ChosenPlayer
    @OptionGroup var options: GlobalOptions
    var command: Baton_Value_V1_MediaCommand { .with { $0.kind = .togglePlayPause } }
    func outcome(_ answer: Baton_Control_V1_ControlPlayerResponse) -> String {
        answer.wasPlaying ? "is paused" : "plays"
    }
}

/// `baton media next`
struct MediaNextCommand: MediaVerb {
    static let configuration = CommandConfiguration(commandName: "next", abstract: "Go to the next item.")
    @OptionGroup var players: ChosenPlayer
    @OptionGroup var options: GlobalOptions
    var command: Baton_Value_V1_MediaCommand { .with { $0.kind = .nextTrack } }
    func outcome(_ answer: Baton_Control_V1_ControlPlayerResponse) -> String { "goes to the next item" }
}

/// `baton media previous`
struct MediaPreviousCommand: MediaVerb {
    static let configuration = CommandConfiguration(commandName: "previous", abstract: "Go to the previous item.")
    @OptionGroup var players: ChosenPlayer
    @OptionGroup var options: GlobalOptions
    var command: Baton_Value_V1_MediaCommand { .with { $0.kind = .previousTrack } }
    func outcome(_ answer: Baton_Control_V1_ControlPlayerResponse) -> String { "goes to the item before" }
}

/// `baton media seek`
struct MediaSeekCommand: MediaVerb {
    static let configuration = CommandConfiguration(commandName: "seek", abstract: "Go to another position.")
    @Argument(help: "Seconds from the beginning, or minutes and seconds, as in 1:30.") var position: MediaPosition
    @OptionGroup var players: ChosenPlayer
    @OptionGroup var options: GlobalOptions

    var command: Baton_Value_V1_MediaCommand {
        .with {
            $0.kind = .changePlaybackPosition
            $0.value = position.seconds
        }
    }
    func outcome(_ answer: Baton_Control_V1_ControlPlayerResponse) -> String {
        "is at \(MediaTime.text(position.seconds))"
    }
}
