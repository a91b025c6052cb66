import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton reminders open`
struct RemindersOpenCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open what a reminder was made from: the activity in its app, else its page.")

    @Argument(help: "Its identifier, or the beginning of it.")
    var id: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            RemindersMethods.answerReminder,
            .with {
                $0.reminderID = id
                $0.answer = .open
            }, timeout: .seconds(90))
        guard answer.handled else {
            throw CommandFailure(
                .notContinued,
                BatonError(
                    .aborted, reason: "not_handled", "\(answer.appName) was given the activity, but did not take it."))
        }
        let app = TerminalText.escape(answer.appName)
        try session.emit(
            json: ["app_name": .init(nonEmpty: answer.appName), "handled": .boolean(answer.handled)],
            text: app.isEmpty ? "Opened the page." : "Opened in \(app).")
    }
}
