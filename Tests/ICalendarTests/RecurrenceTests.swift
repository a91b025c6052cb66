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
            ("FREQ=YEARLY", "20240229", ["20280229", "20320229", "20360229"]),
            ("FREQ=YEARLY;BYDAY=20MO", "19970519", ["19980518", "19990517", "20000515"]),
            ("FREQ=YEARLY;BYDAY=-1FR,53TH,-53TH", "20261231", ["20271231", "20281229", "20291228"]),
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
}
