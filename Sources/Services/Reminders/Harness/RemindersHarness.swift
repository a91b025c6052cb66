import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import ICalendar
import SwiftProtobuf

/// Answers the command line about reminders.
package struct RemindersHarness: Sendable {
    /// Reminders and problems of one answer.
    private static let maximumListed = 1000
    private static let maximumProblems = 100

    private let service: Reminders

    /// Reads when a reminder is to come. Throws `invalid_argument` for words that say no time and no event.
    package typealias Words = @Sendable (_ text: String, _ timeZone: String) async throws -> ReminderTrigger

    /// Why what a reminder waits for may never happen.
    private let doubt: @Sendable (ReminderTrigger) -> String?
    private let words: Words

    package init(
        _ service: Reminders, doubt: @escaping @Sendable (ReminderTrigger) -> String? = { _ in nil },
        words: @escaping Words
    ) {
        self.service = service
        self.doubt = doubt
        self.words = words
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(RemindersMethods.listReminders) { [service] request, _ in
            let reminders = await service.list(all: request.all)
            let (folder, problems) = await service.problems()
            return .with {
                $0.reminders = reminders.prefix(Self.maximumListed).map { Self.message($0, service) }
                $0.problems = problems.prefix(Self.maximumProblems).map { $0.shortened(toBytes: 1000) }
                $0.folder = folder
                $0.truncated = reminders.count > Self.maximumListed
            }
        }
        router.unary(RemindersMethods.addReminder) { [service, doubt, words] request, _ in
            let draft = try await Self.draft(request, service, words)
            let reminder = try await service.add(draft)
            return .with {
                $0.reminder = Self.message(reminder, service)
                $0.warning = draft.trigger.flatMap { Self.passed($0, now: service.place.clock.now) ?? doubt($0) } ?? ""
            }
        }
        router.unary(RemindersMethods.answerReminder) { [service] request, _ in
            let id = try await service.id(request.reminderID)
            switch request.answer {
            case .done:
                let reminder = try await service.finish(id)
                return .with { $0.reminder = Self.message(reminder, service) }
            case .snooze:
                let reminder = try await service.snooze(id)
                return .with { $0.reminder = Self.message(reminder, service) }
            case .delete:
                let reminder = try await service.delete(id)
                return reminder.map { reminder in .with { $0.deleted = Self.message(reminder, service) } } ?? .init()
            case .open:
                let (app, _, isHandled) = try await service.open(id)
                return .with {
                    $0.appName = app ?? ""
                    $0.handled = isHandled
                }
            case .unspecified, .UNRECOGNIZED:
                throw BatonError(.invalidArgument, reason: "no_answer", "Say what is to be done with the reminder.")
            }
        }
    }

    /// A time that has passed may be a slip of the person's: the year, say.
    static func passed(_ trigger: ReminderTrigger, now: Date) -> String? {
        guard case .time(let date, nil) = trigger, now.timeIntervalSince(date) > 60 else { return nil }
        return now.timeIntervalSince(date) * 1000 > Double(ReminderStateMachine.maximumAge)
            ? "That time passed more than 7 days ago: the reminder is listed, and not shown."
            : "That time has passed: the reminder is shown at once."
    }

    static func draft(
        _ request: Baton_Control_V1_AddReminderRequest, _ service: Reminders, _ words: Words
    ) async throws -> ReminderDraft {
        let link = request.this ? try await service.current() : nil
        let subject = request.subject.isEmpty ? link?.title ?? "" : request.subject
        var draft = ReminderDraft(subject: subject, activity: link)
        if request.hasWords {
            let trigger = try await words(request.words.text, request.words.timeZone)
            draft.trigger = try Self.trigger(trigger, repeating: request.words.recurrence)
            return draft
        }
        guard request.hasTrigger else { return draft }
        switch request.trigger.kind {
        case .time(let time):
            let date = Date(timeIntervalSince1970: Double(time.time) / 1000)
            draft.trigger = .time(date, try Self.rule(time.recurrence))
        case .arriving(let place): draft.trigger = .arriving(place)
        case .leaving(let place): draft.trigger = .leaving(place)
        case .connected(let device): draft.trigger = .connected(device)
        case .disconnected(let device): draft.trigger = .disconnected(device)
        case .appOpened(let app): draft.trigger = .appOpened(try service.apps.app(named: app))
        case .personContacted(let text): draft.trigger = .personContacted(try await handle(text, service))
        case .personMessaged(let text): draft.trigger = .personMessaged(try await handle(text, service))
        case .personCalled(let text): draft.trigger = .personCalled(try await handle(text, service))
        case nil:
            throw BatonError(.invalidArgument, reason: "invalid_trigger", "Say when you want to be reminded.")
        }
        return draft
    }

    private static func trigger(
        _ trigger: ReminderTrigger, repeating recurrence: String
    ) throws(BatonError) -> ReminderTrigger {
        guard let rule = try rule(recurrence) else { return trigger }
        guard case .time(let date, nil) = trigger else {
            throw BatonError(
                .invalidArgument, reason: "invalid_recurrence",
                "A rule repeats a time that does not come again by itself. Say the repetition in the words alone, as in “every "
                    + "monday at 9”.")
        }
        return .time(date, rule)
    }

    private static func rule(_ text: String) throws(BatonError) -> RecurrenceRule? {
        guard !text.isEmpty else { return nil }
        guard let rule = RecurrenceRule(text) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_recurrence",
                "“\(text.shortened(toBytes: 80))” is no rule that reminders can follow. Write daily, weekly, "
                    + "monthly, yearly, or a rule such as FREQ=WEEKLY;BYDAY=MO,WE.")
        }
        return rule
    }

    private static func handle(_ text: String, _ service: Reminders) async throws -> String {
        let isAddress = text.contains("@") || text.contains(where: \.isWholeNumber)
        return isAddress ? text : try await service.apps.handle(named: text)
    }

    private static func message(_ reminder: Reminder, _ service: Reminders) -> Baton_Control_V1_Reminder {
        .with {
            $0.reminderID = reminder.id
            $0.subject = reminder.subject.shortened(toBytes: 1000)
            $0.state =
                switch reminder.state {
                case .scheduled: .scheduled
                case .due: .due
                case .shown: .shown
                case .snoozed: .snoozed
                case .done: .done
                }
            if let time = reminder.time { $0.time = time }
            $0.triggers = reminder.triggers.prefix(8).compactMap { trigger in
                var message = Self.message(trigger)
                if let handle = trigger.handle { message?.personName = service.apps.name(of: handle) ?? "" }
                return message
            }
            $0.recurrence = reminder.recurrence ?? ""
            $0.file = reminder.file ?? ""
            if let link = reminder.link {
                $0.link = .with {
                    $0.app = .init(link.app)
                    $0.appName = link.appName
                    $0.activityType = link.payload.description_p.activityType
                    $0.title = link.title.shortened(toBytes: 300)
                    $0.page = link.page.map { "\($0)".shortened(toBytes: 1000) } ?? ""
                }
            }
        }
    }

    private static func message(_ trigger: CalendarAlarm.Trigger) -> Baton_Control_V1_ReminderTrigger? {
        switch trigger {
        case .absolute, .relative: nil
        case .arriving(let place, _): .with { $0.arriving = place }
        case .leaving(let place, _): .with { $0.leaving = place }
        case .connected(let device): .with { $0.connected = device }
        case .disconnected(let device): .with { $0.disconnected = device }
        case .appOpened(let app): .with { $0.appOpened = app }
        case .personContacted(let handle): .with { $0.personContacted = handle }
        case .personMessaged(let handle): .with { $0.personMessaged = handle }
        case .personCalled(let handle): .with { $0.personCalled = handle }
        }
    }
}
