import BatonConcurrency
import BatonCore
import BatonTransport
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@Suite("Deadlines of calls", .timeLimit(.minutes(1)))
struct DeadlineTests {
    private static let error = BatonError(.deadlineExceeded, reason: "deadline_exceeded", "Too late.")

    @Test("what is taken back never runs and leaves nothing behind; the rest runs in order, each at its time")
    func order() {
        let loop = EmbeddedEventLoop()
        let timer = DeadlineTimer(eventLoop: loop)
        let start = NIODeadline.now()
        let ran = Mutex<[String]>([])
        // The embedded loop's time is its own: it is set to the clock's, which the timer reads.
        loop.advanceTime(to: start)
        let far = timer.schedule(after: .seconds(3600)) { ran.withLock { $0.append("far") } }
        _ = timer.schedule(after: .milliseconds(1)) { ran.withLock { $0.append("near") } }
        let never = timer.schedule(after: .zero) { ran.withLock { $0.append("never") } }
        #expect(timer.cancel(never))
        #expect(timer.count == 2)
        while ran.withLock({ $0.isEmpty }) { loop.advanceTime(to: .now()) }
        #expect(ran.withLock { $0 } == ["near"])
        #expect(timer.count == 1)
        #expect(timer.cancel(far))
        #expect(!timer.cancel(far))
        #expect(timer.count == 0)
    }

    @Test("an operation that is in time gives its value, and its timer is gone")
    func inTime() async throws {
        let timer = DeadlineTimer.shared
        #expect(try await withDeadline(.seconds(3600), timer: timer, error: Self.error) { 7 } == 7)
        await #expect(throws: CancellationError.self) {
            try await withDeadline(.seconds(3600), timer: timer, error: Self.error) { throw CancellationError() }
        }
    }

    @Test("an operation that is late is cancelled, and the error says so")
    func late() async throws {
        let error = await #expect(throws: BatonError.self) {
            try await withDeadline(.milliseconds(1), error: Self.error) {
                try await ContinuousClock().sleep(for: .seconds(3600))
            }
        }
        #expect(error?.reason == "deadline_exceeded")
    }

    @Test("who cancels the call cancels the operation, and gets its error")
    func cancelled() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await withDeadline(.seconds(3600), error: Self.error) {
                beginning.finish()
                try await ContinuousClock().sleep(for: .seconds(3600))
            }
        }
        for await _ in begun {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
