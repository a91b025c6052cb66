import Foundation
import ICalendar
import Testing

/// Dates that are added, rules within a day, ends, and changes of clocks (P-15).
extension RecurrenceTests {
    /// - Returns: the lines that say when it is, after it was answered at a moment; nil where it is over.
    private static func advanced(_ lines: String, after now: String, local: TimeZone = .gmt) throws -> [String]? {
        let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\n\(lines)END:VTODO\r\nEND:VCALENDAR\r\n"
        var file = try CalendarFile(Array(text.utf8))
        let zones = file.zones
        let now = try #require(CalendarDate(now, zone: nil)?.moment(in: zones, local: .gmt))
        var isMoved = false
        file.changeTodo { isMoved = $0.advance(after: now, zones: zones, local: local, dayHour: 9) }
        guard isMoved else { return nil }
        return String(decoding: file.bytes, as: UTF8.self).replacing("\r\n", with: "\n").split(separator: "\n").filter {
            $0.hasPrefix("D") || $0.hasPrefix("R")
        }.map(String.init)
    }

    @Test("RDATE adds times: in UTC, in another zone, of a period, and a day at the time of the start (P-15)")
    func additions() throws {
        let weekly = """
            DTSTART;TZID=Europe/Berlin:20261123T090000\r
            DUE;TZID=Europe/Berlin:20261123T090000\r
            RRULE:FREQ=WEEKLY\r
            RDATE:20261127T100000Z,20261130T080000Z\r
            RDATE;TZID=America/New_York:20261128T060000\r
            RDATE;VALUE=DATE:20261129\r
            RDATE;VALUE=PERIOD:20261201T100000Z/PT1H\r

            """
        func next(_ now: String) throws -> String? { try Self.moments(weekly, around: now).last }
        #expect(try next("20261126T120000Z") == "20261127T100000Z")
        #expect(try next("20261127T120000Z") == "20261128T110000Z")
        #expect(try next("20261128T120000Z") == "20261129T080000Z")
        // The rule's own, which RDATE names too.
        #expect(try next("20261129T120000Z") == "20261130T080000Z")
        #expect(try next("20261130T120000Z") == "20261201T100000Z")
        #expect(try next("20261201T120000Z") == "20261207T080000Z")
    }

    @Test(
        "after an answer the rule counts on from its own time, and what RDATE adds before it comes nevertheless (P-15)")
    func advanceWithAdditions() throws {
        let weekly = "DUE:20261123T080000Z\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nRDATE:20261127T100000Z,20261224T100000Z\r\n"
        #expect(
            try Self.advanced(weekly, after: "20261125T120000Z")
                == ["DUE:20261130T080000Z", "RRULE:FREQ=WEEKLY;COUNT=2", "RDATE:20261127T100000Z,20261224T100000Z"])
        let moved = "LAST-MODIFIED:20261125T120000Z\r\n" + weekly.replacing("20261123", with: "20261130")
        #expect(try Self.moments(moved, around: "20261126T000000Z").first == "20261127T100000Z")
        // A change after that time has seen to it.
        let seen = moved.replacing("MODIFIED:20261125", with: "MODIFIED:20261128")
        #expect(try Self.moments(seen, around: "20261126T000000Z") == ["20261130T080000Z"])
        // Behind the rule's end there is only what was added, and no rule begins there.
        #expect(
            try Self.advanced(weekly, after: "20261210T120000Z")
                == ["DUE:20261224T100000Z", "RDATE:20261127T100000Z,20261224T100000Z"])
        #expect(try Self.advanced(weekly, after: "20261225T120000Z") == nil)
        // Without a rule, days are days.
        let days = "DUE;VALUE=DATE:20261126\r\nRDATE;VALUE=DATE:20261226,20261201\r\nEXDATE;VALUE=DATE:20261201\r\n"
        #expect(try Self.advanced(days, after: "20261126T120000Z")?.first == "DUE;VALUE=DATE:20261226")
        #expect(try Self.todo(days).repeats)
    }

    @Test("a rule that is not understood does not repeat, whatever else is said of other times (P-15)")
    func notUnderstood() throws {
        for rule in [
            "RRULE:FREQ=YEARLY;BYWEEKNO=20", "RRULE:FREQ=DAILY\r\nEXRULE:FREQ=WEEKLY", "RRULE:FREQ=MINUTELY",
            // Far alarms of one that comes each hour, and hours of a day without a time.
            "RRULE:FREQ=HOURLY\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-P11D\r\nEND:VALARM",
            "DTSTART:20260101T080000Z\r\nRRULE:FREQ=HOURLY",
        ] {
            let todo = "DUE:20261126T080000Z\r\nRDATE:20261128T080000Z\r\n" + rule + "\r\n"
            #expect(try !Self.todo(todo).repeats && Self.todo(todo).hasUnknownRule, "\(rule)")
            #expect(try Self.advanced(todo, after: "20261126T120000Z") == nil, "\(rule)")
        }
        #expect(try Self.todo("DUE;VALUE=DATE:20261126\r\nRRULE:FREQ=HOURLY\r\n").hasUnknownRule)
        #expect(try !Self.todo("DUE:20261126T080000Z\r\nRRULE:FREQ=HOURLY\r\n").hasUnknownRule)
        #expect(try !Self.todo("DUE:20261126T080000Z\r\n").hasUnknownRule)
    }

    @Test("one that comes more than once a day is found at once, years after its start, and moves on by hours (P-15)")
    func withinDay() throws {
        let quarterly = "DUE:20160101T080000Z\r\nRRULE:FREQ=MINUTELY;INTERVAL=15\r\n"
        #expect(
            try Self.moments(quarterly, around: "20261126T120100Z").suffix(2) == [
                "20261126T120000Z", "20261126T121500Z",
            ])
        #expect(try Self.advanced(quarterly, after: "20261126T120100Z")?.first == "DUE:20261126T121500Z")
        let twice = """
            DTSTART;TZID=Europe/Berlin:20261101T080000\r
            DUE;TZID=Europe/Berlin:20261101T083000\r
            RRULE:FREQ=DAILY;BYHOUR=8,20;COUNT=100\r

            """
        #expect(
            try Self.advanced(twice, after: "20261126T120000Z")
                == [
                    "DTSTART;TZID=Europe/Berlin:20261126T200000", "DUE;TZID=Europe/Berlin:20261126T203000",
                    "RRULE:FREQ=DAILY;BYHOUR=8,20;COUNT=49",
                ])
    }

    // In the quiet lane: it measures time.
    @Test("a thousand dates added and taken out of one that comes each hour are no burden (P-15)")
    func burden() throws {
        let start = try #require(CalendarDate("20261126T080000Z", zone: nil))
        func dates(_ isDay: Bool) -> String {
            (0..<1000).map { number in
                let moment = Date(timeIntervalSince1970: 1_795_680_000 + Double(number) * 86_400)
                return CalendarDate(moment, in: .gmt, form: isDay ? .date : .utc).text
            }.joined(separator: ",")
        }
        let alarms = String(repeating: "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n", count: 64)
        let todo =
            "DUE;TZID=Europe/Berlin:20261126T090000\r\nRRULE:FREQ=HOURLY\r\nRDATE:\(dates(false))\r\n"
            + "EXDATE;VALUE=DATE:\(dates(true))\r\n" + alarms
        let clock = ContinuousClock()
        let time = try clock.measure {
            #expect(try Self.advanced(todo, after: start.text)?.first == "DUE;TZID=Europe/Berlin:20290822T000000")
            _ = try Self.moments(todo, around: start.text)
        }
        #expect(time < .seconds(10), "\(time)")
    }

    @Test("UNTIL in UTC is a moment, whatever the zone of the start, and one that is a day is that whole day (P-15)")
    func until() throws {
        // 23:30 in New York is the next day in UTC.
        let newYork = "DUE;TZID=America/New_York:20261120T233000\r\nRRULE:FREQ=DAILY;UNTIL="
        #expect(
            try Self.advanced(newYork + "20261123T043000Z\r\n", after: "20261122T043100Z")?.first?.hasSuffix(
                "20261122T233000") == true)
        #expect(try Self.advanced(newYork + "20261123T042959Z\r\n", after: "20261122T043100Z") == nil)
        #expect(
            try Self.advanced(newYork + "20261122\r\n", after: "20261122T043100Z")?.first?.hasSuffix("20261122T233000")
                == true)
        #expect(try Self.advanced(newYork + "20261121\r\n", after: "20261122T043100Z") == nil)
        // A zone that only the file knows.
        let zone = """
            BEGIN:VCALENDAR\r
            BEGIN:VTIMEZONE\r
            TZID:Mine\r
            BEGIN:STANDARD\r
            DTSTART:19700101T000000\r
            TZOFFSETFROM:-0500\r
            TZOFFSETTO:-0500\r
            END:STANDARD\r
            END:VTIMEZONE\r
            BEGIN:VTODO\r
            UID:a\r
            DUE;TZID=Mine:20261120T233000\r
            RRULE:FREQ=DAILY;UNTIL=20261123T043000Z\r
            END:VTODO\r
            END:VCALENDAR\r

            """
        var file = try CalendarFile(Array(zone.utf8))
        let zones = file.zones
        for expected in [true, false] {
            let now = Date(timeIntervalSince1970: expected ? 1_795_321_860 : 1_795_408_260)
            var isMoved = false
            file.changeTodo { isMoved = $0.advance(after: now, zones: zones, local: .gmt, dayHour: 9) }
            #expect(isMoved == expected)
            #expect(String(decoding: file.bytes, as: UTF8.self).contains("DUE;TZID=Mine:20261122T233000"))
        }
    }

    @Test(
        "where clocks change it comes once: an hour that is left out is later, and one that comes twice has the first (P-15)"
    )
    func clocks() throws {
        let daily = "DUE;TZID=Europe/Berlin:20260327T023000\r\nRRULE:FREQ=DAILY\r\n"
        #expect(
            try Self.moments(daily, around: "20260329T120000Z").suffix(3)
                == ["20260328T013000Z", "20260329T013000Z", "20260330T003000Z"])
        let autumn = daily.replacing("202603", with: "202610").replacing("20261027", with: "20261023")
        #expect(
            try Self.moments(autumn, around: "20261025T120000Z").suffix(3)
                == ["20261024T003000Z", "20261025T003000Z", "20261026T013000Z"])
        let hourly = "DUE;TZID=Europe/Berlin:20261023T023000\r\nRRULE:FREQ=HOURLY\r\n"
        // The second half past two: the next one is at half past three.
        #expect(try Self.advanced(hourly, after: "20261025T011500Z")?.first == "DUE;TZID=Europe/Berlin:20261025T033000")
        #expect(try Self.moments(hourly, around: "20261025T011500Z").last == "20261025T023000Z")
    }

    @Test("a count counts what EXDATE takes out (P-15)")
    func countAndExceptions() throws {
        let daily = "DUE:20261126T080000Z\r\nRRULE:FREQ=DAILY;COUNT=3\r\nEXDATE:20261127T080000Z\r\n"
        #expect(
            try Self.advanced(daily, after: "20261126T120000Z") == ["DUE:20261128T080000Z", "RRULE:FREQ=DAILY;COUNT=1"])
        #expect(try Self.advanced(daily, after: "20261128T120000Z") == nil)
        #expect(try Self.moments(daily, around: "20261128T120000Z") == ["20261126T080000Z", "20261128T080000Z"])
    }
}
