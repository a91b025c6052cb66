import Foundation
import ICalendar
import Testing

/// Files of to-dos as other programs write them (P-15).
@Suite struct ProgramFileTests {
    private static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private static func bytes(_ lines: [String], end: String = "\r\n") -> [UInt8] {
        Array((["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]).joined(separator: end).utf8)
    }

    private static func date(_ text: String) throws -> Date {
        try #require(CalendarDate(text, zone: nil)?.moment(in: CalendarZones([]), local: .gmt))
    }

    private static func moments(_ lines: [String], around now: String) throws -> [String] {
        let todo = try #require(try CalendarFile(bytes(lines)).todo)
        return try todo.moments(around: date(now), local: berlin, dayHour: 9).map {
            CalendarDate($0, in: .gmt, form: .utc).text
        }
    }

    private static func advanced(_ lines: [String], after now: String) throws -> String? {
        var file = try CalendarFile(bytes(lines))
        let (zones, overrides) = (file.zones, file.overrides)
        let moment = try date(now)
        var isAhead = false
        file.changeTodo {
            isAhead = $0.advance(after: moment, zones: zones, overrides: overrides, local: Self.berlin, dayHour: 9)
        }
        return isAhead ? String(decoding: file.bytes, as: UTF8.self) : nil
    }

    private static let nextcloud = [
        "PRODID:-//Nextcloud Tasks v0.16.1", "BEGIN:VTODO", "CREATED:20260101T080000", "DTSTAMP:20260102T080000",
        "LAST-MODIFIED:20260102T080000", "UID:n1", "SUMMARY:Pay", "PERCENT-COMPLETE:40", "PRIORITY:5",
        "STATUS:IN-PROCESS", "RELATED-TO:n0", "X-APPLE-SORT-ORDER:12", "X-OC-HIDESUBTASKS:0", "X-PINNED:true",
        "DUE;VALUE=DATE:20260105", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:-P1D", "END:VALARM",
        "END:VTODO",
    ]
    private static let evolution = [
        "BEGIN:VTODO", "UID:e1", "DTSTAMP:20260101T080000Z",
        "DUE;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20260105T100000",
        "SUMMARY:Long \r\n  text,\r\n\t folded",
        "PERCENT-COMPLETE:0", "CLASS:PUBLIC", "BEGIN:VALARM", "X-EVOLUTION-ALARM-UID:a", "ACTION:DISPLAY",
        "DESCRIPTION:Text", "TRIGGER;VALUE=DURATION;RELATED=END:-PT15M", "REPEAT:2", "DURATION:PT5M", "END:VALARM",
        "END:VTODO",
    ]

    @Test("one of Nextcloud's and one of Evolution's are read, and done without a change to any other line (P-15)")
    func programs() throws {
        let cases = [("20260104T080000Z", Self.nextcloud), ("20260105T084500Z", Self.evolution)]
        for (moment, lines) in cases {
            for end in ["\r\n", "\n"] {
                let bytes = Self.bytes(lines, end: end)
                var file = try CalendarFile(bytes)
                #expect(file.bytes == bytes)
                let todo = try #require(file.todo)
                #expect(
                    todo.moments(local: Self.berlin, dayHour: 9).map { CalendarDate($0, in: .gmt, form: .utc).text }
                        == [moment])
                file.changeTodo { $0.complete(at: .init(timeIntervalSince1970: 1_795_683_600)) }
                #expect(file.todo?.status == .completed)
                // Every line but those of the state is there as it was, in its order.
                let ours = ["STATUS", "COMPLETED", "PERCENT-COMPLETE", "LAST-MODIFIED", "DTSTAMP", "SEQUENCE"]
                func rest(_ bytes: [UInt8]) -> [String] {
                    String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: true) { $0.isNewline }
                        .map(String.init).filter { line in !ours.contains { line.hasPrefix($0) } }
                }
                #expect(rest(file.bytes) == rest(bytes))
            }
        }
    }

    @Test("values with spaces around them, as some programs leave them, are the values (P-15)")
    func spaces() throws {
        let lines = [
            "BEGIN:VTODO", "UID:1", "DUE:20261126T080000Z", "STATUS:COMPLETED ", "RRULE:FREQ=DAILY ", "END:VTODO",
        ]
        let todo = try #require(try CalendarFile(Self.bytes(lines)).todo)
        #expect(todo.status == .completed)
        #expect(todo.rule?.frequency == .daily && !todo.hasUnknownRule)
    }

    @Test(
        "an occurrence that was done by itself, as Thunderbird does it, is none, and one that was moved comes then (P-15)"
    )
    func overrides() throws {
        let master = [
            "BEGIN:VTODO", "UID:t1", "DTSTART;TZID=Europe/Berlin:20261120T090000",
            "DUE;TZID=Europe/Berlin:20261120T090000",
            "RRULE:FREQ=DAILY", "X-MOZ-GENERATION:3", "END:VTODO",
        ]
        func override(_ day: Int, _ lines: [String], uid: String = "t1") -> [String] {
            ["BEGIN:VTODO", "UID:\(uid)", "RECURRENCE-ID;TZID=Europe/Berlin:202611\(day)T090000"] + lines + [
                "END:VTODO"
            ]
        }
        let done = override(27, ["STATUS:COMPLETED", "DUE;TZID=Europe/Berlin:20261127T090000"])
        let moved = override(28, ["DUE;TZID=Europe/Berlin:20261128T180000"])
        let foreign = override(29, ["STATUS:COMPLETED"], uid: "other")
        let all = master + done + moved + foreign
        let coming = ["20261126T080000Z", "20261128T170000Z", "20261129T080000Z"]
        for now in ["20261126T120000Z", "20261128T120000Z"] {
            #expect(try Self.moments(all, around: now).suffix(3) == coming[...])
        }
        #expect(
            try Self.moments(all, around: "20261128T180000Z").suffix(2) == ["20261128T170000Z", "20261129T080000Z"])
        // Done on the 26th: the next one is not the 27th, which is done already.
        let text = try #require(try Self.advanced(all, after: "20261126T120000Z"))
        #expect(text.contains("DUE;TZID=Europe/Berlin:20261129T090000"))
        #expect(text.contains("STATUS:COMPLETED\r\nDUE;TZID=Europe/Berlin:20261127T090000"))
    }

    @Test("what the person saw in Thunderbird does not come again, and its next alarm does (P-15)")
    func lastSeen() throws {
        func lines(_ seen: String) -> [String] {
            [
                "BEGIN:VTODO", "UID:1", "DUE:20261126T080000Z", "X-MOZ-LASTACK:\(seen)", "BEGIN:VALARM",
                "ACTION:DISPLAY",
                "TRIGGER:-PT1H", "END:VALARM", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM",
                "END:VTODO",
            ]
        }
        #expect(try Self.moments(lines("20261126T071000Z"), around: "20261126T071000Z") == ["20261126T080000Z"])
        #expect(try Self.moments(lines("20261126T081000Z"), around: "20261126T081000Z") == [])
    }

    @Test("after an answer the alarm at a moment of its own, as Apple writes it, goes with the next occurrence (P-15)")
    func absolute() throws {
        let lines = [
            "BEGIN:VTODO", "UID:1", "DTSTART;TZID=Europe/Berlin:20260327T090000",
            "DUE;TZID=Europe/Berlin:20260327T090000",
            "RRULE:FREQ=WEEKLY", "BEGIN:VALARM", "X-WR-ALARMUID:A", "TRIGGER;VALUE=DATE-TIME:20260327T073000Z",
            "ACTION:DISPLAY", "END:VALARM", "BEGIN:VALARM", "ACTION:DISPLAY",
            "TRIGGER;VALUE=DATE-TIME;TZID=Europe/Berlin:20260326T200000", "END:VALARM", "BEGIN:VALARM", "ACTION:NONE",
            "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "END:VALARM", "END:VTODO",
        ]
        let text = try #require(try Self.advanced(lines, after: "20260327T120000Z"))
        #expect(text.contains("DUE;TZID=Europe/Berlin:20260403T090000"))
        // Half an hour before, though the clocks have changed meanwhile.
        #expect(text.contains("X-WR-ALARMUID:A\r\nTRIGGER;VALUE=DATE-TIME:20260403T063000Z"))
        #expect(text.contains("TRIGGER;VALUE=DATE-TIME;TZID=Europe/Berlin:20260402T200000"))
        #expect(text.contains("TRIGGER;VALUE=DATE-TIME:19760401T005545Z"))
        let todo = try #require(try CalendarFile(Array(text.utf8)).todo)
        #expect(try todo.moments(around: Self.date("20260327T120000Z"), local: Self.berlin, dayHour: 9).count == 2)
    }

    @Test("bytes that are no text, and files that are none, are kept or refused whole (P-15)")
    func broken() throws {
        var latin = Self.bytes(["BEGIN:VTODO", "UID:1", "SUMMARY:Caf?", "END:VTODO"])
        let place = try #require(latin.firstIndex(of: UInt8(ascii: "?")))
        latin[place] = 0xE9
        #expect(try CalendarFile(latin).bytes == latin)
        #expect(try CalendarFile(latin).todo?.summary == "Café")
        // One broken character among others does not make a text older.
        var broken = Self.bytes(["BEGIN:VTODO", "UID:1", "SUMMARY:Éclairs à la crème?", "END:VTODO"])
        broken[try #require(broken.firstIndex(of: UInt8(ascii: "?")))] = 0xFF
        #expect(try CalendarFile(broken).todo?.summary == "Éclairs à la crème\u{FFFD}")
        let wide: [UInt8] = [0xFF, 0xFE] + Self.bytes([]).flatMap { [$0, 0] }
        #expect(throws: CalendarError.noCalendar) { try CalendarFile(wide) }
        #expect(throws: CalendarError.notClosed("VCALENDAR")) {
            try CalendarFile(Array(Self.bytes(["BEGIN:VTODO"]).dropLast(2)))
        }
    }
}
