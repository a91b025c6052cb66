package import BatonConcurrency
package import BatonCore
package import BatonWire
import SwiftProtobuf
import Synchronization

/// Puts the questions of apps without a terminal to the person: to those that watch, such as the command line, and while
/// none does, to the desktop.
package final class QuestionService: Sendable {
    package enum Event: Sendable {
        case put(OpenQuestion)
        case gone(UInt64)
    }

    /// Policy: more are refused, and one that has not read so many events is left behind.
    private static let maximumWatchers = 32
    private static let maximumUnread = 256
    /// An app that asks and withdraws without end takes the desktop from the person, and the memory of everything that has its
    /// questions on the way. Policy: it asks so many at once, then one in a second.
    private static let (burst, interval) = (30, Duration.seconds(1))
    private static let maximumApps = 256

    private struct State {
        var board = QuestionBoard()
        var rate = TokenBuckets<BundleID>(maximum: QuestionService.maximumApps)
        var waiting: [UInt64: AsyncStream<QuestionAnswer>.Continuation] = [:]
        /// How many watch.
        var watching = 0
    }

    private let state = Mutex(State())
    private let watchers = Broadcaster<Event>(.bounded(maximumUnread))
    /// Each question is put to it as often as the last watcher leaves, and only so many wait.
    private let desktop = Broadcaster<Event>(.unbounded)
    private let clock: MomentClock

    package init(clock: MomentClock = MomentClock(wall: .system)) { self.clock = clock }

    /// Puts a question. The stream gives the answer and ends; to drop it withdraws the question.
    /// - Parameter isPermission: the daemon asks whether the app may do something.
    /// - Throws: what ``QuestionBoard/add(_:from:named:isPermission:)`` throws.
    package func ask(
        _ question: Baton_App_V1_Question, from app: BundleID, named name: String, isPermission: Bool = false
    ) throws(BatonError) -> AsyncStream<QuestionAnswer> {
        let (answers, continuation) = AsyncStream.makeStream(
            of: QuestionAnswer.self, bufferingPolicy: .bufferingOldest(1))
        let now = clock.now.monotonic
        let put = try state.withLock { state throws(BatonError) in
            guard state.rate.take(app, burst: Self.burst, interval: Self.interval, now: now) else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_questions",
                    "\(app) asks too often. It may ask one question in a second.")
            }
            let put = try state.board.add(question, from: app, named: name, isPermission: isPermission)
            state.waiting[put.id] = continuation
            watchers.send(.put(put))
            if state.watching == 0 { desktop.send(.put(put)) }
            return put
        }
        continuation.onTermination = { [weak self] _ in self?.withdraw(put.id) }
        return answers
    }

    private func withdraw(_ id: UInt64) {
        state.withLock { state in
            state.waiting[id] = nil
            if state.board.withdraw(id) != nil { tell(.gone(id)) }
        }
    }

    private func tell(_ event: Event) {
        watchers.send(event)
        desktop.send(event)
    }

    /// - Throws: what ``QuestionBoard/answer(_:_:)`` throws.
    package func answer(_ id: UInt64, _ answer: QuestionAnswer) throws(BatonError) {
        let waiting = try state.withLock { state throws(BatonError) in
            _ = try state.board.answer(id, answer)
            tell(.gone(id))
            return state.waiting.removeValue(forKey: id)
        }
        waiting?.yield(answer)
        waiting?.finish()
    }

    /// The questions that wait, and the outcomes of questions from now on. The caller calls ``stopWatching()`` when it
    /// watches no more.
    /// - Throws: `resource_exhausted` for one watcher too many.
    package func watch() throws(BatonError) -> (open: [OpenQuestion], events: AsyncStream<Event>) {
        try state.withLock { state throws(BatonError) in
            guard state.watching < Self.maximumWatchers else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_watchers",
                    "\(Self.maximumWatchers) programs watch the questions already. End some.")
            }
            state.watching += 1
            return (state.board.open, watchers.subscribe())
        }
    }

    /// The last one that leaves leaves its questions to the desktop.
    package func stopWatching() {
        state.withLock { state in
            state.watching -= 1
            guard state.watching == 0 else { return }
            for question in state.board.open { desktop.send(.put(question)) }
        }
    }

    /// The questions without a watcher, some of them more than once, and those that are gone, from now on.
    package func unwatched() -> AsyncStream<Event> { desktop.subscribe() }
}
