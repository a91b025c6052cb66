import Testing

@testable import Notices

/// Notices of reminders (P-15).
@Suite struct ReminderNoticeTests {
    private func shown(_ actions: [NoticeAction]) -> [Notice] {
        actions.compactMap { if case .show(let notice) = $0 { notice } else { nil } }
    }

    @Test func `A reminder's buttons answer it, once (P-15)`() throws {
        for answer in [ReminderNoticeAnswer.open, .done, .snooze] {
            var machine = NoticeStateMachine()
            let actions = machine.reminded("r", title: "Call", lines: ["Due now."], canOpen: true)
            let notice = try #require(shown(actions).first)
            #expect(notice.kind == .reminder && notice.title == "Call" && notice.reminder == "r")
            #expect(machine.reminder(notice.id, answer) == [.close(notice.id), .remind(key: "r", answer)])
            #expect(machine.reminder(notice.id, answer).isEmpty && machine.open.isEmpty)
        }
    }

    @Test func `A changed reminder keeps its notice, and one that was answered elsewhere loses it (P-15)`() throws {
        var machine = NoticeStateMachine()
        let first = try #require(shown(machine.reminded("r", title: "Call", lines: [], canOpen: false)).first)
        #expect(machine.reminded("r", title: "Call", lines: [], canOpen: false).isEmpty)
        #expect(shown(machine.reminded("r", title: "Write", lines: [], canOpen: false)).map(\.id) == [first.id])
        #expect(machine.reminderEnded("r") == [.close(first.id)])
        #expect(machine.reminderEnded("r").isEmpty)
    }

    @Test func `Closing a reminder is told, and at most 32 are open`() throws {
        var machine = NoticeStateMachine()
        for number in 0..<40 { _ = machine.reminded("\(number)", title: "Call", lines: [], canOpen: false) }
        #expect(machine.open.count == 32)
        let notice = try #require(machine.open.first)
        #expect(machine.closed(notice.id, now: .zero) == [.close(notice.id), .remind(key: "0", .closed)])
        #expect(machine.policyChanged(.off, now: .zero).count == 31)
        #expect(machine.reminded("x", title: "Call", lines: [], canOpen: false).isEmpty)
    }

    @Test func `The desktop shows Open only where there is something to open`() {
        var notice = Notice(id: 1, kind: .reminder, title: "Call", lines: [])
        notice.reminder = "r"
        let capabilities = DesktopCapabilities(names: ["actions", "body"])
        #expect(
            NotifyCall(notice, replaces: 0, capabilities: capabilities).actions == ["done", "Done", "snooze", "Snooze"])
        notice.canOpen = true
        #expect(NotifyCall(notice, replaces: 0, capabilities: capabilities).actions.contains("Open"))
    }
}
