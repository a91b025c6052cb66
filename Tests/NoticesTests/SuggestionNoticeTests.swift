import Testing

@testable import Notices

/// Notices of places that the person looked at.
@Suite struct SuggestionNoticeTests {
    private func shown(_ actions: [NoticeAction]) -> [Notice] {
        actions.compactMap { if case .show(let notice) = $0 { notice } else { nil } }
    }

    @Test func `The button of a place's notice leads there, once`() throws {
        var machine = NoticeStateMachine()
        let actions = machine.suggested("7", title: "Get directions to X", lines: ["You saw it in A."], now: .zero)
        let notice = try #require(shown(actions).first)
        #expect(notice.kind == .suggestion && notice.title == "Get directions to X" && notice.place == "7")
        #expect(machine.invoked(notice.id, now: .zero) == [.close(notice.id), .lead(key: "7")])
        #expect(machine.invoked(notice.id, now: .zero).isEmpty)
        #expect(machine.open.isEmpty)
    }

    @Test func `At most two places are told of, each once, and for ten minutes`() {
        var machine = NoticeStateMachine()
        for key in ["1", "1", "2", "3"] { _ = machine.suggested(key, title: key, lines: [], now: .zero) }
        #expect(machine.open.map(\.place) == ["2", "3"])
        #expect(machine.nextDeadline(now: .zero) == .seconds(600))
        #expect(machine.advance(now: .seconds(600)).count == 2)
        #expect(machine.open.isEmpty)
    }

    @Test func `A person who wants no such notices gets none, and those that are open close`() {
        var machine = NoticeStateMachine()
        _ = machine.suggested("1", title: "1", lines: [], now: .zero)
        #expect(machine.suggestionsAllowed(false).count == 1)
        #expect(machine.suggested("2", title: "2", lines: [], now: .zero).isEmpty)
        _ = machine.suggestionsAllowed(true)
        _ = machine.policyChanged(.off, now: .zero)
        #expect(machine.suggested("3", title: "3", lines: [], now: .zero).isEmpty)
    }
}
