package import BatonCore
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Runs the notices' state machine: takes what offers, continuations, people and time bring, and passes on what it decides
/// to the displays and to whoever watches.
///
/// Safe to use from any task. Inputs are applied one at a time under a lock, and what is shown keeps their order. Nothing
/// is kept on disk but what a display keeps itself.
package final class NoticeService: Service {
    /// What a watcher is told.
    package enum Event: Hashable, Sendable {
        case shown(Notice)
        case closed(UInt64)
    }

    /// Of one watcher; one that has not read so many is left behind. Policy: its stream ends.
    package static let maximumUnread = 64
    /// Policy: more are refused.
    package static let maximumWatchers = 32

    private struct State {
        var machine: NoticeStateMachine
        var watchers: [UInt64: AsyncStream<Event>.Continuation] = [:]
        var lastWatcher: UInt64 = 0
        var timer: (deadline: Duration, task: Scheduled<Void>)?
    }

    private let state: Mutex<State>
    private let displays: [any NoticeDisplay]
    private let recorder: any EventRecorder
    private let accept: @Sendable (ActivityID) throws -> Void
    private let now: @Sendable () -> Duration
    private let eventLoop: any EventLoop
    /// Bounded by the notices: each is accepted once.
    private let acceptances: AsyncStream<NoticeOffer>
    private let acceptanceQueue: AsyncStream<NoticeOffer>.Continuation

    /// - Parameters:
    ///   - accept: accepts an offer; what it throws is told to the person.
    ///   - now: since any fixed moment.
    package init(
        displays: [any NoticeDisplay], policy: NoticePolicy = .on, configuration: NoticeConfiguration = .init(),
        recorder: any EventRecorder, accept: @escaping @Sendable (ActivityID) throws -> Void,
        now: (@Sendable () -> Duration)? = nil
    ) {
        let epoch = ContinuousClock.now
        state = Mutex(State(machine: NoticeStateMachine(policy: policy, configuration: configuration)))
        self.displays = displays
        self.recorder = recorder
        self.accept = accept
        self.now = now ?? { .now - epoch }
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        (acceptances, acceptanceQueue) = AsyncStream.makeStream()
    }

    /// Until it is cancelled or shut down gracefully; takes away what is shown then.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                for display in displays {
                    group.addTask { [self] in
                        for await event in display.events { answered(event) }
                    }
                }
                for await offer in acceptances { accepted(offer) }
                group.cancelAll()
            }
        }
        let (timer, watchers) = state.withLock { state in
            defer {
                state.timer = nil
                state.watchers = [:]
            }
            return (state.timer, state.watchers.values)
        }
        timer?.task.cancel()
        for watcher in watchers { watcher.finish() }
        for display in displays { await display.shutdown() }
    }

    private func answered(_ event: NoticeDisplayEvent) {
        input { machine, now in
            switch event {
            case .invoked(let id): machine.invoked(id, now: now)
            case .closed(let id): machine.closed(id, now: now)
            }
        }
    }

    private func accepted(_ offer: NoticeOffer) {
        recorder.record(
            "notices", "accepted", "The person answered a notice.", ["activity_id": offer.activity.rawValue])
        do {
            try accept(offer.activity)
        } catch {
            let message = (error as? BatonError)?.message ?? "The activity could not be continued."
            input { $0.acceptFailed(offer, message: message, now: $1) }
        }
    }

    // MARK: Inputs

    /// Applies one input and sees to what follows from it.
    package func input(_ apply: (inout NoticeStateMachine, Duration) -> [NoticeAction]) {
        state.withLock { state in
            perform(apply(&state.machine, now()), &state)
            rearm(&state)
        }
    }

    /// Under the lock, which keeps the order: nobody who is told blocks or calls back.
    private func perform(_ actions: [NoticeAction], _ state: inout State) {
        for action in actions {
            switch action {
            case .show(let notice):
                for display in displays { display.show(notice) }
                tell(.shown(notice), &state)
            case .close(let id):
                for display in displays { display.close(id) }
                tell(.closed(id), &state)
            case .accept(let offer):
                acceptanceQueue.yield(offer)
            }
        }
    }

    private func rearm(_ state: inout State) {
        let now = now()
        guard let deadline = state.machine.nextDeadline(now: now) else {
            state.timer?.task.cancel()
            state.timer = nil
            return
        }
        // As HandoffService does: never a loop, and not moved for ever.
        let delay = max(deadline - now, .milliseconds(10))
        if let timer = state.timer, timer.deadline <= now + delay { return }
        state.timer?.task.cancel()
        let task = eventLoop.scheduleTask(in: TimeAmount(delay)) { [weak self] in
            guard let self else { return }
            advance()
        }
        state.timer = (now + delay, task)
    }

    private func advance() {
        state.withLock { state in
            state.timer = nil
            perform(state.machine.advance(now: now()), &state)
            rearm(&state)
        }
    }

    // MARK: Watchers

    /// The notices that are open, then what happens to notices.
    /// - Throws: `resource_exhausted` for one watcher too many.
    package func watch() throws(BatonError) -> AsyncStream<Event> {
        // Every open notice fits, whatever happens to them before the watcher reads.
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingOldest(Self.maximumUnread))
        let id = try state.withLock { state throws(BatonError) -> UInt64 in
            guard state.watchers.count < Self.maximumWatchers else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_watchers",
                    "\(Self.maximumWatchers) programs watch the notices already. End some.")
            }
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            for notice in state.machine.open.suffix(Self.maximumUnread / 2) { continuation.yield(.shown(notice)) }
            return state.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in
            // Not here: the stream may be ended under the lock.
            self?.eventLoop.execute { self?.forget(id) }
        }
        return stream
    }

    private func forget(_ watcher: UInt64) {
        state.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
    }

    private func tell(_ event: Event, _ state: inout State) {
        for (id, watcher) in state.watchers {
            if case .enqueued = watcher.yield(event) { continue }
            state.watchers[id] = nil
            watcher.finish()
        }
    }

    /// Every open notice, the oldest first.
    package var open: [Notice] { state.withLock { $0.machine.open } }
}
