import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton reminders delete`
struct RemindersDeleteCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a reminder, here and on your other devices.")

    @Argument(help: "Its identifier, or the beginning of it.")
    var id: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            RemindersMethods.answerReminder,
            .with {
                $0.reminderID = id
                $0.answer = .delete
            })
        guard answer.hasDeleted else {
            return try session.emit(json: ["deleted": .boolean(!answer.hasReminder)], text: "Deleted.")
        }
        try session.emit(
            json: ["deleted": true, "reminder": ReminderReport.json(answer.deleted)],
            text: ReminderAgain.text(answer.deleted, zone: session.context.timeZone))
    }
}
