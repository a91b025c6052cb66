import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton reminders done`
struct RemindersDoneCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "done", abstract: "Mark a reminder as done; one that repeats moves on.")

    @Argument(help: "Its identifier, or the beginning of it.")
    var id: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            RemindersMethods.answerReminder,
            .with {
                $0.reminderID = id
                $0.answer = .done
            })
        try session.emit(
            json: ReminderReport.json(answer.reminder), text: "Done: \(TerminalText.escape(answer.reminder.subject))")
    }
}
