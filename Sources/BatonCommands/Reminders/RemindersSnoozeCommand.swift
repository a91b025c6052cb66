import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton reminders snooze`
struct RemindersSnoozeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Snooze a reminder for 10 minutes.")

    @Argument(help: "Its identifier, or the beginning of it.")
    var id: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            RemindersMethods.answerReminder,
            .with {
                $0.reminderID = id
                $0.answer = .snooze
            })
        try session.emit(
            json: ReminderReport.json(answer.reminder),
            text: "In 10 minutes again: \(TerminalText.escape(answer.reminder.subject))")
    }
}
