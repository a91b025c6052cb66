import Foundation
import ICalendar
import Testing

/// Rules that come often, and many alarms (P-15).
@Suite struct DenseRuleTests {
    private static let quarters =
        "BYHOUR=" + (0..<24).map(String.init).joined(separator: ",") + ";BYMINUTE=0,15,30,45"

    private static func todo(_ rule: String, due: String = "19900101T000000", alarms: Int = 0) throws -> CalendarTodo {
        let alarm = (0..<alarms).map { "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT\($0)M\r\nEND:VALARM\r\n" }
            .joined()
        let text =
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nDUE:\(due)\r\nRRULE:\(rule)\r\n\(alarm)"
            + "END:VTODO\r\nEND:VCALENDAR\r\n"
        return try #require(try CalendarFile(Array(text.utf8)).todo)
    }

    private static let now = Date(timeIntervalSince1970: 1_795_683_600)

    @Test(
        "rules of seconds are not followed, and neither are those that choose among many times (P-15)",
        arguments: [
            "FREQ=SECONDLY", "FREQ=SECONDLY;COUNT=3", "FREQ=HOURLY;BYSECOND=1,2,3", "FREQ=MINUTELY",
            "FREQ=YEARLY;BYDAY=MO,TU;BYHOUR=1,2,3,4,5;BYSETPOS=1",
        ])
    func refused(rule: String) throws {
        let todo = try Self.todo(rule)
        #expect(todo.rule == nil && todo.hasUnknownRule)
        #expect(todo.moments(around: Self.now, local: .gmt, dayHour: 9).count == 1)
    }

    @Test("a count that is not reached in a life is none, and stays in the file (P-15)")
    func count() throws {
        for count in ["10001", "1000000000", "9223372036854775807"] {
            let rule = try #require(RecurrenceRule("FREQ=MINUTELY;INTERVAL=15;COUNT=\(count)"))
            #expect(rule.count == nil && rule.text == "FREQ=MINUTELY;INTERVAL=15;COUNT=\(count)")
        }
        let rule = try #require(RecurrenceRule("FREQ=DAILY;COUNT=10000"))
        #expect(rule.count == 10_000 && rule.text == "FREQ=DAILY;COUNT=10000")
        let todo = try Self.todo(
            "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;\(Self.quarters);COUNT=99999999", due: "16010101T000000")
        let moments = todo.moments(around: Self.now, local: .gmt, dayHour: 9)
        #expect(moments.last == Self.now.addingTimeInterval(900))
    }

    @Test("the alarms of one that comes often are no more than 96 in a day, and its moments few (P-15)")
    func alarms() throws {
        for (rule, alarms) in [
            ("FREQ=MINUTELY;INTERVAL=15", 1), ("FREQ=DAILY;" + Self.quarters, 1), ("FREQ=HOURLY", 4),
            ("FREQ=DAILY", 64),
        ] {
            let todo = try Self.todo(rule, due: "20261001T000000", alarms: 10_000)
            #expect(todo.alarms.count == alarms)
            let moments = todo.moments(around: Self.now, local: .gmt, dayHour: 9)
            #expect(moments.count <= 1000 && moments.last.map { $0 > Self.now } == true)
        }
    }
}
