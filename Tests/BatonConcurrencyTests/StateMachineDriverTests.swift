import BatonConcurrency
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@Suite("Driver of state machines", .timeLimit(.minutes(1)))
struct StateMachineDriverTests {
    private struct Refused: Error {}

    /// Says each number once more, halved, until it is 0; refuses odd ones that come from outside.
    private struct Counter: StateMachine {
        enum Input: Sendable {
            case number(Int)
            case wait(Duration)
        }

        var handled: [Int] = []
        var deadline: Duration?

        mutating func handle(_ input: Input, now: Timestamp) throws(Refused) -> [Int] {
            switch input {
            case .number(let number):
                guard number >= 0 else { throw Refused() }
                handled.append(number)
                return [number, -number]
            case .wait(let duration):
                deadline = now.monotonic + duration
                return []
            }
        }

        func nextDeadline(now: Timestamp) -> Duration? { deadline }

        mutating func advance(now: Timestamp) -> [Int] {
            guard let due = deadline, due <= now.monotonic else { return [] }
            deadline = nil
            return [1000]
        }
    }

    private func driver() -> StateMachineDriver<Counter> {
        StateMachineDriver(Counter(), clock: MomentClock { Timestamp(.zero) })
    }

    @Test("what an action causes is performed after the actions that were decided before it, never inside of it")
    func reentrance() throws {
        let driver = driver()
        let performed = Mutex<[Int]>([])
        driver.connect { [unowned driver] action in
            performed.withLock { $0.append(action) }
            if action > 1 { try? driver.input(.number(action / 2)) }
        }
        try driver.input(.number(4))
        #expect(performed.withLock { $0 } == [4, -4, 2, -2, 1, -1])
        #expect(driver.read(\.handled) == [4, 2, 1])
    }

    @Test("a refused input is told to whoever gave it and causes nothing; what waits for a performer is not lost")
    func refusal() throws {
        let driver = driver()
        try driver.input(.number(7))
        #expect(throws: Refused.self) { try driver.input(.number(-1)) }
        let performed = Mutex<[Int]>([])
        driver.connect { action in performed.withLock { $0.append(action) } }
        #expect(performed.withLock { $0 } == [7, -7])
    }

    @Test("inputs of many threads are performed in the order in which the machine had them, one at a time")
    func order() async {
        let driver = driver()
        let performed = Mutex<[Int]>([])
        let isBusy = Mutex(false)
        driver.connect { action in
            let wasBusy = isBusy.withLock { busy in
                defer { busy = true }
                return busy
            }
            #expect(!wasBusy)
            performed.withLock { $0.append(action) }
            isBusy.withLock { $0 = false }
        }
        await withDiscardingTaskGroup { group in
            for number in 1...500 { group.addTask { try? driver.input(.number(number)) } }
        }
        let handled = driver.read(\.handled)
        #expect(Set(handled) == Set(1...500))
        #expect(performed.withLock { $0 } == handled.flatMap { [$0, -$0] })
    }

    @Test("what is due is decided when its time has come, without another input")
    func time() throws {
        let loop = EmbeddedEventLoop()
        let now = Mutex(Duration.zero)
        let driver = StateMachineDriver(
            Counter(), clock: MomentClock { Timestamp(now.withLock { $0 }) }, deadlines: DeadlineTimer(eventLoop: loop))
        let performed = Mutex<[Int]>([])
        driver.connect { action in performed.withLock { $0.append(action) } }
        loop.advanceTime(to: .now())
        try driver.input(.wait(.milliseconds(20)))
        #expect(performed.withLock { $0.isEmpty })
        now.withLock { $0 = .milliseconds(20) }
        while performed.withLock({ $0.isEmpty }) { loop.advanceTime(to: .now()) }
        #expect(performed.withLock { $0 } == [1000])
    }

    @Test("work that an action starts is done while the driver runs, and cancelled with it")
    func work() async throws {
        let driver = driver()
        let (begun, ended) = (OneShot(), OneShot())
        driver.connect { [unowned driver] _ in
            driver.start {
                begun.fire()
                await OneShot().wait()
                ended.fire()
            }
        }
        let running = Task { try await driver.run() }
        try driver.input(.number(1))
        await begun.wait()
        running.cancel()
        try await running.value
        await ended.wait()
    }
}
