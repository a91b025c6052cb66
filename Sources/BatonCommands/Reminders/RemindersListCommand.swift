import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton reminders list`
struct RemindersListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List reminders, the next one first.")

    @Flag(name: .long, help: "Also those that are done.")
    var all = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(RemindersMethods.listReminders, .with { $0.all = all })
        // Other programs' identifiers may begin alike, with a date, say.
        let length = ShownIdentifier.length(answer.reminders.map(\.reminderID))
        try session.emit(
            json: [
                "reminders": .array(answer.reminders.map(ReminderReport.json)), "folder": .string(answer.folder),
                "problems": .array(answer.problems.map { .string($0) }), "truncated": .boolean(answer.truncated),
            ],
            text: answer.reminders.isEmpty
                ? "There are no reminders. To make one: baton reminders add TEXT --when WHEN"
                : answer.reminders.map { ReminderReport.text($0, session, length: length) }.joined(separator: "\n"))
        for problem in answer.problems { try session.remark(TerminalText.escape(problem)) }
        if answer.truncated { try session.remark("There are more reminders than are listed.") }
    }
}
