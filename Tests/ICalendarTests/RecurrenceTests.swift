import Foundation
import ICalendar
import Testing

/// Repeating reminders (P-15).
struct RecurrenceTests {
    private static func occurrences(_ rule: String, from start: String, _ limit: Int) throws -> [String] {
        let rule = try #require(RecurrenceRule(rule))
        let start = try #require(CalendarDate(start, zone: nil))
        var date = start
        var result: [String] = []
        while result.count < limit, let next = rule.next(after: date, from: start) {
            result.append(next.date.text)
            date = next.date
        }
        return result
    }

    @Test(
        "the occurrences of RFC 5545's examples",
        arguments: [
            ("FREQ=DAILY;COUNT=3", "20260101T090000", ["20260102T090000", "20260103T090000"]),
            (
                "FREQ=DAILY;INTERVAL=10;UNTIL=20260121T090000Z", "20260101T090000",
                ["20260111T090000", "20260121T090000"]
            ),
            ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "20260105", ["20260107", "20260109", "20260112"]),
            ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "19970902", ["19970916", "19970930", "19971014"]),
            ("FREQ=MONTHLY;BYMONTHDAY=-1", "20260131", ["20260228", "20260331", "20260430"]),
            ("FREQ=MONTHLY", "20260131", ["20260331", "20260531", "20260731"]),
            ("FREQ=MONTHLY;BYDAY=1FR", "19970905", ["19971003", "19971107", "19971205"]),
            ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "19980213", ["19980313", "19981113", "19990813"]),
            ("FREQ=YEARLY;BYMONTH=6,7", "19970610", ["19970710", "19980610", "19980710"]),
            ("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "19970904", ["19971007", "19971106"]),
            (
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "20261130",
                ["20261231", "20270129", "20270226", "20270331"]
            ),
            (
                "FREQ=MONTHLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=1,-1", "20261101",
                ["20261130", "20261201", "20261231"]
            ),
            ("FREQ=YEARLY;BYMONTH=10;BYDAY=SU;BYSETPOS=-1", "20261025", ["20271031", "20281029"]),
            ("FREQ=YEARLY", "20240229", ["20280229", "20320229", "20360229"]),
            ("FREQ=YEARLY;BYDAY=20MO", "19970519", ["19980518", "19990517", "20000515"]),
            ("FREQ=YEARLY;BYDAY=-1FR,53TH,-53TH", "20261231", ["20271231", "20281229", "20291228"]),
            (
                "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", "19970902T090000",
                ["19970902T120000", "19970902T150000"]
            ),
            (
                "FREQ=MINUTELY;INTERVAL=90;COUNT=4", "19970902T090000",
                ["19970902T103000", "19970902T120000", "19970902T133000"]
            ),
            ("FREQ=HOURLY;INTERVAL=36", "20260101T090000", ["20260102T210000", "20260104T090000"]),
            ("FREQ=HOURLY;BYHOUR=9,11;BYMINUTE=0,30", "20260101T110000", ["20260101T113000", "20260102T090000"]),
            (
                "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10;BYDAY=MO", "20260105T103500",
                ["20260105T105500", "20260112T091500"]
            ),
            (
                "FREQ=DAILY;BYHOUR=17,9;BYMINUTE=30,0", "20260101T090000",
                ["20260101T093000", "20260101T170000", "20260101T173000", "20260102T090000"]
            ),
            (
                "FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=8,20", "20260105T080000",
                ["20260105T200000", "20260107T080000", "20260107T200000"]
            ),
            (
                "FREQ=MONTHLY;BYDAY=1FR;BYHOUR=9,18;BYSETPOS=-1", "20260102T180000",
                ["20260206T180000", "20260306T180000"]
            ),
            // The hours of a day without a time are none.
            ("FREQ=DAILY;BYHOUR=9,17", "20260101", ["20260102", "20260103"]),
            ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "19970805", ["19970810", "19970819", "19970824"]),
            ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "19970805", ["19970817", "19970819", "19970831"]),
            (
                "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "19961105",
                ["20001107", "20041102", "20081104"]
            ),
        ])
    func examples(rule: String, start: String, expected: [String]) throws {
        #expect(
            try Self.occurrences(
                rule, from: start, expected.count + (rule.contains("COUNT") || rule.contains("UNTIL") ? 1 : 0))
                == expected)
    }

    @Test("a day that a rule names twice is one")
    func days() throws {
        let rule = try #require(RecurrenceRule("FREQ=YEARLY;BYDAY=MO,MO,1TU,MO,1TU,-1TU"))
        #expect(rule.days.map(\.weekday) == [0, 1, 1] && rule.days.map(\.nth) == [nil, 1, -1])
    }

    @Test("a rule without end, far from its start, is found at once, and one without occurrences ends")
    func far() throws {
        let daily = try #require(RecurrenceRule("FREQ=DAILY"))
        let start = try #require(CalendarDate("16010101", zone: nil))
        let late = try #require(CalendarDate("99990101", zone: nil))
        #expect(daily.next(after: late, from: start)?.date.text == "99990102")
        let never = try #require(RecurrenceRule("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2"))
        #expect(never.next(after: start, from: start) == nil)
        for bad in [
            "", "FREQ=SECONDLY", "FREQ=DAILY;BYSETPOS=1", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=-1",
            "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;COUNT=99999999999999999999", "FREQ", "FREQ=MONTHLY;BYMONTHDAY=0",
            // The smallest number, whose opposite is none.
            "FREQ=MONTHLY;BYDAY=-9223372036854775808MO", "FREQ=MONTHLY;BYMONTHDAY=-9223372036854775808",
            "FREQ=YEARLY;BYMONTH=-9223372036854775808", "FREQ=DAILY;INTERVAL=-9223372036854775808",
            "FREQ=DAILY;COUNT=-9223372036854775808",
            // Not understood, or not allowed together: rather none than wrong ones.
            "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "FREQ=YEARLY;BYYEARDAY=1,100,200", "FREQ=DAILY;BYSECOND=0,30",
            "FREQ=DAILY;BYDAY=1MO", "FREQ=WEEKLY;BYDAY=2MO", "FREQ=WEEKLY;BYMONTHDAY=13",
            "FREQ=DAILY;INTERVAL=2;INTERVAL=3", "FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYHOUR=-1",
            "FREQ=DAILY;BYMINUTE=60",
            "FREQ=DAILY;BYHOUR=", "FREQ=MINUTELY", "FREQ=MINUTELY;INTERVAL=14", "FREQ=HOURLY;BYMINUTE=0,10,20,30,40",
            "FREQ=HOURLY;BYDAY=MO;BYSETPOS=1",
            "FREQ=MONTHLY;BYMONTHDAY=" + (1...65).map { String($0 % 31 + 1) }.joined(separator: ","),
        ] {
            #expect(RecurrenceRule(bad) == nil, "\(bad)")
        }
    }

    @Test("a repeating to-do moves on to the occurrence after now, and keeps its form, its zone and its count")
    func advance() throws {
        let lines = [
            "BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:1", "DUE;TZID=Europe/Berlin:20260105T090000",
            "RRULE:FREQ=DAILY;COUNT=5", "X-KEEP:yes", "END:VTODO", "END:VCALENDAR",
        ]
        var file = try CalendarFile(CalendarFileTests.file(lines))
        let zones = file.zones
        let now = try #require(CalendarDate("20260107T120000Z", zone: nil)?.moment(in: zones, local: .gmt))
        var isMoved = false
        file.changeTodo { isMoved = $0.advance(after: now, zones: zones, local: .gmt, dayHour: 9) }
        #expect(isMoved)
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(text.contains("DUE;TZID=Europe/Berlin:20260108T090000\r\n"))
        #expect(text.contains("RRULE:FREQ=DAILY;COUNT=2\r\n") && text.contains("X-KEEP:yes\r\n"))
        let late = now.addingTimeInterval(3 * 86_400)
        file.changeTodo { isMoved = $0.advance(after: late, zones: zones, local: .gmt, dayHour: 9) }
        #expect(!isMoved)
    }

    @Test(
        "durations as RFC 5545 writes them",
        arguments: [
            ("PT15M", 900), ("-P1DT2H", -93_600), ("P2W", 1_209_600), ("+PT0S", 0), ("PT1H30M5S", 5405),
        ])
    func durations(text: String, seconds: Int) {
        #expect(CalendarDuration(text)?.seconds == seconds)
        #expect(CalendarDuration(CalendarDuration(seconds: seconds).text)?.seconds == seconds)
    }

    @Test("no duration", arguments: ["", "P", "P1", "15M", "PT99999999999999999999S", "P1H", "PT1D", "-", "P1D2"])
    func noDuration(text: String) { #expect(CalendarDuration(text) == nil) }

    static func todo(_ lines: String) throws -> CalendarTodo {
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\n\(lines)END:VTODO\r\nEND:VCALENDAR\r\n"
        let file = try CalendarFile(Array(text.utf8))
        return try #require(file.todos.first.flatMap { CalendarTodo($0, zones: file.zones) })
    }

    static func moments(_ lines: String, around now: String) throws -> [String] {
        let now = try #require(CalendarDate(now, zone: nil)?.moment(in: CalendarZones([]), local: .gmt))
        return try todo(lines).moments(around: now, local: .gmt, dayHour: 9).map {
            CalendarDate($0, in: .gmt, form: .utc).text
        }
    }

    @Test("one that nobody answered comes again: what passed of late and the next time are its moments (P-15)")
    func around() throws {
        let daily = "DTSTART:20260101T080000Z\r\nDUE:20260101T080000Z\r\nRRULE:FREQ=DAILY\r\n"
        var moments = try Self.moments(daily, around: "20261126T120000Z")
        #expect(moments.first == "20260101T080000Z" && moments.count <= 12)
        #expect(moments.suffix(2) == ["20261126T080000Z", "20261127T080000Z"])
        // The time itself has come: the next one is known.
        moments = try Self.moments(daily, around: "20261126T080000Z")
        #expect(moments.suffix(2) == ["20261126T080000Z", "20261127T080000Z"])
        // Before the first, and behind the last.
        #expect(try Self.moments(daily, around: "20251126T120000Z") == ["20260101T080000Z"])
        let ended = daily.replacing("DAILY", with: "DAILY;COUNT=3")
        #expect(try Self.moments(ended, around: "20260105T120000Z").last == "20260103T080000Z")
        #expect(try Self.moments(ended, around: "20261126T120000Z") == ["20260101T080000Z"])
        #expect(
            try Self.moments("DUE;VALUE=DATE:20260102\r\nRRULE:FREQ=MONTHLY\r\n", around: "20261126T120000Z")
                == ["20260102T090000Z", "20261202T090000Z"])
    }

    @Test("the alarms of one that repeats come before each of its times (P-15)")
    func alarmsAround() throws {
        let weekly = """
            DTSTART:20261102T100000Z\r
            DUE:20261102T110000Z\r
            RRULE:FREQ=WEEKLY\r
            BEGIN:VALARM\r
            ACTION:DISPLAY\r
            TRIGGER;RELATED=END:-P10D\r
            END:VALARM\r

            """
        #expect(
            try Self.moments(weekly, around: "20261126T120000Z")
                == ["20261023T110000Z", "20261113T110000Z", "20261120T110000Z", "20261127T110000Z"])
        // An alarm at a moment of its own comes once.
        let once = weekly.replacing("TRIGGER;RELATED=END:-P10D", with: "TRIGGER;VALUE=DATE-TIME:20261102T090000Z")
        #expect(try Self.moments(once, around: "20261126T120000Z") == ["20261102T090000Z"])
    }

    @Test("a day that EXDATE takes out is none, neither as a time nor after an answer (P-15)")
    func exceptions() throws {
        let daily = """
            DTSTART;TZID=Europe/Berlin:20261126T090000\r
            DUE;TZID=Europe/Berlin:20261126T090000\r
            RRULE:FREQ=DAILY\r
            EXDATE;TZID=Europe/Berlin:20261127T090000,20261128T090000\r
            EXDATE;VALUE=DATE:20261129\r

            """
        #expect(
            try Self.moments(daily, around: "20261126T120000Z") == ["20261126T080000Z", "20261130T080000Z"])
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\n\(daily)END:VTODO\r\nEND:VCALENDAR\r\n"
        var file = try CalendarFile(Array(text.utf8))
        let now = try #require(CalendarDate("20261126T120000Z", zone: nil)?.moment(in: CalendarZones([]), local: .gmt))
        let zones = file.zones
        var isMoved = false
        file.changeTodo { isMoved = $0.advance(after: now, zones: zones, local: .gmt, dayHour: 9) }
        #expect(isMoved)
        #expect(String(decoding: file.bytes, as: UTF8.self).contains("DUE;TZID=Europe/Berlin:20261130T090000"))
    }

    @Test("places as Apple's programs write them are places, and their moment long ago is no alarm (P-15)")
    func applePlaces() throws {
        let place = """
            BEGIN:VALARM\r
            ACTION:DISPLAY\r
            TRIGGER;VALUE=DATE-TIME:19760401T005545Z\r
            X-APPLE-PROXIMITY:ARRIVE\r
            X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=100;X-TITLE="Home":geo:52.5,13.4\r
            END:VALARM\r

            """
        let todo = try Self.todo(place)
        #expect(todo.events == [.arriving(place: "Home", geo: "geo:52.5,13.4")])
        #expect(todo.moments(local: .gmt, dayHour: 9) == [])
        let none = place.replacing("X-APPLE-PROXIMITY:ARRIVE\r\n", with: "")
        #expect(try Self.todo(none).alarms == [])
        #expect(try Self.todo("DUE:20261126T080000Z\r\n" + none).moments(local: .gmt, dayHour: 9).count == 1)
    }
}
