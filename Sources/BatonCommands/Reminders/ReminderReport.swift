import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// A reminder, for people and programs.
enum ReminderReport {
    static func state(_ state: Baton_Control_V1_Reminder.State) -> String {
        switch state {
        case .scheduled: "scheduled"
        case .due: "due"
        case .shown: "shown"
        case .snoozed: "snoozed"
        case .done: "done"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    static func json(_ reminder: Baton_Control_V1_Reminder) -> JSONValue {
        [
            "reminder_id": .string(reminder.reminderID), "subject": .string(reminder.subject),
            "state": .string(state(reminder.state)), "time_ms": reminder.hasTime ? .init(reminder.time) : .null,
            "triggers": .array(
                reminder.triggers.compactMap { trigger in
                    Self.parts(trigger).map { kind, name in
                        [
                            "kind": .string(kind), "name": .string(name),
                            "person_name": .init(nonEmpty: trigger.personName),
                        ]
                    }
                }),
            "recurrence": .init(nonEmpty: reminder.recurrence), "file": .init(nonEmpty: reminder.file),
            "app_name": .init(nonEmpty: reminder.link.appName),
            "bundle_id": .init(nonEmpty: reminder.link.app.bundleID),
            "activity_type": .init(nonEmpty: reminder.link.activityType),
            "activity_title": .init(nonEmpty: reminder.link.title), "page": .init(nonEmpty: reminder.link.page),
        ]
    }

    /// A reminder that passed more than a week ago, and is not shown any more, stands behind what is due and what lies ahead.
    static func today(_ reminders: [Baton_Control_V1_Reminder], now: Date) -> [Baton_Control_V1_Reminder] {
        let old = UInt64(max(0, now.timeIntervalSince1970 - 7 * 86_400) * 1000)
        func isOld(_ reminder: Baton_Control_V1_Reminder) -> Bool {
            reminder.state == .due && reminder.hasTime && reminder.time < old
        }
        return reminders.filter { !isOld($0) } + reminders.filter(isOld)
    }

    /// - Parameter length: of the identifier's beginning.
    static func text(
        _ reminder: Baton_Control_V1_Reminder, _ session: CommandSession, length: Int = ShownIdentifier.length
    ) -> String {
        var parts: [String] = []
        if reminder.hasTime { parts.append(time(reminder.time, session.context.timeZone)) }
        parts += reminder.triggers.compactMap { trigger in
            Self.parts(trigger).map { kind, name in
                "\(kind) \(TerminalText.escape(trigger.personName.isEmpty ? name : trigger.personName))"
            }
        }
        if !reminder.recurrence.isEmpty { parts.append("repeats") }
        if reminder.state != .scheduled { parts.append(state(reminder.state)) }
        if reminder.hasLink {
            // Known before it is opened.
            let page = (try? WebPage(reminder.link.page)).map { " (\($0.shownHost))" } ?? ""
            parts.append("from \(TerminalText.escape(reminder.link.appName + page))")
        }
        let line = [
            TerminalText.escape(String(reminder.reminderID.prefix(length))),
            session.paint(.bold, reminder.subject.isEmpty ? "Reminder" : TerminalText.escape(reminder.subject)),
        ].joined(separator: "  ")
        return parts.isEmpty ? line : line + "\n  " + session.paint(.faint, parts.joined(separator: ", "))
    }

    static func time(_ milliseconds: UInt64, _ zone: TimeZone) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    static func parts(_ trigger: Baton_Control_V1_ReminderTrigger) -> (kind: String, name: String)? {
        switch trigger.kind {
        case .arriving(let place): ("arriving", place)
        case .leaving(let place): ("leaving", place)
        case .connected(let device): ("connected", device)
        case .disconnected(let device): ("disconnected", device)
        case .appOpened(let app): ("opened", app)
        case .personContacted(let handle): ("person", handle)
        case .personMessaged(let handle): ("messaged", handle)
        case .personCalled(let handle): ("called", handle)
        case .time, nil: nil
        }
    }
}
