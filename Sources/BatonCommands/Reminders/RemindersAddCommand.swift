import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton reminders add`
struct RemindersAddCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a reminder.",
        discussion: """
            WHEN is a time: 2026-12-24 18:00, 18:00, “monday 9am”, “tomorrow at 8”, “in 20 minutes”, and whatever else “baton ask” \
            takes, as “when I get home”; or arriving:PLACE, leaving:PLACE, \
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
            let rule = every.map(ReminderWhen.rule) ?? ""
            let zone = session.context.timeZone
            if var trigger = ReminderWhen.trigger(when, now: session.context.clock.now, zone: zone) {
                if every != nil {
                    guard case .time(var time) = trigger.kind else {
                        throw CommandFailure.usage("--every needs a time with --when.")
                    }
                    time.recurrence = rule
                    trigger.time = time
                }
                request.trigger = trigger
            } else {
                // Words are read by the daemon, which knows places, apps and people. An older one takes the trigger, and refuses it.
                request.trigger = .init()
                request.words = .with {
                    $0.text = when
                    $0.timeZone = zone.identifier
                    $0.recurrence = rule
                }
            }
        }
        let answer = try await add(request, in: session)
        try session.emit(
            json: ReminderReport.json(answer.reminder), text: ReminderReport.text(answer.reminder, session))
        if !answer.warning.isEmpty { try session.remark(TerminalText.escape(answer.warning)) }
    }

    private func add(
        _ request: Baton_Control_V1_AddReminderRequest, in session: CommandSession
    ) async throws -> Baton_Control_V1_AddReminderResponse {
        do {
            return try await session.call(RemindersMethods.addReminder, request)
        } catch let error as BatonError where request.hasWords && error.reason == "invalid_trigger" {
            throw BatonError(
                .failedPrecondition, reason: "daemon_is_older",
                "The daemon that runs is older than this program and reads no words for a time, so no reminder was made. Restart "
                    + "the daemon, or write the time as in “2026-12-24 18:00”.")
        }
    }
}
