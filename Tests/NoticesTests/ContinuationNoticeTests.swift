import BatonCore
import BatonTestSupport
import Testing

@testable import Notices

struct ContinuationNoticeTests {
    private var machine = NoticeStateMachine()
    private let acceptance = Made.acceptance(1)

    private mutating func accept() { _ = machine.accepted(acceptance, Made.subject(1), now: .zero) }

    @Test("an app that shows nothing itself: the system does, until continue was answered (H-68)")
    mutating func shows() throws {
        accept()
        #expect(machine.willContinueAnswered(acceptance, showsProgress: false, now: .milliseconds(10)).isEmpty)
        #expect(machine.nextDeadline(now: .milliseconds(10)) == .milliseconds(260))
        let notice = try #require(machine.advance(now: .milliseconds(260)).shown.first)
        #expect(notice.kind == .continuing)
        #expect(notice.title == "Continuing from Desk 0 …")
        #expect(notice.lines == ["App 0: Title"])
        #expect(notice.acceptance == acceptance)
        #expect(machine.continued(acceptance) == [.close(notice.id)])
        #expect(machine.nextDeadline(now: .seconds(1)) == nil)
    }

    @Test("a continuation that is over at once flashes nothing (H-68)")
    mutating func quick() {
        accept()
        _ = machine.willContinueAnswered(acceptance, showsProgress: false, now: .milliseconds(10))
        #expect(machine.continued(acceptance).isEmpty)
        #expect(machine.advance(now: .seconds(5)).isEmpty)
    }

    @Test("an app that shows it itself: the system says nothing, however long it takes (H-68)")
    mutating func appShows() {
        accept()
        #expect(machine.willContinueAnswered(acceptance, showsProgress: true, now: .milliseconds(10)).isEmpty)
        #expect(machine.advance(now: .seconds(60)).isEmpty)
    }

    @Test("an app that is slow to start: the system shows it until the app says that it does (H-68)")
    mutating func slow() throws {
        accept()
        #expect(machine.advance(now: .milliseconds(999)).isEmpty)
        let id = try #require(machine.advance(now: .seconds(1)).shown.first).id
        #expect(machine.willContinueAnswered(acceptance, showsProgress: true, now: .seconds(2)) == [.close(id)])
        #expect(machine.failed(acceptance, message: "Gone.", now: .seconds(3)).shown.count == 1)
    }

    @Test("an app without didFail: the system tells the person the error's sentence (H-74)")
    mutating func failure() throws {
        accept()
        _ = machine.failureTold(acceptance)
        #expect(machine.failed(acceptance, message: "The other device went away.", now: .seconds(1)).isEmpty)
        let actions = machine.failureAnswered(acceptance, isShown: false, now: .seconds(1))
        let notice = try #require(actions.shown.first)
        #expect(notice.kind == .failed)
        #expect(notice.title == "Could not continue from Desk 0")
        #expect(notice.lines == ["App 0: Title", "The other device went away."])
        #expect(machine.closed(notice.id, now: .seconds(2)) == [.close(notice.id)])
        #expect(machine.nextDeadline(now: .seconds(2)) == nil)
    }

    @Test("an app with didFail tells the person itself (H-74)")
    mutating func appTells() {
        accept()
        _ = machine.willContinueAnswered(acceptance, showsProgress: false, now: .zero)
        _ = machine.advance(now: .seconds(1))
        _ = machine.failureTold(acceptance)
        _ = machine.failed(acceptance, message: "Gone.", now: .seconds(2))
        let actions = machine.failureAnswered(acceptance, isShown: true, now: .seconds(2))
        #expect(actions.shown.isEmpty)
        #expect(actions.closed.count == 1)
        #expect(machine.open.isEmpty)
    }

    @Test("the error takes the place of the notice that something comes (H-68, H-74)")
    mutating func replaces() throws {
        accept()
        let id = try #require(machine.advance(now: .seconds(1)).shown.first).id
        #expect(machine.failed(acceptance, message: "Gone.", now: .seconds(2)).shown.map(\.id) == [id])
        #expect(machine.open.map(\.kind) == [.failed])
    }

    @Test("an app that does not answer, or never attached: the system tells the person (H-74)")
    mutating func silence() {
        accept()
        _ = machine.failureTold(acceptance)
        #expect(machine.failed(acceptance, message: "Gone.", now: .seconds(1)).isEmpty)
        #expect(machine.nextDeadline(now: .seconds(1)) == .seconds(4))
        #expect(machine.advance(now: .seconds(4)).shown.map(\.kind) == [.failed])

        _ = machine.accepted(Made.acceptance(2), Made.subject(2), now: .seconds(5))
        #expect(machine.failed(Made.acceptance(2), message: "It did not start.", now: .seconds(5)).shown.count == 1)
    }

    @Test("an app that attaches after all and tells the failure itself takes the system's word away (H-74)")
    mutating func late() throws {
        accept()
        let id = try #require(machine.failed(acceptance, message: "Gone.", now: .seconds(1)).shown.first).id
        _ = machine.failureTold(acceptance)
        #expect(machine.failureAnswered(acceptance, isShown: true, now: .seconds(3)) == [.close(id)])
    }

    @Test("an offer that could not be accepted is told as a failure, and another try takes that away")
    mutating func notAccepted() throws {
        let shown = machine.acceptFailed(Made.offer(1), message: "It is gone.", now: .zero).shown
        #expect(shown.map(\.lines.last) == ["It is gone."])
        let id = try #require(shown.first).id
        #expect(machine.accepted(acceptance, Made.subject(1), now: .seconds(1)) == [.close(id)])
    }

    @Test("failures are few at a time, and none stays for ever")
    mutating func bounds() {
        var now = Duration.zero
        for number in 0..<40 {
            now = .seconds(number * 10)
            _ = machine.accepted(Made.acceptance(UInt64(number)), Made.subject(UInt64(number)), now: now)
            _ = machine.failed(Made.acceptance(UInt64(number)), message: "No.", now: now)
            #expect(machine.open.count <= 8)
        }
        #expect(machine.open.count == 8)
        while let due = machine.nextDeadline(now: now) {
            now = due
            _ = machine.advance(now: now)
        }
        #expect(machine.open.isEmpty)
        #expect(now <= .seconds(390 + 600))
    }

    @Test("a program that accepts a thousand offers in a second gets a bounded number of notices")
    mutating func flood() {
        var shown = 0
        for number in 0..<1000 {
            let now = Duration.milliseconds(number)
            let acceptance = Made.acceptance(UInt64(number))
            shown += machine.accepted(acceptance, Made.subject(UInt64(number)), now: now).shown.count
            shown += machine.failed(acceptance, message: "No.", now: now).shown.count
        }
        #expect(shown == 16)
        for number in 2000..<3000 {
            _ = machine.accepted(Made.acceptance(UInt64(number)), Made.subject(UInt64(number)), now: .seconds(5))
        }
        #expect(machine.advance(now: .seconds(7)).shown.count <= 16)
        #expect(machine.continuations.count <= 256)
    }
}
