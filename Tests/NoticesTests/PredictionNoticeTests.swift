import Testing

@testable import Notices

/// Notices of what the person will likely use (P-61).
@Suite struct PredictionNoticeTests {
    @Test func `Both buttons answer a prediction, once (P-61)`() throws {
        var machine = NoticeStateMachine()
        _ = machine.predicted("a", title: "Headphones connected: Tone", lines: [], now: .zero)
        var notice = try #require(machine.open.first)
        #expect(notice.kind == .prediction && notice.prediction == "a")
        #expect(
            machine.answered(notice.id, accepts: false) == [
                .close(notice.id), .answerPrediction(key: "a", accepts: false),
            ])
        #expect(machine.answered(notice.id, accepts: true).isEmpty && machine.open.isEmpty)
        _ = machine.predicted("b", title: "b", lines: [], now: .zero)
        notice = try #require(machine.open.first)
        #expect(
            machine.invoked(notice.id, now: .zero) == [.close(notice.id), .answerPrediction(key: "b", accepts: true)])
    }

    @Test func `Something to play has a button that says so (P-61)`() throws {
        var machine = NoticeStateMachine()
        let all = DesktopCapabilities(names: ["actions", "body"])
        _ = machine.predicted("a", title: "Headphones connected: Tone", lines: [], plays: true, now: .zero)
        let song = try #require(machine.open.first)
        #expect(
            NotifyCall(song, replaces: 0, capabilities: all).actions
                == ["default", "Play", "accept", "Play", "decline", "Not now"])
        _ = machine.predicted("b", title: "Headphones connected: Mail", lines: [], now: .zero)
        let app = try #require(machine.open.first)
        #expect(NotifyCall(app, replaces: 0, capabilities: all).actions.contains("Open"))
    }

    @Test func `A newer prediction takes the place of an older one; it goes with its time and with notices (P-61)`() {
        var machine = NoticeStateMachine()
        for key in ["a", "b"] { _ = machine.predicted(key, title: key, lines: [], now: .zero) }
        #expect(machine.open.map(\.prediction) == ["b"])
        #expect(machine.nextDeadline(now: .zero) == .seconds(600))
        #expect(machine.advance(now: .seconds(600)).count == 1 && machine.open.isEmpty)
        _ = machine.predicted("c", title: "c", lines: [], now: .zero)
        #expect(machine.predictionEnded("x").isEmpty && machine.predictionEnded("c").count == 1)
        _ = machine.predicted("d", title: "d", lines: [], now: .zero)
        #expect(machine.policyChanged(.off, now: .zero).count == 1)
        #expect(machine.predicted("e", title: "e", lines: [], now: .zero).isEmpty)
    }
}
