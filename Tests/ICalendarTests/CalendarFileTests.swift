import Foundation
import ICalendar
import Testing

/// Reading and writing iCalendar text (P-15).
struct CalendarFileTests {
    static let foreign = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//Program//EN", "BEGIN:VTIMEZONE", "TZID:Custom",
        "BEGIN:STANDARD", "DTSTART:20071104T020000", "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11", "TZOFFSETFROM:-0400",
        "TZOFFSETTO:-0500", "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:20070311T020000",
        "RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400", "END:DAYLIGHT",
        "END:VTIMEZONE", "BEGIN:VTODO", "UID:other-1", "X-odd;x=\"a;b:c\":kept\\, as it is",
        "SUMMARY;LANGUAGE=en:Call\\, then", "  write\\; \\\\ all", "DUE;TZID=Custom:20260701T090000", "categories:A,B",
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:-PT15M", "X-APPLE-X:1", "END:VALARM", "END:VTODO",
        "END:VCALENDAR",
    ]

    static func file(_ lines: [String], end: String = "\r\n") -> [UInt8] {
        Array((lines.joined(separator: end) + end).utf8)
    }

    static func todo(_ lines: [String]) throws -> CalendarTodo {
        let file = try CalendarFile(
            file(["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:1"] + lines + ["END:VTODO", "END:VCALENDAR"]))
        return try #require(file.todos.first.flatMap { CalendarTodo($0, zones: file.zones) })
    }

    @Test("what is read is written byte for byte, with any line ends (P-15)", arguments: ["\r\n", "\n", "\r"])
    func bytes(end: String) throws {
        let bytes = Self.file(Self.foreign, end: end)
        #expect(try CalendarFile(bytes).bytes == bytes)
        let marked = [0xEF, 0xBB, 0xBF] + bytes.dropLast(end.utf8.count)
        #expect(try CalendarFile(marked).bytes == marked)
    }

    @Test("one line is changed, and all others stay as they are (P-15)")
    func change() throws {
        let bytes = Self.file(Self.foreign, end: "\n")
        var file = try CalendarFile(bytes)
        file.changeTodo { $0.set(ContentLine("STATUS", value: "COMPLETED"), for: "STATUS") }
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(
            text.replacingOccurrences(of: "STATUS:COMPLETED\r\n", with: "") == String(decoding: bytes, as: UTF8.self))
    }

    @Test("a VTODO's values are read, through folds and escapes")
    func values() throws {
        let file = try CalendarFile(Self.file(Self.foreign))
        let todo = try #require(file.todos.first.flatMap { CalendarTodo($0, zones: file.zones) })
        #expect(todo.summary == "Call, then write; \\ all")
        #expect(todo.status == .needsAction)
        // Summer in the zone that the file describes: four hours behind UTC.
        let moment = try #require(todo.moments(local: .gmt, dayHour: 9).first)
        #expect(CalendarDate(moment, in: .gmt, form: .utc).text == "20260701T124500Z")
    }

    @Test(
        "DUE as a date, local, in UTC and in a zone",
        arguments: [
            ("DUE;VALUE=DATE:20260105", "20260105T080000Z"), ("DUE:20260105T100000", "20260105T090000Z"),
            ("DUE:20260105T100000Z", "20260105T100000Z"),
            ("DUE;TZID=America/New_York:20260105T100000", "20260105T150000Z"),
            ("DUE;TZID=/freeassociation.sourceforge.net/Europe/Istanbul:20260105T100000", "20260105T070000Z"),
            ("DUE;TZID=Nobody knows:20260105T100000", "20260105T090000Z"),
        ])
    func due(line: String, expected: String) throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let moments = try Self.todo([line]).moments(local: berlin, dayHour: 9)
        #expect(moments.map { CalendarDate($0, in: .gmt, form: .utc).text } == [expected])
    }

    @Test("triggers: absolute, relative, RFC 9074's and our own, each written and read again (P-15)")
    func triggers() throws {
        let triggers: [CalendarAlarm.Trigger] = [
            .absolute(CalendarDate(year: 2026, month: 5, day: 1, hour: 8, form: .utc)),
            .relative(seconds: -900, isFromEnd: true), .arriving(place: "home; sweet, home", geo: "geo:1,2"),
            .leaving(place: "work", geo: nil), .connected("Car"), .disconnected("Headphones"),
            .appOpened("com.example.app"), .personContacted("+49 30 123"), .personMessaged("a@b.org"),
            .personCalled("+49 30 123"),
        ]
        for trigger in triggers {
            var calendar = CalendarComponent("VCALENDAR")
            var todo = CalendarComponent("VTODO")
            todo.set(text: "1", for: "UID")
            todo.items.append(.component(CalendarAlarm(trigger).component("Text", uid: "a")))
            calendar.items.append(.component(todo))
            let file = try CalendarFile(CalendarFile(calendar).bytes)
            let read = try #require(file.todos.first.flatMap { CalendarTodo($0, zones: file.zones) })
            #expect(read.alarms.map(\.trigger) == [trigger])
        }
    }

    @Test("an alarm that was acknowledged elsewhere, one by mail and one that is off do not go off")
    func silent() throws {
        let todo = try Self.todo([
            "DUE:20260105T100000Z", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:PT0S",
            "ACKNOWLEDGED:20260105T100100Z", "END:VALARM", "BEGIN:VALARM", "ACTION:EMAIL", "TRIGGER:-PT5M",
            "END:VALARM",
            "BEGIN:VALARM", "ACTION:NONE", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "END:VALARM",
        ])
        #expect(todo.moments(local: .gmt, dayHour: 9).isEmpty)
    }

    @Test(
        "what programs write of a day without a time, of zones and of places is understood (P-15)",
        arguments: [
            // Nextcloud Tasks: at nine of the day; Apple: at nine of the day before; whole days before count from when it is shown.
            ("DUE;VALUE=DATE:20260105", "TRIGGER;RELATED=END:PT9H", "20260105T080000Z"),
            ("DUE;VALUE=DATE:20260105", "TRIGGER:-PT15H", "20260104T080000Z"),
            ("DUE;VALUE=DATE:20260105", "TRIGGER:-P1D", "20260104T080000Z"),
            ("DUE;VALUE=DATE:20260105", "TRIGGER;RELATED=END:PT0S", "20260105T080000Z"),
            ("DUE:20260105T080000Z", "TRIGGER;VALUE=DURATION;RELATED=END:P0S", "20260105T080000Z"),
            ("DUE;TZID=Pacific Standard Time:20260105T000000", "TRIGGER:PT0S", "20260105T080000Z"),
            ("DUE;TZID=\"W. Europe Standard Time\":20260105T090000", "TRIGGER:PT0S", "20260105T080000Z"),
        ])
    func programs(due: String, trigger: String, moment: String) throws {
        let todo = try Self.todo([due, "BEGIN:VALARM", "ACTION:DISPLAY", trigger, "END:VALARM"])
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let moments = todo.moments(local: berlin, dayHour: 9)
        #expect(moments.map { CalendarDate($0, in: .gmt, form: .utc).text } == [moment])
    }

    @Test("the title of a place that Apple's programs escape is a text")
    func appleTitle() throws {
        let todo = try Self.todo([
            "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "X-APPLE-PROXIMITY:ARRIVE",
            "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=\"Loop 1\\, Cupertino\":geo:37.33,-122.03", "END:VALARM",
        ])
        #expect(todo.events == [.arriving(place: "Loop 1, Cupertino", geo: "geo:37.33,-122.03")])
    }

    @Test("long lines are folded within 75 bytes, never in a character, and read back")
    func folding() throws {
        let text = String(repeating: "äöü€😀 ", count: 60)
        let line = ContentLine("SUMMARY", value: CalendarText.escaped(text))
        for part in line.raw.split(separator: 0x0A) {
            #expect(part.count <= 76)
            #expect(String(validating: part, as: UTF8.self) != nil)
        }
        let file = try CalendarFile(
            Array("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\n".utf8) + line.raw
                + Array("END:VTODO\r\nEND:VCALENDAR\r\n".utf8))
        #expect(file.todos.first?.line("SUMMARY")?.text == text)
    }

    // MARK: Hostile input

    @Test("bad files are refused or read in part, and never trap")
    func hostile() throws {
        #expect(throws: CalendarError.noCalendar) { try CalendarFile([]) }
        #expect(throws: CalendarError.noCalendar) { try CalendarFile([UInt8](repeating: 0xFF, count: 1000)) }
        #expect(throws: CalendarError.notClosed("VCALENDAR")) {
            try CalendarFile(Self.file(["BEGIN:VCALENDAR", "BEGIN:VTODO", "END:VCALENDAR"]))
        }
        #expect(throws: CalendarError.notClosed("X")) { try CalendarFile(Self.file(["END:X"])) }
        #expect(throws: CalendarError.tooDeep) {
            try CalendarFile(Self.file([String](repeating: "BEGIN:VCALENDAR", count: 17)))
        }
        #expect(throws: CalendarError.self) { try CalendarFile([UInt8](repeating: 0x20, count: (1 << 20) + 1)) }
        for odd in [":", ";", "A", "A;B", "A;B=", "A;B=\"", "A;B=\":", "BEGIN", "BEGIN;", "A;B=c,"] {
            _ = try? CalendarFile(Self.file(["BEGIN:VCALENDAR", odd, "END:VCALENDAR"]))
        }
    }

    @Test("a file of 1 MiB of folds, and one of 10,000 alarms, are read within a second")
    func large() throws {
        let clock = ContinuousClock()
        let folds = Self.file([
            "BEGIN:VCALENDAR", "SUMMARY:" + String(repeating: "a\r\n ", count: 250_000), "END:VCALENDAR",
        ])
        var alarms = ["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:1", "DUE:20260105T100000Z"]
        for number in 0..<10_000 { alarms += ["BEGIN:VALARM", "TRIGGER:-PT\(number)S", "END:VALARM"] }
        alarms += ["END:VTODO", "END:VCALENDAR"]
        let time = try clock.measure {
            _ = try CalendarFile(folds)
            let file = try CalendarFile(Self.file(alarms))
            let todo = try #require(file.todos.first.flatMap { CalendarTodo($0, zones: file.zones) })
            #expect(todo.alarms.count == CalendarTodo.maximumAlarms)
        }
        #expect(time < .seconds(5))
    }

    @Test("of a zone with a long history the last observances count")
    func history() throws {
        var lines = ["BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "TZID:Old"]
        for year in 2000..<2040 {
            lines += [
                "BEGIN:STANDARD", "DTSTART:\(year)0101T000000", "TZOFFSETFROM:+0000",
                "TZOFFSETTO:+\(year < 2030 ? "01" : "02")00", "END:STANDARD",
            ]
        }
        lines += [
            "END:VTIMEZONE", "BEGIN:VTODO", "UID:1", "DUE;TZID=Old:20390701T100000", "END:VTODO", "END:VCALENDAR",
        ]
        let file = try CalendarFile(Self.file(lines))
        let todo = try #require(file.todos.first.flatMap { CalendarTodo($0, zones: file.zones) })
        let moment = try #require(todo.moments(local: .gmt, dayHour: 9).first)
        #expect(CalendarDate(moment, in: .gmt, form: .utc).text == "20390701T080000Z")
    }

    // In the quiet lane: it measures time.
    @Test("one file with all that costs time is told at once: long rules of a zone, and alarms in many years (P-15)")
    func slow() throws {
        let days =
            (1...53).flatMap { ["\($0)MO", "-\($0)TU"] }.prefix(57) + ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        var lines = ["BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "TZID:Slow"]
        for _ in 0..<64 {
            lines += [
                "BEGIN:STANDARD", "DTSTART:16010101T000000", "RRULE:FREQ=YEARLY;BYDAY=" + days.joined(separator: ","),
                "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:STANDARD",
            ]
        }
        lines += ["END:VTIMEZONE", "BEGIN:VTODO", "UID:1", "DUE;TZID=Slow:20260105T100000"]
        for year in 2000..<3000 {
            lines += [
                "BEGIN:VALARM", "TRIGGER;VALUE=DATE-TIME;TZID=Slow:\(year)0105T100000",
                "ACKNOWLEDGED;TZID=Slow:\(year)0105T095959", "END:VALARM",
            ]
        }
        let file = try CalendarFile(Self.file(lines + ["END:VTODO", "END:VCALENDAR"]))
        let todo = try #require(file.todos.first.flatMap { CalendarTodo($0, zones: file.zones) })
        var moments: [Date] = []
        let time = ContinuousClock().measure { moments = todo.moments(local: .gmt, dayHour: 9) }
        #expect(moments.count == CalendarTodo.maximumAlarms)
        #expect(moments.first.map { CalendarDate($0, in: .gmt, form: .utc).text } == "20000105T080000Z")
        #expect(time < .seconds(5))
    }

    @Test("random bytes and mutated files never trap")
    func mutations() {
        var generator = SystemRandomNumberGenerator()
        let seed = Self.file(Self.foreign)
        for _ in 0..<500 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                if Bool.random(using: &generator) {
                    bytes[index] = UInt8.random(in: 0...255, using: &generator)
                } else {
                    bytes.remove(at: index)
                }
            }
            guard let file = try? CalendarFile(bytes) else { continue }
            #expect(file.bytes == bytes)
            for todo in file.todos {
                guard let todo = CalendarTodo(todo, zones: file.zones) else { continue }
                _ = todo.moments(local: .gmt, dayHour: 9)
            }
        }
    }
}
