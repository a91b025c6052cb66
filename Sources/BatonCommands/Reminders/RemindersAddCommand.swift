import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton reminders add`
struct RemindersAddCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a reminder.",
        discussion: """
            WHEN is a time: 2026-12-24 18:00, 18:00, “tomorrow 9:00”, “in 20 minutes”; or arriving:PLACE, leaving:PLACE, \
            connected:DEVICE, disconnected:DEVICE, opened:APP, person:ADDRESS or person:NAME, which messaged: and called: narrow.
            DEVICE is a Bluetooth device, headphones or a car, as “baton context” names it while it is connected; “headphones” \
            and “car” are any. Devices of your account are not meant.
            With --this the reminder leads back to what the app in front shows now.
            """)

    @Argument(help: "The reminder's text. With --this it defaults to the title of the activity.")
    var text: [String] = []

    @Option(name: .long, help: ArgumentHelp("When to remind.", valueName: "when"))
    var when: String?

    @Option(
        name: .long,
        help: ArgumentHelp("How to repeat: daily, weekly, monthly, yearly, or an RRULE.", valueName: "rule"))
    var every: String?

    @Flag(name: .long, help: "Link what the app in front shows now.")
    var this = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !text.isEmpty || this else { throw ValidationError("Say what you want to be reminded of.") }
        guard every == nil || when != nil else { throw ValidationError("--every needs a time: add --when.") }
    }

    func run(in session: CommandSession) async throws {
        var request = Baton_Control_V1_AddReminderRequest()
        request.subject = text.joined(separator: " ")
        request.this = this
        if let when {
            guard
                var trigger = ReminderWhen.trigger(
                    when, now: session.context.clock.now, zone: session.context.timeZone)
            else {
                throw CommandFailure.usage(
                    "“\(when)” is no time. Write 18:00, “tomorrow 9:00”, “in 20 minutes”, 2026-12-24 18:00, or arriving:home. "
                        + "Other words go to “baton ask remind me to ...”."
                )
            }
            if let every {
                guard case .time(var time) = trigger.kind else {
                    throw CommandFailure.usage("--every needs a time with --when.")
                }
                time.recurrence = ReminderWhen.rule(every)
                trigger.time = time
            }
            request.trigger = trigger
        }
        let answer = try await session.call(RemindersMethods.addReminder, request)
        try session.emit(
            json: ReminderReport.json(answer.reminder), text: ReminderReport.text(answer.reminder, session))
        if !answer.warning.isEmpty { try session.remark(TerminalText.escape(answer.warning)) }
    }
}
