import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton quit`
struct QuitCommand: Verb {
    static let configuration = CommandConfiguration(commandName: "quit", abstract: "End a running app.")

    @Argument(help: "Its bundle identifier or name.", completion: DynamicCompletion.apps)
    var app: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let bundleID = try await AppReference.bundleID(app, session)
        _ = try await session.call(
            ControlMethods.quitApp, .with { $0.bundleID = bundleID }, timeout: .seconds(30))
        try session.emit(
            json: ["bundle_id": .string(bundleID)], text: "\(TerminalText.escape(bundleID)) has ended.")
    }
}
