import Foundation
import ICalendar

/// A calendar with to-dos, their alarms and repetition.
enum ICalendarTarget: FuzzTarget {
    static let name = "icalendar"

    static func seeds() -> [[UInt8]] {
        let todos = [
            ["UID:1", "DUE;TZID=Europe/Berlin:20260401T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=9"],
            ["UID:2", "DUE;VALUE=DATE:20260229", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "END:VALARM"],
            ["UID:3", "DTSTART:20260101T000000Z", "DURATION:P1W", "STATUS:COMPLETED", "X-BATON-TRIGGER;APP=a:opened"],
            ["UID:4", "BEGIN:VALARM", "TRIGGER;VALUE=DATE-TIME:19700101T000000Z", "PROXIMITY:ARRIVE", "END:VALARM"],
        ]
        return todos.map { lines in
            let all = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO"] + lines + ["END:VTODO", "END:VCALENDAR", ""]
            return Array(all.joined(separator: "\r\n").utf8)
        }
    }

    static func run(_ bytes: [UInt8]) {
        guard var file = try? CalendarFile(bytes) else { return }
        precondition(file.bytes == bytes, "what was not changed is written as it was read")
        let zones = file.zones
        for component in file.todos {
            guard let todo = CalendarTodo(component, zones: zones) else { continue }
            let moments = todo.moments(local: .gmt, dayHour: 9)
            precondition(moments == moments.sorted(), "moments are in order")
        }
        file.changeTodo {
            _ = $0.advance(after: Date(timeIntervalSince1970: 1_800_000_000), zones: zones, local: .gmt, dayHour: 9)
        }
        _ = try? CalendarFile(file.bytes)
    }
}
