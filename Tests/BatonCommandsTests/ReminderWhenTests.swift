import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import BatonCommands

/// The plain forms of `reminders add --when` (P-15).
@Suite struct ReminderWhenTests {
    @Test(
        "times, by the clock of the person's zone",
        arguments: [
            ("2026-12-24 18:00", "2026-12-24T17:00:00Z"), ("2026-12-24T18:00", "2026-12-24T17:00:00Z"),
            ("2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"), ("2026-12-24", "2026-12-24T08:00:00Z"),
            ("tomorrow 9:00", "2026-11-27T08:00:00Z"), ("Tomorrow at 9:00", "2026-11-27T08:00:00Z"),
            ("tomorrow", "2026-11-27T08:00:00Z"), ("13:30", "2026-11-26T12:30:00Z"), ("11:00", "2026-11-27T10:00:00Z"),
            ("in 20 minutes", "2026-11-26T11:20:00Z"), ("in an hour", "2026-11-26T12:00:00Z"),
            ("in 2 days", "2026-11-28T11:00:00Z"), ("2026-12-24 18:00:30", "2026-12-24T17:00:30Z"),
        ])
    func times(text: String, expected: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let now = try Date("2026-11-26T11:00:00Z", strategy: .iso8601)
        #expect(ReminderWhen.date(text, now: now, zone: zone) == (try Date(expected, strategy: .iso8601)))
    }

    @Test(
        "what has none of the forms is refused",
        arguments: [
            "", " ", "soon", "25:00", "9", "tomorrow 9", "in", "in minutes", "in -5 minutes",
            "in 99999999999999999999 days",
            "2026-02-30", "2026-13-01 10:00", "9:00 tomorrow", "T", "-T-", "1969-01-01 00:00",
            "18:00:60", "18:00:5", "18:00:",
        ])
    func refused(text: String) {
        #expect(ReminderWhen.trigger(text, now: Date(timeIntervalSince1970: 1_790_000_000), zone: .gmt) == nil)
    }

    @Test("places, devices, apps and people") func events() {
        let kinds = [
            "arriving:home", "leaving: work", "connected:Car", "opened:com.example.app", "person:+49 30 1",
            "messaged:Anna", "called:Anna",
        ].map { ReminderWhen.trigger($0, now: .now, zone: .gmt)?.kind }
        #expect(
            kinds == [
                .arriving("home"), .leaving("work"), .connected("Car"), .appOpened("com.example.app"),
                .personContacted("+49 30 1"), .personMessaged("Anna"), .personCalled("Anna"),
            ])
    }

    @Test("a doubt is said beside the new reminder; the help says which devices and which folder are meant (P-15)")
    func doubted() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(RemindersMethods.addReminder) { _ in .with { $0.warning = "“home” is not known yet." } }
        #expect(await fixture.run("reminders", "add", "x", "--when", "arriving:home") == .success)
        #expect(fixture.errors.text.contains("“home” is not known yet."))
        #expect(await fixture.run("reminders", "add", "--help") == .success)
        let words = fixture.output.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Devices of your account are not meant."))
        #expect(await fixture.run("reminders", "--help") == .success)
        #expect(!fixture.output.text.contains("settings get"))
    }

    @Test("a daemon that knows no words for a time makes no reminder without one, and it is said (P-15)")
    func older() async throws {
        let fixture = CommandLineFixture()
        // It sees the trigger alone, and refuses one without a kind.
        fixture.daemon.on(RemindersMethods.addReminder) { request in
            guard request.hasTrigger else { return .with { $0.reminder.subject = request.subject } }
            guard request.trigger.kind != nil else {
                throw BatonError(.invalidArgument, reason: "invalid_trigger", "Say when you want to be reminded.")
            }
            return .with { $0.reminder.subject = request.subject }
        }
        #expect(await fixture.run("reminders", "add", "Milk", "--when", "monday 9am") == .forbiddenByState)
        #expect(fixture.errors.text.contains("older than this program"))
        #expect(await fixture.run("reminders", "add", "Milk", "--when", "2026-12-24 18:00") == .success)
    }

    @Test("a deletion says what is gone, and the command that makes it anew; an older daemon does not say it (P-15)")
    func deleted() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(RemindersMethods.answerReminder) { request in
            .with {
                guard request.reminderID != "old1" else { return }
                $0.deleted.subject = "Bob's \u{1B}[2Jcake"
                $0.deleted.recurrence = "FREQ=WEEKLY"
                $0.deleted.time = 1_798_131_600_000
            }
        }
        #expect(await fixture.run("reminders", "delete", "abcd") == .success)
        let text = fixture.output.text
        #expect(text.hasPrefix("Deleted “Bob's ") && !text.contains("\u{1B}[2J"))
        #expect(text.contains(" --every 'FREQ=WEEKLY' 'Bob'\\''s "))
        #expect(await fixture.run("reminders", "delete", "abcd", "--json") == .success)
        let json = try fixture.json(fixture.output)
        #expect(json["deleted"] as? Bool == true && (json["reminder"] as? [String: Any])?["subject"] != nil)
        #expect(await fixture.run("reminders", "delete", "old1") == .success)
        #expect(fixture.output.text.contains("Deleted."))
    }

    @Test("the command that makes a reminder anew has its event, and takes no text for an option (P-15)")
    func again() {
        let reminder = Baton_Control_V1_Reminder.with {
            $0.subject = "--this"
            $0.triggers = [.with { $0.arriving = "home" }]
        }
        #expect(
            ReminderAgain.command(reminder, zone: .gmt) == "baton reminders add --when 'arriving:home' -- '--this'")
        #expect(ReminderAgain.command(.init(), zone: .gmt) == nil)
    }

    @Test("what passed long ago stands last in “today”, and does not hide what is due and lies ahead (P-15)")
    func today() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        func reminder(
            _ name: String, _ days: Double?, _ state: Baton_Control_V1_Reminder.State
        ) -> Baton_Control_V1_Reminder {
            .with {
                $0.subject = name
                $0.state = state
                if let days { $0.time = UInt64((1_790_000_000 + days * 86_400) * 1000) }
            }
        }
        let reminders = [
            reminder("years ago", -1000, .due), reminder("open", -30, .shown), reminder("yesterday", -1, .due),
            reminder("tomorrow", 1, .scheduled), reminder("some day", nil, .scheduled),
        ]
        #expect(
            ReminderReport.today(reminders, now: now).map(\.subject)
                == ["open", "yesterday", "tomorrow", "some day", "years ago"])
    }
}
