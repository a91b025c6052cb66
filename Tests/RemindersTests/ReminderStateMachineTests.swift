import BatonConcurrency
import BatonCore
import Foundation
import ICalendar
import Reminders
import Testing

/// When a reminder is shown (P-15).
struct ReminderStateMachineTests {
    private static let start: UInt64 = 1_790_000_000_000

    private static func moment(_ seconds: Int, jump: Int = 0) -> Timestamp {
        Timestamp(
            .seconds(seconds),
            wall: start + UInt64(seconds * 1000) + UInt64(max(0, jump) * 1000) - UInt64(max(0, -jump) * 1000))
    }

    private static func schedule(
        _ id: String = "a", at seconds: [Int] = [], events: [CalendarAlarm.Trigger] = []
    ) -> ReminderSchedule {
        var schedule = ReminderSchedule(id: id, title: "Call")
        schedule.moments = seconds.map { start + UInt64($0 * 1000) }
        schedule.events = events
        return schedule
    }

    private static func shown(_ actions: [ReminderOutput]) -> [String] {
        actions.compactMap { if case .show(let schedule, _, _) = $0 { schedule.id } else { nil } }
    }

    @Test("it is shown at its time, once, and noted before it is shown (P-15)")
    func time() {
        var machine = ReminderStateMachine()
        #expect(machine.handle(.scheduled([Self.schedule(at: [60])]), now: Self.moment(0)) == [])
        #expect(machine.nextDeadline(now: Self.moment(0)) == .seconds(30))
        #expect(machine.nextDeadline(now: Self.moment(50)) == .seconds(60))
        #expect(machine.advance(now: Self.moment(59)) == [])
        let actions = machine.advance(now: Self.moment(60))
        #expect(
            actions == [
                .keep(id: "a", shown: Self.start + 60_000, isOpen: true),
                .show(Self.schedule(at: [60]), occurrence: Self.start + 60_000, isMissed: false),
            ])
        #expect(machine.advance(now: Self.moment(61)) == [])
        #expect(machine.state(of: "a", now: Self.start + 61_000).state == .shown)
        #expect(machine.nextDeadline(now: Self.moment(61)) == nil)
        _ = machine.handle(.closed(id: "a"), now: Self.moment(62))
        #expect(machine.advance(now: Self.moment(1000)) == [])
        #expect(machine.state(of: "a", now: Self.start + 61_000).state == .due)
    }

    @Test("a device that was off shows what it missed, once, and of several times the last (P-15)")
    func missed() {
        var machine = ReminderStateMachine()
        let actions = machine.handle(.scheduled([Self.schedule(at: [1, 2, 3])]), now: Self.moment(4000))
        #expect(actions.last == .show(Self.schedule(at: [1, 2, 3]), occurrence: Self.start + 3000, isMissed: true))
        #expect(machine.advance(now: Self.moment(4001)) == [])

        var again = ReminderStateMachine()
        _ = again.handle(.restored(id: "a", shown: Self.start + 3000, isOpen: false), now: Self.moment(5000))
        #expect(again.handle(.scheduled([Self.schedule(at: [1, 2, 3])]), now: Self.moment(5000)) == [])
        // One that was open goes with the daemon, and comes back with it.
        var open = ReminderStateMachine()
        _ = open.handle(.restored(id: "a", shown: Self.start + 3000, isOpen: true), now: Self.moment(5000))
        #expect(Self.shown(open.handle(.scheduled([Self.schedule(at: [1, 2, 3])]), now: Self.moment(5000))) == ["a"])
    }

    @Test("what passed more than a week ago is listed, and not shown")
    func old() {
        var machine = ReminderStateMachine()
        #expect(machine.handle(.scheduled([Self.schedule(at: [0])]), now: Self.moment(8 * 86_400)) == [])
        #expect(machine.state(of: "a", now: Self.start + 8 * 86_400_000).state == .due)
    }

    @Test("an answer on another device takes the notice away (P-15)")
    func elsewhere() {
        var machine = ReminderStateMachine()
        _ = machine.handle(.scheduled([Self.schedule(at: [1])]), now: Self.moment(1))
        var answered = Self.schedule(at: [1])
        answered.handled = Self.start + 2000
        answered.snoozedUntil = Self.start + 602_000
        #expect(machine.handle(.scheduled([answered]), now: Self.moment(3)).first == .close(id: "a"))
        #expect(machine.state(of: "a", now: Self.start + 3000).state == .snoozed)
        #expect(Self.shown(machine.advance(now: Self.moment(602))) == ["a"])
        answered.isOver = true
        #expect(machine.handle(.scheduled([answered]), now: Self.moment(603)).first == .close(id: "a"))
    }

    @Test("the clock is set forward: what it passed is shown, late; it is set back: nothing is shown again")
    func clock() {
        var machine = ReminderStateMachine()
        _ = machine.handle(.scheduled([Self.schedule(at: [3600])]), now: Self.moment(0))
        // Noticed within half a minute.
        #expect(machine.nextDeadline(now: Self.moment(0)) == .seconds(30))
        #expect(Self.shown(machine.advance(now: Self.moment(30, jump: 7200))) == ["a"])
        _ = machine.handle(.closed(id: "a"), now: Self.moment(31, jump: 7200))
        #expect(machine.advance(now: Self.moment(60)) == [])
        #expect(machine.advance(now: Self.moment(3601)) == [])
    }

    @Test("An app's word that somebody was contacted sets a reminder off once an hour, and the notice names the app")
    func claims() {
        var machine = ReminderStateMachine()
        _ = machine.handle(.scheduled([Self.schedule(events: [.personContacted("a@b.org")])]), now: Self.moment(0))
        let word = ReminderInput.happened(.personContacted(handle: "a@b.org", app: "Chat"))
        let lines = machine.handle(word, now: Self.moment(1)).flatMap { output -> [String] in
            guard case .show(let schedule, _, _) = output else { return [] }
            return schedule.lines
        }
        #expect(lines == ["Chat says that you contacted them."])
        _ = machine.handle(.closed(id: "a"), now: Self.moment(2))
        #expect(machine.handle(word, now: Self.moment(3)) == [])
        #expect(machine.handle(word, now: Self.moment(3600)) == [])
        #expect(Self.shown(machine.handle(word, now: Self.moment(3602))) == ["a"])
    }

    @Test("events: a place, a device, an app, a person; each time that it happens, while there is no notice (P-15)")
    func events() throws {
        let app = AppIdentity(bundleID: try BundleID(validating: "com.example.app"), team: .development)
        let cases: [(CalendarAlarm.Trigger, ContextEvent, ContextEvent)] = [
            (.arriving(place: "Home", geo: nil), .arrived(place: "home"), .left(place: "home")),
            (.leaving(place: "work", geo: nil), .left(place: "work"), .left(place: "home")),
            (.connected("car"), .car(connected: true, name: "Golf"), .car(connected: false, name: "Golf")),
            (
                .disconnected("Buds"), .headphones(connected: false, name: "buds"),
                .headphones(connected: false, name: "x")
            ),
            (.appOpened("com.example.app"), .appOpened(app), .woke),
            (
                .personContacted("+49 30 1234567"), .personContacted(handle: "(30) 123-4567"),
                .personContacted(handle: "567")
            ),
            (
                .personCalled("a@b.org"), .personContacted(handle: "a@b.org", by: .call),
                .personContacted(handle: "a@b.org", by: .message)
            ),
            (
                .personMessaged("a@b.org"), .personContacted(handle: "a@b.org", by: .message),
                .personContacted(handle: "a@b.org", by: .call)
            ),
        ]
        for (trigger, event, other) in cases {
            var machine = ReminderStateMachine()
            #expect(machine.handle(.scheduled([Self.schedule(events: [trigger])]), now: Self.moment(0)) == [])
            #expect(machine.handle(.happened(other), now: Self.moment(1)) == [])
            #expect(Self.shown(machine.handle(.happened(event), now: Self.moment(2))) == ["a"], "\(trigger)")
            #expect(machine.handle(.happened(event), now: Self.moment(3)) == [])
            _ = machine.handle(.closed(id: "a"), now: Self.moment(4))
            #expect(Self.shown(machine.handle(.happened(event), now: Self.moment(5))) == ["a"])
        }
    }

    @Test("a reminder for a call or a message says whom it waits for by the name, where that is clear (P-15)")
    func names() {
        let name = { (handle: String) in handle == "a@b.org" ? "Anna" : nil }
        #expect(CalendarAlarm.Trigger.personCalled("a@b.org").text(naming: name) == "when you call Anna")
        #expect(CalendarAlarm.Trigger.personMessaged("c@b.org").text(naming: name) == "when you message c@b.org")
        #expect(CalendarAlarm.Trigger.arriving(place: "home", geo: nil).handle == nil)
    }

    @Test("an event comes for a reminder that is answered until the end of time: nothing is shown, and nothing traps")
    func endless() {
        for handled in [UInt64.max, UInt64.max - 1] {
            var machine = ReminderStateMachine()
            var schedule = Self.schedule(events: [.arriving(place: "home", geo: nil)])
            schedule.handled = handled
            _ = machine.handle(.scheduled([schedule]), now: Self.moment(0))
            for second in 1...3 {
                _ = machine.handle(.happened(.arrived(place: "home")), now: Self.moment(second))
                _ = machine.handle(.closed(id: "a"), now: Self.moment(second))
            }
            #expect(machine.handle(.happened(.arrived(place: "home")), now: Self.moment(4)) == [])
        }
    }

    @Test("16 notices at once; the others wait for room, and none is lost")
    func bound() {
        var machine = ReminderStateMachine()
        let schedules = (0..<100).map { Self.schedule("r\($0)", at: [$0]) }
        var shown = Self.shown(machine.handle(.scheduled(schedules), now: Self.moment(200)))
        #expect(shown.count == ReminderStateMachine.maximumOpen)
        var index = 0
        while index < shown.count {
            shown += Self.shown(machine.handle(.closed(id: shown[index]), now: Self.moment(201)))
            index += 1
        }
        #expect(Set(shown).count == 100 && shown.count == 100)
    }

    @Test("while notices are off nothing is shown; when they are on again, what was missed is")
    func off() {
        var machine = ReminderStateMachine()
        _ = machine.handle(.allowed(false), now: Self.moment(0))
        #expect(machine.handle(.scheduled([Self.schedule(at: [1])]), now: Self.moment(2)) == [])
        #expect(Self.shown(machine.handle(.allowed(true), now: Self.moment(3))) == ["a"])
    }

    @Test("one that repeats is shown at each of its times though nobody answers, and also after a long absence (P-15)")
    func repeating() throws {
        let day = 86_400
        let first = Date(timeIntervalSince1970: Double(Self.start / 1000 + 60))
        let due = CalendarDate(first, in: .gmt, form: .utc).text
        let text =
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nDTSTART:\(due)\r\nDUE:\(due)\r\nRRULE:FREQ=DAILY;COUNT=40\r\n"
            + "END:VTODO\r\nEND:VCALENDAR\r\n"
        let file = try CalendarFile(Array(text.utf8))
        let todo = try #require(file.todos.first.flatMap { CalendarTodo($0, zones: file.zones) })
        var schedule = Self.schedule(at: [60])
        schedule.repetition = ReminderRepetition(todo, zone: .gmt, dayHour: 9)
        #expect(schedule.repetition != nil)

        var machine = ReminderStateMachine()
        _ = machine.handle(.scheduled([schedule]), now: Self.moment(0))
        #expect(Self.shown(machine.advance(now: Self.moment(60))) == ["a"])
        _ = machine.handle(.closed(id: "a"), now: Self.moment(100))
        #expect(machine.state(of: "a", now: Self.start + 100_000).time == Self.start + UInt64(60 + day) * 1000)
        // The next day it is shown again, and stays there over the third.
        #expect(machine.advance(now: Self.moment(59 + day)) == [])
        #expect(Self.shown(machine.advance(now: Self.moment(60 + day))) == ["a"])
        #expect(machine.advance(now: Self.moment(60 + 2 * day)) == [])
        // Closing it does not bring back at once what came meanwhile.
        #expect(Self.shown(machine.handle(.closed(id: "a"), now: Self.moment(90 + 2 * day))) == [])
        #expect(Self.shown(machine.advance(now: Self.moment(60 + 3 * day))) == ["a"])
        _ = machine.handle(.closed(id: "a"), now: Self.moment(90 + 3 * day))
        // The device slept for twenty days: the last one is shown, once.
        #expect(Self.shown(machine.advance(now: Self.moment(23 * day))) == ["a"])
        #expect(machine.open("a") == Self.start + UInt64(60 + 22 * day) * 1000)
        _ = machine.handle(.closed(id: "a"), now: Self.moment(23 * day))
        // An answer covers all times until then; after the last one nothing comes.
        schedule.handled = Self.start + UInt64(30 * day) * 1000
        _ = machine.handle(.scheduled([schedule]), now: Self.moment(23 * day))
        #expect(machine.advance(now: Self.moment(30 * day)) == [])
        #expect(Self.shown(machine.advance(now: Self.moment(60 + 30 * day))) == ["a"])
        _ = machine.handle(.closed(id: "a"), now: Self.moment(60 + 30 * day))
        #expect(Self.shown(machine.advance(now: Self.moment(50 * day))) == [])
        #expect(machine.nextDeadline(now: Self.moment(50 * day)) == nil)
    }

    @Test("one that was snoozed before its time stays quiet until the snooze ends, though its time comes (P-15)")
    func snoozed() {
        var machine = ReminderStateMachine()
        var snoozed = Self.schedule(at: [60])
        snoozed.handled = Self.start
        snoozed.snoozedUntil = Self.start + 600_000
        #expect(machine.handle(.scheduled([snoozed]), now: Self.moment(0)) == [])
        #expect(machine.advance(now: Self.moment(60)) == [])
        #expect(machine.advance(now: Self.moment(599)) == [])
        #expect(machine.nextDeadline(now: Self.moment(599)) == .seconds(600))
        #expect(Self.shown(machine.advance(now: Self.moment(600))) == ["a"])
        #expect(machine.open("a") == Self.start + 600_000)
        _ = machine.handle(.closed(id: "a"), now: Self.moment(601))
        #expect(machine.advance(now: Self.moment(700)) == [])
    }

    @Test("a snooze after an answer that was before its time is shown, and its answer takes the notice away (P-15)")
    func snoozedAfterwards() {
        var machine = ReminderStateMachine()
        var schedule = Self.schedule(at: [9000])
        schedule.handled = Self.start + 3_600_000
        schedule.snoozedUntil = Self.start + 600_000
        #expect(Self.shown(machine.handle(.scheduled([schedule]), now: Self.moment(600))) == ["a"])
        #expect(machine.open("a") == Self.start + 600_000)
        // Scheduled anew, as after a change of the zone.
        #expect(machine.handle(.scheduled([schedule]), now: Self.moment(601)) == [])
        schedule.snoozedUntil = nil
        #expect(machine.handle(.scheduled([schedule]), now: Self.moment(602)).first == .close(id: "a"))
    }
}
