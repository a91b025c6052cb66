import BatonCore
import Foundation
import ICalendar

/// The calendar text of a new reminder.
enum ReminderText {
    /// Bytes of a subject.
    static let maximumSubject = 1000

    /// - Throws: `invalid_argument`.
    static func subject(_ text: String) throws(BatonError) -> String {
        let subject = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !subject.isEmpty else {
            throw BatonError(.invalidArgument, reason: "empty_reminder", "Say what you want to be reminded of.")
        }
        guard subject.utf8.count <= maximumSubject else {
            throw BatonError(
                .invalidArgument, reason: "text_too_long",
                "A reminder's text may have \(maximumSubject) bytes. Shorten it.")
        }
        return subject
    }

    /// - Parameters:
    ///   - subject: checked.
    ///   - local: where the person is; DUE is in this zone.
    static func make(
        id: String, subject: String, trigger: ReminderTrigger?, isLinked: Bool, now: Date, local: TimeZone
    ) throws(BatonError) -> [UInt8] {
        let stamp = CalendarDate(now, in: .gmt, form: .utc)
        var todo = CalendarComponent("VTODO")
        todo.set(ContentLine("UID", value: id), for: "UID")
        todo.set(stamp.line("DTSTAMP"), for: "DTSTAMP")
        todo.set(stamp.line("CREATED"), for: "CREATED")
        todo.set(stamp.line("LAST-MODIFIED"), for: "LAST-MODIFIED")
        todo.set(ContentLine("SEQUENCE", value: "0"), for: "SEQUENCE")
        todo.set(text: subject, for: "SUMMARY")
        todo.set(ContentLine("STATUS", value: CalendarTodo.Status.needsAction.rawValue), for: "STATUS")
        if isLinked { todo.set(ContentLine("URL", value: ReminderAddress.url(id)), for: "URL") }
        if let trigger {
            let alarm: CalendarAlarm
            switch trigger {
            case .time(let date, let rule):
                guard (0..<253_402_300_800).contains(date.timeIntervalSince1970) else {
                    throw BatonError(
                        .invalidArgument, reason: "impossible_time", "Name a time between 1970 and the year 9999.")
                }
                // A zone that calendars know by name; else the moment itself.
                let isNamed = CalendarZones.known(local.identifier) != nil && local.identifier != "GMT"
                var due = CalendarDate(
                    date, in: isNamed ? local : .gmt, form: isNamed ? .zone(local.identifier) : .utc)
                // On a Thursday, “at 18:00 on Mondays” begins on Monday.
                if let rule { due = rule.first(from: due) ?? due }
                todo.set(due.line("DUE"), for: "DUE")
                if let rule {
                    todo.set(due.line("DTSTART"), for: "DTSTART")
                    todo.set(ContentLine("RRULE", value: rule.text), for: "RRULE")
                }
                alarm = CalendarAlarm(.relative(seconds: 0, isFromEnd: true))
            case .arriving(let place): alarm = CalendarAlarm(.arriving(place: try name(place), geo: nil))
            case .leaving(let place): alarm = CalendarAlarm(.leaving(place: try name(place), geo: nil))
            case .connected(let device): alarm = CalendarAlarm(.connected(try name(device)))
            case .disconnected(let device): alarm = CalendarAlarm(.disconnected(try name(device)))
            case .appOpened(let app): alarm = CalendarAlarm(.appOpened(app.bundleID.rawValue))
            case .personContacted(let handle): alarm = CalendarAlarm(.personContacted(try name(handle)))
            case .personMessaged(let handle): alarm = CalendarAlarm(.personMessaged(try name(handle)))
            case .personCalled(let handle): alarm = CalendarAlarm(.personCalled(try name(handle)))
            }
            todo.items.append(.component(alarm.component(subject, uid: id + "-alarm")))
        }
        var calendar = CalendarComponent("VCALENDAR")
        calendar.set(ContentLine("VERSION", value: "2.0"), for: "VERSION")
        calendar.set(ContentLine("PRODID", value: "-//Baton//Reminders//EN"), for: "PRODID")
        calendar.items.append(.component(todo))
        return CalendarFile(calendar).bytes
    }

    private static func name(_ text: String) throws(BatonError) -> String {
        let name = text.trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty, name.utf8.count <= 256 else {
            throw BatonError(
                .invalidArgument, reason: "invalid_name",
                "A place, a device or a person has a name of 1 to 256 bytes.")
        }
        return name
    }
}

/// `baton-reminder:ID`
package enum ReminderAddress {
    package static let scheme = "baton-reminder"

    /// - Parameter id: made by Baton, so that it needs no escapes.
    static func url(_ id: String) -> String { "\(scheme):\(id)" }

    /// Nil for another URL.
    package static func id(_ url: String) -> String? {
        guard let colon = url.firstIndex(of: ":"), url[..<colon].lowercased() == scheme else { return nil }
        let id = url[url.index(after: colon)...].removingPercentEncoding ?? ""
        return id.isEmpty ? nil : id
    }
}
