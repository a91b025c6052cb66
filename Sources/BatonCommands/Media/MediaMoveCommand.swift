import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton media move`
struct MediaMoveCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Go on with what plays on another device, or here.",
        discussion: """
            The player is paused, and the same app, or one of its team, goes on at that position on the device. The name of this \
            device brings the media that play on another device here.
            """)

    @Argument(help: "A device.", completion: DynamicCompletion.devices)
    var device: String

    @OptionGroup var players: ChosenPlayer

    @OptionGroup var options: GlobalOptions

    /// The app there may have to be started.
    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            MediaControlMethods.moveMedia,
            .with {
                $0.device = device
                $0.player = players.text
            }, timeout: .seconds(120))
        let title = answer.title.isEmpty ? "It" : "“\(TerminalText.escape(answer.title))”"
        try session.emit(
            json: [
                "app": .string(answer.appName), "device": .string(answer.deviceName),
                "title": .init(nonEmpty: answer.title), "position": .real(answer.position),
            ],
            text: "\(title) goes on in \(TerminalText.escape(answer.appName)) on "
                + "\(TerminalText.escape(answer.deviceName)) at \(MediaTime.text(answer.position)).")
    }
}
