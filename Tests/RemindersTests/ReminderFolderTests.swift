import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import ICalendar
import SwiftProtobuf
import Testing

@testable import Reminders

/// The effects of the folder's files on reminders: a file that cannot be read deletes nothing and is not written over, and a folder
/// that is not the known one deletes nothing (P-15).
struct ReminderFolderTests {
    private struct Setup {
        let directory: TemporaryDirectory
        let keeper: ReminderKeeper
        var folder: String { directory.file("folder") }

        init(maximum: Int = ReminderKeeper.maximumReminders) throws {
            directory = try TemporaryDirectory()
            keeper = ReminderKeeper(
                database: try DaemonDatabase(path: directory.file("db"), migrations: Reminders.migrations),
                place: ReminderPlace(zone: { .gmt }), maximum: maximum, device: { "a" })
            keeper.use(folder: folder)
            _ = try keeper.scan()
        }

        var ids: Set<String> { Set(keeper.all.filter { !$0.record.isDeleted }.map(\.record.id)) }

        func file(of id: String) throws -> String { folder + "/" + (try #require(keeper.reminder(id)?.file)) }

        func write(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: URL(filePath: name)) }

        func text(_ name: String) -> String { (try? String(contentsOfFile: name, encoding: .utf8)) ?? "" }
    }

    private static func text(_ id: String, _ summary: String) -> String {
        ["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:\(id)", "SUMMARY:\(summary)", "END:VTODO", "END:VCALENDAR", ""]
            .joined(separator: "\r\n")
    }

    @Test(
        "what was deleted makes room: the limit counts what is there, and the oldest deletions are forgotten beyond it (P-15)"
    )
    func room() throws {
        let setup = try Setup(maximum: 3)
        var ids: [String] = []
        for number in 1...3 { ids.append(try setup.keeper.add(ReminderDraft(subject: "\(number)")).record.id) }
        #expect { try setup.keeper.add(ReminderDraft(subject: "4")) } throws: {
            ($0 as? BatonError)?.reason == "too_many_reminders"
        }
        for id in ids { #expect(try setup.keeper.delete(id)) }
        for number in 5...7 { ids.append(try setup.keeper.add(ReminderDraft(subject: "\(number)")).record.id) }
        for id in ids.suffix(3) { #expect(try setup.keeper.delete(id)) }
        try setup.keeper.prune()
        #expect(setup.keeper.all.count == 3 && setup.ids.isEmpty)
        #expect(setup.keeper.reminder(ids[0]) == nil && setup.keeper.reminder(ids[5]) != nil)
        // Another program's file has room, too.
        try setup.write(Self.text("other", "Other"), setup.folder + "/other.ics")
        _ = try setup.keeper.scan()
        #expect(setup.ids == ["other"])
    }

    @Test("a member that deletes what never was fills nothing, and what is here is deleted all the same")
    func floodOfDeletions() throws {
        let setup = try Setup(maximum: 3)
        let id = try setup.keeper.add(ReminderDraft(subject: "1")).record.id
        func deletion(_ id: String) -> (record: ReminderRecord, version: UInt64?) {
            let time = HybridTimestamp(milliseconds: WallClock.system.milliseconds + 1000, counter: 0)
            return (ReminderRecord(id: id, text: [], stamp: ReminderStamp(time, "b")), nil)
        }
        for round in 0..<3 { _ = try setup.keeper.merge((0..<10).map { deletion("never \(round) \($0)") }) }
        #expect(setup.keeper.all.count == 7)
        #expect(try setup.keeper.merge([deletion(id)]) == [id])
        #expect(setup.ids.isEmpty)
        try setup.keeper.prune()
        #expect(setup.keeper.all.count == 3)
        _ = try setup.keeper.merge([deletion("another")])
        #expect(setup.keeper.reminder("another") != nil)
    }

    private static let large = String(repeating: "X", count: CalendarFile.maximumSize + 1)

    @Test("a file that grows too large deletes nothing, and is neither written over nor removed")
    func large() throws {
        let setup = try Setup()
        let ids = try ["One", "Two"].map { try setup.keeper.add(ReminderDraft(subject: $0)).record.id }
        let file = try setup.file(of: ids[0])
        try setup.write(Self.large, file)
        #expect(try setup.keeper.scan().isEmpty)
        #expect(setup.ids == Set(ids) && setup.keeper.problems.count == 1)
        // Answered and deleted meanwhile: the file is not touched.
        _ = try setup.keeper.change(ids[0]) { $0.finish(shown: 0, now: $2, stamp: $1) }
        #expect(try setup.keeper.delete(ids[0]))
        _ = try setup.keeper.scan()
        #expect(setup.text(file) == Self.large)
    }

    @Test("a file with a rule that is not understood is a reminder that comes once, and the list says so")
    func unknownRule() throws {
        let setup = try Setup()
        let known = "RRULE:FREQ=HOURLY\r\nEND:VTODO"
        let text = Self.text("u1", "Water").replacing("END:VTODO", with: "DUE:20260101T080000Z\r\n" + known)
        try setup.write(text, setup.folder + "/u1.ics")
        #expect(try setup.keeper.scan() == ["u1"] && setup.keeper.problems.isEmpty)
        let file = setup.folder + "/u2.ics"
        try setup.write(
            text.replacing("UID:u1", with: "UID:u2").replacing("HOURLY", with: "YEARLY;BYWEEKNO=20"), file)
        #expect(try setup.keeper.scan() == ["u2"])
        let problems = setup.keeper.problems
        #expect(problems == ["“u2.ics” comes again by a rule that is not understood; it comes once."])
    }

    @Test("a time that cannot be read is named, and a file with its ending in capitals is read")
    func unreadableTime() throws {
        let setup = try Setup()
        let text = Self.text("u1", "Water")
        try setup.write(
            text.replacing("END:VTODO", with: "DUE:2026-12-05T07:00:00Z\r\nEND:VTODO"), setup.folder + "/U1.ICS")
        try setup.write(
            text.replacing("UID:u1", with: "UID:u2").replacing("END:VTODO", with: "DUE:20261205T070000Z\r\nEND:VTODO"),
            setup.folder + "/u2.ics")
        #expect(try Set(setup.keeper.scan()) == ["u1", "u2"])
        #expect(
            setup.keeper.problems == [
                "“U1.ICS” has a time that cannot be read, “DUE:2026-12-05T07:00:00Z”: it does not count."
            ])
    }

    @Test("another program's file that cannot be read is not written over by a reminder of its name")
    func foreign() throws {
        let setup = try Setup()
        let file = setup.folder + "/u1.ics"
        try setup.write(Self.large, file)
        let record = ReminderRecord(
            id: "u1", text: Array(Self.text("u1", "Elsewhere").utf8), stamp: ReminderStamp(.zero, "b"))
        #expect(try setup.keeper.merge([(record, nil)]) == ["u1"])
        _ = try setup.keeper.scan()
        #expect(setup.text(file) == Self.large && setup.ids == ["u1"])
    }

    @Test("a file that could not be read once is read at the next look", .enabled(if: geteuid() != 0))
    func again() throws {
        let setup = try Setup()
        let file = setup.folder + "/u1.ics"
        try setup.write(Self.text("u1", "One"), file)
        chmod(file, 0)
        #expect(try setup.keeper.scan().isEmpty)
        chmod(file, 0o600)
        #expect(try setup.keeper.scan() == ["u1"])
    }

    @Test("a file that another program removes deletes its reminder, also the only one", arguments: [1, 2])
    func removed(count: Int) throws {
        let setup = try Setup()
        let ids = try (0..<count).map { try setup.keeper.add(ReminderDraft(subject: "\($0)")).record.id }
        _ = try setup.keeper.scan()
        unlink(try setup.file(of: ids[0]))
        #expect(try setup.keeper.scan() == [ids[0]])
        #expect(setup.ids == Set(ids.dropFirst()))
    }

    @Test("a folder without its mark, empty or with other files, deletes nothing: the reminders are written there")
    func unmounted() throws {
        for others in [[], ["u9.ics"]] {
            let setup = try Setup()
            let id = try setup.keeper.add(ReminderDraft(subject: "One")).record.id
            _ = try setup.keeper.scan()
            // Another disk is at its path, and then the first one again, on which another program works.
            let away = setup.directory.file("away")
            #expect(rename(setup.folder, away) == 0)
            mkdir(setup.folder, 0o700)
            for other in others { try setup.write(Self.text("u9", "Other"), setup.folder + "/" + other) }
            _ = try setup.keeper.scan()
            #expect(setup.ids == Set([id] + others.map { _ in "u9" }))
            #expect(setup.text(try setup.file(of: id)).contains("SUMMARY:One"))
            let later = try setup.keeper.add(ReminderDraft(subject: "Later")).record.id
            try FileManager.default.removeItem(atPath: setup.folder)
            #expect(rename(away, setup.folder) == 0)
            _ = try setup.keeper.scan()
            #expect(setup.ids.isSuperset(of: [id, later]))
            unlink(try setup.file(of: id))
            #expect(try setup.keeper.scan() == [id])
        }
    }

    // MARK: Other devices

    @Test("times that no calendar has are left out, and all that is read can be written and read again")
    func endless() throws {
        var record = ReminderRecord(
            id: "u1", text: Array(Self.text("u1", "One").utf8),
            stamp: ReminderStamp(HybridTimestamp(milliseconds: 5000, counter: 0), "b"))
        record.answer.stamp = ReminderStamp(HybridTimestamp(milliseconds: 7000, counter: 1), "b")
        for (time, handled, snoozed) in [
            (UInt64.max, UInt64(7000), UInt64?.none), (ReminderWire.endOfTime, 7000, nil), (9000, 9000, 9000),
        ] {
            record.handled = time
            record.answer.snoozedUntil = time
            let read = try #require(ReminderWire.record("u1", try ReminderWire.content(of: record)))
            #expect(read.handled == handled && read.answer.snoozedUntil == snoozed)
            #expect(ReminderWire.record("u1", try ReminderWire.content(of: read)) == read)
        }
    }

    @Test(
        "a page that another device gave a reminder leads to no machine of the person who opens it (P-15)",
        arguments: [
            ("https://example.com/a", true), ("http://localhost:631/admin", false), ("http://0x7f.1/", false),
            ("http://[::ffff:127.0.0.1]/", false), ("file:///etc/passwd", false),
        ])
    func page(address: String, isKept: Bool) throws {
        var record = ReminderRecord(
            id: "u1", text: Array(Self.text("u1", "One").utf8),
            stamp: ReminderStamp(HybridTimestamp(milliseconds: 5000, counter: 0), "b"))
        record.link = ReminderLink(
            app: AppIdentity(bundleID: try BundleID(validating: "com.example.a"), team: .development), appName: "A",
            payload: .with { $0.description_p.webpageURL = address })
        let content = try ReminderWire.content(of: record)
        #expect(ReminderWire.received("u1", content)?.link?.page?.text == (isKept ? address : nil))
        // This device's own stays as it is.
        #expect(ReminderWire.record("u1", content) == record)
    }

    @Test("an answer far in the future silences a reminder for a day at most, one that repeats for 400 (P-15)")
    func farAnswer() throws {
        let day: UInt64 = 86_400_000
        func read(_ lines: String, answered: UInt64, handled: UInt64) throws -> ReminderRecord {
            let text =
                "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u1\r\nSUMMARY:One\r\n\(lines)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
            var record = ReminderRecord(
                id: "u1", text: Array(text.utf8),
                stamp: ReminderStamp(HybridTimestamp(milliseconds: 5000, counter: 0), "b"))
            record.answer.stamp = ReminderStamp(HybridTimestamp(milliseconds: answered, counter: 0), "b")
            record.handled = handled
            let read = try #require(ReminderWire.record("u1", try ReminderWire.content(of: record)))
            #expect(ReminderWire.record("u1", try ReminderWire.content(of: read)) == read)
            return read
        }
        // 2026-01-01T00:00:00Z
        let due: UInt64 = 1_767_225_600_000
        let answered = due - 3 * day
        // The person was ahead.
        #expect(try read("DUE:20260101T000000Z", answered: answered, handled: due).handled == due)
        #expect(try read("DUE:20260101T000000Z", answered: answered, handled: due + 300 * day).handled == due + day)
        #expect(try read("X-NOTHING:1", answered: answered, handled: due + 300 * day).handled == answered + day)
        let repeating = "DUE:20260101T000000Z\r\nRRULE:FREQ=MONTHLY"
        #expect(try read(repeating, answered: answered, handled: due + 31 * day).handled == due + 31 * day)
        #expect(try read(repeating, answered: answered, handled: due + 4000 * day).handled == due + 400 * day)
    }
}
