import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton launch`
struct LaunchCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Start an installed app.",
        discussion: "“baton log --app” shows what it prints.")

    @Argument(help: "Its bundle identifier or name.", completion: DynamicCompletion.apps)
    var app: String

    @Option(name: .customLong("env"), parsing: .singleValue, help: "Set a variable for it.", transform: Variable.init)
    var variables: [Variable] = []

    @Argument(parsing: .postTerminator, help: "Arguments for the app, after “--”.")
    var arguments: [String] = []

    @OptionGroup var options: GlobalOptions

    /// `KEY=VALUE`
    struct Variable: Sendable {
        let name: String
        let value: String

        init(_ text: String) throws {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw ValidationError("“\(text)” is not of the form KEY=VALUE.")
            }
            name = String(text[..<equals])
            value = String(text[text.index(after: equals)...])
        }
    }

    func run(in session: CommandSession) async throws {
        let bundleID = try await AppReference.bundleID(app, session)
        let environment = Dictionary(variables.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        let answer = try await session.call(
            ControlMethods.launchApp,
            .with {
                $0.bundleID = bundleID
                $0.arguments = arguments
                $0.environment = environment
            }, timeout: .seconds(30))
        let name = TerminalText.escape(bundleID)
        try session.emit(
            json: [
                "bundle_id": .string(bundleID), "process_id": .init(answer.processID),
                "was_running": .boolean(answer.wasRunning),
            ],
            text: answer.wasRunning
                ? "\(name) runs already, as process \(answer.processID)."
                : "Started \(name) as process \(answer.processID).")
    }
}
