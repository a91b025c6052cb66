import BatonConcurrency
import DesktopHelper
import Testing

/// When the helper with windows runs, and which messages it gets.
@Suite struct DesktopHelperStateMachineTests {
    private var machine = DesktopHelperStateMachine()
    private let question = DesktopQuestion(
        id: 7, app: "App", kind: .choice, title: "Share", options: [DesktopOption(id: "0", title: "Copy")])
    private let image = DesktopImage(id: 42, app: "App", path: "/app/Default.png")

    private mutating func handle(
        _ input: DesktopHelperStateMachine.Input, at seconds: Double = 0
    ) -> [DesktopHelperStateMachine.Action] {
        machine.handle(input, now: Timestamp(.seconds(seconds)))
    }

    @Test("a question starts the helper, is shown once it is ready, and its answer is passed on once (A-2)")
    mutating func answer() {
        #expect(handle(.put(question)) == [.start])
        #expect(handle(.put(question)).isEmpty)
        #expect(handle(.replied(.ready)) == [.send(.ask(question: question))])
        #expect(machine.isReady)
        let answer = DesktopAnswer.option(id: "0")
        #expect(handle(.replied(.answered(id: 7, answer: answer))) == [.answer(7, answer)])
        #expect(handle(.replied(.answered(id: 7, answer: answer))).isEmpty)
        // Its end is not sent to the helper, which took the window away.
        #expect(handle(.gone(7)).isEmpty)
    }

    @Test mutating func `a question that is over is taken away, and nothing is answered any more`() {
        _ = handle(.put(question))
        _ = handle(.replied(.ready))
        #expect(handle(.gone(7)) == [.send(.withdraw(id: 7))])
        #expect(handle(.replied(.answered(id: 7, answer: .cancelled))).isEmpty)
    }

    @Test("U-23: a launch image is shown until the app is active")
    mutating func imageUntilActive() {
        #expect(handle(.launched(image)) == [.start])
        #expect(handle(.replied(.ready)) == [.send(.showImage(image: image))])
        #expect(handle(.launchEnded(process: 42)) == [.send(.hideImage(id: 42))])
        #expect(handle(.launchEnded(process: 42)).isEmpty)
    }

    @Test("U-23: a launch image is shown for 5 s at most")
    mutating func imageForFiveSeconds() {
        _ = handle(.put(question))
        _ = handle(.replied(.ready))
        #expect(handle(.launched(image), at: 10) == [.send(.showImage(image: image))])
        #expect(machine.nextDeadline(now: Timestamp(.seconds(10))) == .seconds(15))
        #expect(machine.advance(now: Timestamp(.seconds(14.9))).isEmpty)
        #expect(machine.advance(now: Timestamp(.seconds(15))) == [.send(.hideImage(id: 42))])
        #expect(machine.advance(now: Timestamp(.seconds(15))).isEmpty)
    }

    @Test mutating func `an app that is active before the helper is ready has no picture`() {
        _ = handle(.launched(image))
        #expect(handle(.launchEnded(process: 42)).isEmpty)
        #expect(handle(.replied(.ready)).isEmpty)
    }

    @Test mutating func `only so many pictures are shown at once`() {
        _ = handle(.put(question))
        _ = handle(.replied(.ready))
        let shown = (1...40).map { handle(.launched(DesktopImage(id: $0, app: "", path: ""))).count }
        #expect(shown.reduce(0, +) == 16)
    }

    @Test
    mutating func
        `a helper that ended because it was idle is started with the next question, or with one that came meanwhile`()
    {
        _ = handle(.put(question))
        _ = handle(.replied(.ready))
        #expect(handle(.helperEnded(.finished)) == [.start])
        #expect(handle(.replied(.ready)) == [.send(.ask(question: question))])
        _ = handle(.gone(7))
        #expect(handle(.helperEnded(.finished)).isEmpty)
        #expect(handle(.put(question)) == [.start])
    }

    @Test mutating func `a helper that fails is started again for what is open, ever more rarely`() {
        #expect(handle(.put(question)) == [.start])
        var now = 0.0
        for wait in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            #expect(handle(.helperEnded(.failed("it crashed")), at: now).isEmpty)
            #expect(machine.problem == "it crashed")
            #expect(machine.nextDeadline(now: Timestamp(.seconds(now))) == .seconds(now + wait))
            // Another question does not make it sooner.
            let other = DesktopQuestion(id: UInt64(now) + 100, app: "", kind: .text, title: "")
            #expect(handle(.put(other), at: now).isEmpty)
            now += wait
            #expect(machine.advance(now: Timestamp(.seconds(now))) == [.start])
        }
        _ = handle(.replied(.ready), at: now)
        #expect(machine.problem == nil)
    }

    @Test mutating func `a helper that is not ready in time is ended`() {
        #expect(handle(.put(question)) == [.start])
        #expect(machine.advance(now: Timestamp(.seconds(20))) == [.stop])
        #expect(handle(.replied(.ready), at: 20).isEmpty)
        #expect(handle(.helperEnded(.finished), at: 20).isEmpty)
        #expect(machine.problem == "it was not ready in time")
        #expect(machine.advance(now: Timestamp(.seconds(21))) == [.start])
    }

    @Test mutating func `where it cannot be started it is tried with the next thing to show`() {
        _ = handle(.put(question))
        #expect(handle(.helperEnded(.unavailable("no display"))).isEmpty)
        #expect(machine.problem == "no display")
        #expect(machine.nextDeadline(now: Timestamp(.zero)) == nil)
        #expect(handle(.launched(image)) == [.start])
    }
}
