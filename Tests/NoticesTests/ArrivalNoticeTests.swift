import BatonConcurrency
import BatonTestSupport
import Testing

@testable import Notices

@Suite("Notices of what arrives") struct ArrivalNoticeTests {
    private var machine = NoticeStateMachine()

    private mutating func arriving(_ line: String, percent: Int, at seconds: Int) -> [NoticeAction] {
        machine.handle(
            .arriving(key: "T", title: "Receiving film.mkv", line: line, percent: percent),
            now: Timestamp(.seconds(seconds)))
    }

    @Test("A transfer that takes a while has one notice, which changes now and then and goes with the transfer")
    mutating func progress() {
        #expect(arriving("1 MiB", percent: 1, at: 0).isEmpty)
        #expect(arriving("2 MiB", percent: 2, at: 1).isEmpty)
        let shown = arriving("3 MiB", percent: 3, at: 2).shown
        #expect(shown.map(\.percent) == [3] && shown.first?.kind == .receiving)
        #expect(arriving("4 MiB", percent: 4, at: 3).isEmpty)
        let next = arriving("5 MiB", percent: 5, at: 4).shown
        #expect(next.map(\.id) == shown.map(\.id) && next.first?.lines == ["5 MiB"])
        let end = machine.handle(.questionEnded(key: "T", received: nil), now: Timestamp(.seconds(5)))
        #expect(end.closed == shown.map(\.id) && machine.open.isEmpty)
    }

    @Test("A person who closes the notice of a transfer is not told of it again")
    mutating func dismissed() throws {
        _ = arriving("1 MiB", percent: 1, at: 0)
        let id = try #require(arriving("2 MiB", percent: 2, at: 2).shown.first?.id)
        _ = machine.handle(.closed(id), now: Timestamp(.seconds(3)))
        for second in 4..<100 { #expect(arriving("\(second) MiB", percent: second, at: second).isEmpty) }
    }

    @Test("What has arrived can be opened and shown in its folder, by its notice alone")
    mutating func buttons() throws {
        let received = NoticeReceived(title: "Received a.txt", lines: ["From a stranger."], path: "/downloads/a.txt")
        let shown = machine.handle(.questionEnded(key: "T", received: received), now: Timestamp(.zero)).shown
        let notice = try #require(shown.first)
        #expect(
            machine.handle(.arrival(notice.id, .open), now: Timestamp(.zero)) == [
                .arrival(path: "/downloads/a.txt", .open)
            ])
        #expect(machine.handle(.arrival(notice.id + 1, .open), now: Timestamp(.zero)).isEmpty)

        let call = NotifyCall(notice, replaces: 0, capabilities: DesktopCapabilities(names: ["actions", "body"]))
        #expect(call.actions == ["default", "Show in folder", "open", "Open", "folder", "Show in folder"])
        var desktop = DesktopStateMachine()
        _ = desktop.show(notice, now: .zero)
        _ = desktop.connected(now: .zero)
        _ = desktop.serverAnswered(owner: ":1.5", bus: "bus", ["actions", "body"], now: .zero)
        _ = desktop.notified(call: 1, number: 9, now: .zero)
        for (action, expected) in [("open", ArrivalAction.open), ("folder", .showInFolder), ("default", .showInFolder)]
        {
            #expect(
                desktop.invokedSignal(sender: ":1.5", number: 9, action: action)
                    == [.tell(.arrival(notice.id, expected))])
        }
        #expect(desktop.invokedSignal(sender: ":1.6", number: 9, action: "open").isEmpty)
        #expect(desktop.invokedSignal(sender: ":1.5", number: 9, action: "accept").isEmpty)
    }
}
