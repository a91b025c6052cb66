import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import ICalendar
import SwiftProtobuf
import Sync
import Synchronization
import Testing

@testable import Reminders

/// The folder, the database and the zone of reminders, with real files (P-15).
@Suite(.timeLimit(.minutes(1))) struct RemindersServiceTests {
    /// Apps, activities and notices of one device.
    private final class Fake: ReminderApps, ReminderActivities, ReminderNotices {
        let shown = Mutex<[String]>([])
        let opened = Mutex<[String]>([])
        let isInstalled = Mutex(true)

        func continues(_ type: String, _ app: AppIdentity) -> Bool {
            isInstalled.withLock { $0 } && type == "com.example.place"
        }

        func open(_ payload: Baton_Value_V1_ActivityPayload, with app: AppIdentity) async throws -> Bool {
            opened.withLock { $0.append(payload.description_p.title) }
            return true
        }

        func open(page: WebPage) async throws { opened.withLock { $0.append(page.text) } }

        func app(named text: String) throws(BatonError) -> AppIdentity {
            AppIdentity(bundleID: try BundleID(validating: text), team: .development)
        }

        func handle(named text: String) async throws -> String {
            guard text == "Anna" else { throw BatonError(.notFound, reason: "unknown_person", "Nobody.") }
            return "anna@example.org"
        }

        func current() async throws -> ReminderLink {
            var payload = Baton_Value_V1_ActivityPayload()
            payload.description_p.activityType = "com.example.place"
            payload.description_p.title = "Yank Sing"
            payload.description_p.webpageURL = "https://example.com/yank"
            return ReminderLink(app: try app(named: "com.example.reviews"), appName: "Reviews", payload: payload)
        }

        func show(_ reminder: ReminderSchedule, isMissed: Bool) { shown.withLock { $0.append(reminder.title) } }
        func close(_ id: String) { shown.withLock { $0.append("-") } }
    }

    private struct Device {
        let fake = Fake()
        let service: Reminders
        let zones: ReminderZones
        let folder: String
        let task: Task<Void, any Error>

        init(_ directory: TemporaryDirectory, _ name: String) async throws {
            folder = directory.file(name)
            let database = try DaemonDatabase(
                path: directory.file(name + ".sqlite"), migrations: Reminders.migrations)
            let (folders, source) = AsyncStream.makeStream(of: String.self)
            source.yield(folder)
            let service = Reminders(
                database: database, folders: folders, apps: fake, activities: fake, notices: fake,
                place: ReminderPlace(zone: { .gmt }), device: { name }, account: { "account" },
                recorder: NullEventRecorder())
            self.service = service
            zones = ReminderZones(service)
            try await service.start()
            // Ends with the test, which cancels it.
            task = Task { try await service.run() }
            try await until { FileManager.default.fileExists(atPath: directory.file(name)) }
        }

        func until(_ matches: () async throws -> Bool) async throws {
            for _ in 0..<400 {
                if try await matches() { return }
                try await Task.sleep(for: .milliseconds(20))  // sleeps: files and notices cause no event here
            }
            Issue.record("It did not happen in time.")
        }

        func write(_ name: String, _ lines: [String]) throws {
            try Data(lines.joined(separator: "\r\n").utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }

        func text(_ name: String) -> String {
            (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
        }
    }

    private static func file(_ uid: String, _ summary: String, modified: String = "20260101T000000Z") -> [String] {
        [
            "BEGIN:VCALENDAR", "X-WR-CALNAME:Mine", "BEGIN:VTODO", "UID:\(uid)", "SUMMARY:\(summary)",
            "LAST-MODIFIED:\(modified)", "X-Own;a=b:kept", "DUE:20990101T100000Z", "END:VTODO", "END:VCALENDAR", "",
        ]
    }

    @Test("another program's file is taken in within 2 s, and what is not ours stays in it byte for byte (P-15)")
    func files() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        try device.write("one.ics", Self.file("u1", "From elsewhere"))
        let clock = ContinuousClock()
        let time = try await clock.measure {
            try await device.until { await device.service.list().map(\.subject) == ["From elsewhere"] }
        }
        #expect(time < .seconds(4))
        let done = try await device.service.finish("u1")
        #expect(done.state == .done)
        let text = device.text("one.ics")
        #expect(text.contains("X-Own;a=b:kept\r\n") && text.contains("STATUS:COMPLETED\r\n"))
        #expect(
            text.hasPrefix(
                "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Mine\r\nBEGIN:VTODO\r\nUID:u1\r\nSUMMARY:From elsewhere\r\n"))

        // It is opened again there.
        try device.write("one.ics", Self.file("u1", "Again", modified: "20260201T000000Z"))
        try await device.until { await device.service.list().map(\.subject) == ["Again"] }
        // And removed.
        try FileManager.default.removeItem(atPath: device.folder + "/one.ics")
        try await device.until { await device.service.list(all: true).isEmpty }
    }

    @Test("a folder that is taken away deletes nothing: the files are written again")
    func emptied() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        _ = try await device.service.add(ReminderDraft(subject: "One"))
        let two = try await device.service.add(ReminderDraft(subject: "Two"))
        try FileManager.default.removeItem(atPath: device.folder)
        try await device.until { device.text(two.file ?? "").contains("Two") }
        #expect(await device.service.list().count == 2)
    }

    @Test("two files with one UID are one reminder: the later one counts, and it is said; bad files are said too")
    func twice() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        try device.write("a.ics", Self.file("u1", "Older"))
        try device.write("b.ics", Self.file("u1", "Newer", modified: "20260301T000000Z"))
        try device.write("c.ics", ["BEGIN:VCALENDAR", "BEGIN:VTODO", ""])
        try await device.until { await device.service.list().map(\.subject) == ["Newer"] }
        try await device.until { await device.service.problems().problems.count == 2 }
        let problems = await device.service.problems().problems
        #expect(problems.contains { $0.contains("“b.ics”, which was changed later, counts") })
        #expect(device.text("a.ics").contains("Older"))
    }

    @Test("a reminder is on the other device, an answer there is one here, and both files say the same (P-15)")
    func sync() async throws {
        let directory = try TemporaryDirectory()
        let (first, second) = (try await Device(directory, "a"), try await Device(directory, "b"))
        defer {
            first.task.cancel()
            second.task.cancel()
        }
        func exchange() async throws {
            for (from, to) in [(first, second), (second, first)] {
                let names = try await from.zones.stamps(in: ReminderZones.zone).keys
                let contents = try await from.zones.contents(of: Array(names), in: ReminderZones.zone)
                #expect(from.zones.stamps(of: contents).count == contents.count)
                try await to.zones.exchanged(contents, in: ReminderZones.zone)
            }
        }
        let link = try await first.service.current()
        let made = try await first.service.add(
            ReminderDraft(subject: "Call", trigger: .time(Date().addingTimeInterval(0.5)), activity: link))
        #expect(first.text(made.file ?? "").contains("URL:baton-reminder:\(made.id)\r\n"))
        try await exchange()
        for device in [first, second] { try await device.until { device.fake.shown.withLock { $0 } == ["Call"] } }
        let opened = try await second.service.open(made.id)
        #expect(opened.isHandled && opened.bundleID?.rawValue == "com.example.reviews" && opened.app == "Reviews")
        #expect(second.fake.opened.withLock { $0 } == ["Yank Sing"])
        second.fake.isInstalled.withLock { $0 = false }
        #expect(try await second.service.open(made.id).app == nil)
        #expect(second.fake.opened.withLock { $0 }.last == "https://example.com/yank")

        _ = try await second.service.finish(made.id)
        try await exchange()
        for device in [first, second] { try await device.until { device.fake.shown.withLock { $0 } == ["Call", "-"] } }
        #expect(first.text(made.file ?? "") == second.text(made.file ?? ""))
        #expect(
            try await first.zones.digest(of: ReminderZones.zone) == second.zones.digest(of: ReminderZones.zone))
        #expect(try await first.service.delete(made.id)?.subject == made.subject)
        try await exchange()
        #expect(await second.service.list(all: true).isEmpty)
        #expect(second.text(made.file ?? "") == "")
    }

    @Test("an activity that a device made up opens no app that does not name its type, and says where its page leads")
    func madeUp() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        var link = try await device.service.current()
        link.payload.description_p.activityType = "NSUserActivityTypeBrowsingWeb"
        link.payload.contentAttributes = .init()
        #expect(link.lines == ["Reviews: Yank Sing", "Its page is at example.com."])
        for id in ["u1", "u2"] {
            if id == "u2" { link.payload.description_p.clearWebpageURL() }
            let text = Self.file(id, "Made up").joined(separator: "\r\n")
            var record = ReminderRecord(
                id: id, text: Array(text.utf8), stamp: ReminderStamp(HybridTimestamp(milliseconds: 1, counter: 0), "b"))
            record.link = link
            let content = try ReminderWire.content(of: record)
            try await device.zones.exchanged([":" + id: content], in: ReminderZones.zone)
        }
        #expect(try await device.service.open("u1").app == nil)
        #expect(device.fake.opened.withLock { $0 } == ["https://example.com/yank"])
        let error = await #expect(throws: BatonError.self) { try await device.service.open("u2") }
        #expect(error?.reason == "app_not_installed")
        #expect(device.fake.opened.withLock { $0 }.count == 1)
        // Metadata for search stays on the device that has it (H-39).
        #expect(await device.service.list().allSatisfy { $0.link?.payload.hasContentAttributes == false })
    }

    @Test("no reminder is made from an activity that neither its app nor a page would open again")
    func undeclared() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        var link = try await device.service.current()
        link.payload.description_p.activityType = "com.example.undeclared"
        _ = try await device.service.add(ReminderDraft(subject: "A page", activity: link))
        link.payload.description_p.clearWebpageURL()
        let draft = ReminderDraft(subject: "Nothing", activity: link)
        let error = await #expect(throws: BatonError.self) { try await device.service.add(draft) }
        #expect(error?.code == .failedPrecondition && error?.reason == "nothing_to_open")
        #expect(await device.service.list().map(\.subject) == ["A page"])
    }

    private static func draft(
        _ subject: String, _ body: (inout Baton_Control_V1_ReminderTrigger) -> Void
    ) -> Baton_Control_V1_AddReminderRequest {
        .with {
            $0.subject = subject
            body(&$0.trigger)
        }
    }

    @Test("one that repeats moves on when it is done before its time, each time, and can be snoozed then (P-15)")
    func early() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        let date = Date(timeIntervalSince1970: 4_102_477_200)  // 2100-01-01 09:00
        let made = try await device.service.add(
            ReminderDraft(subject: "Mon", trigger: .time(date, RecurrenceRule("FREQ=WEEKLY"))))
        for week in 1...2 {
            let done = try await device.service.finish(made.id)
            #expect(done.state == .scheduled)
            #expect(done.time == UInt64(4_102_477_200 + week * 604_800) * 1000)
        }
        #expect(device.text(made.file ?? "").contains("21000115T090000"))
        #expect(try await device.service.snooze(made.id).state == .snoozed)
    }

    @Test("a notice before the due time moves it on; a notice of a former time answers that time only (P-15)")
    func notices() throws {
        func text(_ due: String) -> [UInt8] {
            Array(
                """
                BEGIN:VCALENDAR\r
                BEGIN:VTODO\r
                UID:u1\r
                DTSTART:\(due)\r
                DUE:\(due)\r
                RRULE:FREQ=WEEKLY\r
                BEGIN:VALARM\r
                TRIGGER;RELATED=END:-PT1H\r
                END:VALARM\r
                END:VTODO\r
                END:VCALENDAR\r

                """.utf8)
        }
        let due: UInt64 = 4_102_477_200_000
        var record = ReminderRecord(id: "u1", text: text("21000101T090000Z"), stamp: ReminderStamp())
        let alarm = due - 3_600_000
        #expect(record.occurrence(open: alarm, local: .gmt, dayHour: 9) == due)
        #expect(record.occurrence(open: alarm - 604_800_000, local: .gmt, dayHour: 9) == nil)
        record.snooze(shown: alarm, now: alarm + 5, for: 1000, stamp: ReminderStamp())
        #expect(record.occurrence(open: alarm + 1005, local: .gmt, dayHour: 9) == due)
    }

    @Test("a rule that does not name the day begins on the first one that it names (P-15)")
    func begins() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        // 2099-12-31 18:00, a Thursday.
        let made = try await device.service.add(
            ReminderDraft(
                subject: "Run",
                trigger: .time(
                    Date(timeIntervalSince1970: 4_102_423_200), RecurrenceRule("FREQ=WEEKLY;BYDAY=MO,WE"))))
        // 2100-01-04, a Monday.
        #expect(made.time == UInt64(4_102_423_200 + 4 * 86_400) * 1000)
    }

    @Test("a time that has passed is said, and one that comes again is none (P-15)")
    func passed() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        func said(_ seconds: Double, _ rule: RecurrenceRule? = nil) -> String? {
            RemindersHarness.passed(.time(now.addingTimeInterval(seconds), rule), now: now)
        }
        #expect(said(-30) == nil && said(60) == nil)
        #expect(said(-3600)?.hasSuffix("shown at once.") == true)
        #expect(said(-8 * 86_400)?.hasSuffix("not shown.") == true)
        #expect(said(-8 * 86_400, RecurrenceRule(.daily)) == nil)
        #expect(RemindersHarness.passed(.arriving("home"), now: now) == nil)
    }

    @Test("a person's name becomes an address, an address stays, a bad rule is told with what would do (P-15)")
    func asked() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        for (text, handle) in [("Anna", "anna@example.org"), ("+49 30 1", "+49 30 1"), ("b@c.org", "b@c.org")] {
            let request = Self.draft("Call") { $0.personContacted = text }
            #expect(
                try await RemindersHarness.draft(request, device.service, Self.words).trigger
                    == .personContacted(handle))
        }
        await #expect(throws: BatonError.self) {
            try await RemindersHarness.draft(
                Self.draft("Call") { $0.personContacted = "Nobody" }, device.service, Self.words)
        }
        let error = await #expect(throws: BatonError.self) {
            try await RemindersHarness.draft(
                Self.draft("Call") { $0.time.recurrence = "sometimes" }, device.service, Self.words)
        }
        #expect(error?.message.contains("Write daily, weekly, monthly, yearly") == true)
    }

    /// Understands three forms.
    private static let words: RemindersHarness.Words = { text, zone in
        switch text {
        case "tomorrow at 8": .time(Date(timeIntervalSince1970: 4_102_473_600), nil)
        case "every monday": .time(Date(timeIntervalSince1970: 4_102_473_600), RecurrenceRule("FREQ=WEEKLY;BYDAY=MO"))
        case "when I get home": .arriving("home \(zone)")
        default: throw BatonError(.invalidArgument, reason: "unknown_when", "No time.")
        }
    }

    @Test("when it comes may be said in words, and a rule repeats a time of theirs that does not come again (P-15)")
    func inWords() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        func trigger(_ text: String, _ rule: String = "") async throws -> ReminderTrigger? {
            let request = Baton_Control_V1_AddReminderRequest.with {
                $0.subject = "Run"
                $0.words.text = text
                $0.words.timeZone = "Asia/Tokyo"
                $0.words.recurrence = rule
            }
            return try await RemindersHarness.draft(request, device.service, Self.words).trigger
        }
        let date = Date(timeIntervalSince1970: 4_102_473_600)
        #expect(try await trigger("tomorrow at 8") == .time(date, nil))
        #expect(try await trigger("tomorrow at 8", "FREQ=DAILY") == .time(date, RecurrenceRule(.daily)))
        #expect(try await trigger("when I get home") == .arriving("home Asia/Tokyo"))
        for (text, rule) in [
            ("every monday", "FREQ=DAILY"), ("when I get home", "FREQ=DAILY"), ("tomorrow at 8", "sometimes"),
        ] {
            let error = await #expect(throws: BatonError.self) { try await trigger(text, rule) }
            #expect(error?.reason == "invalid_recurrence")
        }
        let error = await #expect(throws: BatonError.self) { try await trigger("soon") }
        #expect(error?.reason == "unknown_when")
    }

    @Test("a beginning stands for an identifier where it has 4 characters at least and is of no other one (P-15)")
    func beginnings() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Device(directory, "a")
        defer { device.task.cancel() }
        for id in ["abcd1", "abcd2", "x1"] { try device.write(id + ".ics", Self.file(id, id)) }
        try await device.until { await device.service.list().count == 3 }
        func found(_ selector: String) async -> String {
            do { return try await device.service.id(selector) } catch { return (error as? BatonError)?.reason ?? "" }
        }
        let wanted = [
            "a": "reminder_id_too_short", "x": "reminder_id_too_short", "abc": "reminder_id_too_short",
            "abcd": "ambiguous_reminder", "ABCD1": "abcd1", "x1": "x1", "zz": "no_such_reminder",
            "": "no_such_reminder",
        ]
        for (selector, outcome) in wanted { #expect(await found(selector) == outcome) }
    }
}
