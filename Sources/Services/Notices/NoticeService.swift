import BatonConcurrency
package import BatonCore
import ServiceLifecycle
import Synchronization

/// Runs the notices' state machine: feeds it offers, continuations, people's actions and time, and passes its actions
/// on to the displays and the watchers.
///
/// Safe to use from any task. Notices keep the order of the inputs. Nothing is kept on disk except by a display itself.
package final class NoticeService: Service {
    /// An event for a watcher.
    package enum Event: Hashable, Sendable {
        case shown(Notice)
        case closed(UInt64)
    }

    /// Unread events of one watcher. Policy: beyond this its stream ends.
    package static let maximumUnread = 64
    /// Policy: more are refused.
    package static let maximumWatchers = 32

    private let driver: StateMachineDriver<NoticeStateMachine>
    private let watchers = Broadcaster<Event>(.bounded(maximumUnread))
    /// The notices known to displays and watchers, so that a new watcher hears nothing twice.
    private let shown = Mutex<[UInt64: Notice]>([:])
    private let displays: [any NoticeDisplay]
    private let recorder: any EventRecorder
    private let accept: @Sendable (NoticeOffer) throws -> Void
    private let answer: @Sendable (_ question: String, _ accepts: Bool) -> Void
    private let lead: @Sendable (_ place: String) -> Void
    private let remind: @Sendable (_ reminder: String, _ answer: ReminderNoticeAnswer) -> Void
    private let answerPrediction: @Sendable (_ key: String, _ accepts: Bool) -> Void
    private let show: @Sendable (_ path: String, _ action: ArrivalAction) async -> Void

    /// - Parameters:
    ///   - accept: accepts an offer; the person sees an error that it throws.
    ///   - answer: receives the person's answer to a question. It must not block.
    ///   - lead: receives the place that the person wants to be led to. It must not block.
    ///   - remind: receives the person's answer to a reminder. It must not block.
    ///   - answerPrediction: receives the person's answer to a prediction. It must not block.
    ///   - show: opens what has arrived, or shows it in its folder.
    ///   - now: since any fixed moment.
    package init(
        displays: [any NoticeDisplay], policy: NoticePolicy = .on, configuration: NoticeConfiguration = .init(),
        recorder: any EventRecorder, accept: @escaping @Sendable (NoticeOffer) throws -> Void,
        answer: @escaping @Sendable (_ question: String, _ accepts: Bool) -> Void = { _, _ in },
        lead: @escaping @Sendable (_ place: String) -> Void = { _ in },
        remind: @escaping @Sendable (_ reminder: String, _ answer: ReminderNoticeAnswer) -> Void = { _, _ in },
        answerPrediction: @escaping @Sendable (_ key: String, _ accepts: Bool) -> Void = { _, _ in },
        show: @escaping @Sendable (_ path: String, _ action: ArrivalAction) async -> Void = { _, _ in },
        now: (@Sendable () -> Duration)? = nil
    ) {
        driver = StateMachineDriver(
            NoticeStateMachine(policy: policy, configuration: configuration),
            clock: now.map { now in MomentClock { Timestamp(now()) } } ?? MomentClock(wall: .system))
        self.displays = displays
        self.recorder = recorder
        self.accept = accept
        self.answer = answer
        self.lead = lead
        self.remind = remind
        self.answerPrediction = answerPrediction
        self.show = show
        driver.connect { [weak self] action in self?.perform(action) }
    }

    /// Until it is cancelled or shut down gracefully; takes away what is shown then.
    package func run() async throws {
        for display in displays {
            driver.start { [self] in
                for await event in display.events { answered(event) }
            }
        }
        try await driver.run()
        watchers.finish()
        for display in displays { await display.shutdown() }
    }

    private func answered(_ event: NoticeDisplayEvent) {
        switch event {
        case .invoked(let id): input(.invoked(id))
        case .answered(let id, let accepts): input(.answered(id, accepts: accepts))
        case .arrival(let id, let action): input(.arrival(id, action))
        case .reminder(let id, let answer): input(.reminder(id, answer))
        case .closed(let id): input(.closed(id))
        }
    }

    package func input(_ input: NoticeInput) { driver.input(input) }

    // MARK: Actions

    /// No receiver blocks.
    private func perform(_ action: NoticeAction) {
        switch action {
        case .show(let notice):
            for display in displays { display.show(notice) }
            shown.withLock {
                $0[notice.id] = notice
                watchers.send(.shown(notice))
            }
        case .close(let id):
            for display in displays { display.close(id) }
            shown.withLock {
                $0[id] = nil
                watchers.send(.closed(id))
            }
        case .answer(let key, let accepts):
            answer(key, accepts)
        case .lead(let key):
            lead(key)
        case .remind(let key, let answer):
            remind(key, answer)
        case .answerPrediction(let key, let accepts):
            answerPrediction(key, accepts)
        case .arrival(let path, let action):
            driver.start { [show] in await show(path, action) }
        case .accept(let offer):
            driver.start { [self] in accepted(offer) }
        }
    }

    private func accepted(_ offer: NoticeOffer) {
        recorder.record(
            "notices", "accepted", "The person answered a notice.", ["activity_id": offer.activity.rawValue])
        do {
            try accept(offer)
        } catch {
            let message = (error as? BatonError)?.message ?? "The activity could not be continued."
            input(.acceptFailed(offer, message: message))
        }
    }

    // MARK: Watchers

    /// The notices that are open, then what happens to notices.
    /// - Throws: `resource_exhausted` for one watcher too many.
    package func watch() throws(BatonError) -> AsyncStream<Event> {
        try shown.withLock { shown throws(BatonError) in
            guard watchers.count < Self.maximumWatchers else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_watchers",
                    "\(Self.maximumWatchers) programs watch the notices already. End some.")
            }
            // Every open notice fits, whatever happens to them before the watcher reads.
            let open = shown.values.sorted { $0.id < $1.id }.suffix(Self.maximumUnread / 2)
            return watchers.subscribe(open.map { .shown($0) })
        }
    }

    /// Every open notice, the oldest first.
    package var open: [Notice] { driver.read(\.open) }
}
