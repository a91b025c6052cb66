import BatonConcurrency
import BatonCore

/// An action of the notices' state machine. Actions are performed in order.
package enum NoticeAction: Hashable, Sendable {
    /// A new notice, or in place of the one with its identifier.
    case show(Notice)
    case close(UInt64)
    /// The person said yes.
    case accept(NoticeOffer)
    /// The person answered the question with this key.
    case answer(key: String, accepts: Bool)
    /// The person wants to be led to the place with this key.
    case lead(key: String)
    /// The person answered the reminder with this key.
    case remind(key: String, ReminderNoticeAnswer)
    /// The person answered the prediction with this key.
    case answerPrediction(key: String, accepts: Bool)
    /// The person wants to see what has arrived at this path.
    case arrival(path: String, ArrivalAction)
}

/// Decides what the system shows the person, and when a notice ends.
///
/// A value without I/O and without a clock, as ``HandoffStateMachine``: each input returns the actions to perform, and
/// ``advance(now:)`` is due at ``nextDeadline(now:)``. It does not depend on how notices are shown: there may be a
/// desktop, people who watch, both, or neither.
///
/// Invariants (simulated): at most one offer of an app and device has a notice, and it is offered; an offer that the
/// person closed or accepted is not announced again until it becomes current anew; the rates of ``NoticeConfiguration``
/// hold; a continuation leaves at most a notice of its failure.
package struct NoticeStateMachine: Sendable {
    package let configuration: NoticeConfiguration
    var policy: NoticePolicy
    var lastID: UInt64 = 0

    // MARK: Offers

    /// The newest first.
    var offers: [NoticeOffer] = []
    var slots: [NoticeSlot: NoticeSlot.State] = [:]
    var settled = SettledOffers()
    var offerBucket: TokenBucket

    // MARK: Continuations

    var continuations: [AcceptanceID: FollowedContinuation] = [:]
    var failures: [UInt64: ShownFailure] = [:]
    var continuationBucket: TokenBucket

    // MARK: Questions

    /// By their keys.
    var questions: [String: Notice] = [:]
    /// Arrivals to report, the oldest first.
    var received: [ShownReceipt] = []
    /// The calls on their way, by the keys of the questions.
    var arriving: [String: FollowedArrival] = [:]

    // MARK: Suggestions

    /// Places to be led to, the oldest first.
    var suggestions: [ShownReceipt] = []
    var areSuggestionsAllowed = true
    var prediction: ShownReceipt?

    // MARK: Reminders

    /// By their keys.
    var reminders: [String: Notice] = [:]

    package init(policy: NoticePolicy = .on, configuration: NoticeConfiguration = .init()) {
        self.configuration = configuration
        self.policy = policy
        offerBucket = TokenBucket(burst: configuration.burst, interval: configuration.refill)
        continuationBucket = TokenBucket(
            burst: configuration.continuationBurst, interval: configuration.refill)
    }

    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Every open notice, the oldest first.
    package var open: [Notice] {
        let all =
            slots.values.compactMap(\.notice) + continuations.values.compactMap(\.notice)
            + failures.values.map(\.notice) + questions.values + (received + suggestions).map(\.notice)
            + arriving.values.compactMap(\.notice) + [prediction?.notice].compactMap(\.self) + reminders.values
        return all.sorted { $0.id < $1.id }
    }

    // MARK: The person

    package mutating func policyChanged(_ policy: NoticePolicy, now: Duration) -> [NoticeAction] {
        self.policy = policy
        var actions = reconcile(now: now)
        if policy == .off {
            actions += closeContinuations() + closeQuestions() + closeSuggestions() + closePrediction()
            actions += closeReminders()
        }
        return actions
    }

    /// The button of a notice.
    package mutating func invoked(_ id: UInt64, now: Duration) -> [NoticeAction] {
        if let key = takePrediction(id) { return [.close(id), .answerPrediction(key: key, accepts: true)] }
        if let place = takeSuggestion(id)?.place { return [.close(id), .lead(key: place)] }
        guard let (slot, state) = slots.first(where: { $0.value.notice?.id == id }), let notice = state.notice,
            let shown = notice.offer
        else { return [] }
        slots[slot]?.notice = nil
        // The visible notice may lag behind; while it is there, the person means the offer in it.
        let meant = offers.first { $0.activity == shown && $0.canContinue } ?? state.wanted
        // A page of another site is another question: it is shown first.
        if let meant, meant.site != notice.site { return [.close(id)] + reconcile(now: now) }
        settle(shown)
        if let meant { settle(meant.activity) }
        return [.close(id)] + reconcile(now: now) + (meant.map { [.accept($0)] } ?? [])
    }

    /// The person closed a notice, or the desktop did: it was seen, and is not shown again.
    package mutating func closed(_ id: UInt64, now: Duration) -> [NoticeAction] {
        if let (slot, state) = slots.first(where: { $0.value.notice?.id == id }) {
            slots[slot]?.notice = nil
            if let activity = state.notice?.offer { settle(activity) }
            return [.close(id)] + reconcile(now: now)
        }
        if let key = takeReminder(id) { return [.close(id), .remind(key: key, .closed)] }
        if failures.removeValue(forKey: id) != nil || forgetQuestion(id) || takeSuggestion(id) != nil
            || takePrediction(id) != nil
        {
            return [.close(id)]
        }
        for acceptance in continuations.keys where continuations[acceptance]?.notice?.id == id {
            continuations[acceptance]?.notice = nil
            return [.close(id)]
        }
        return []
    }

    // MARK: Time

    /// When ``advance(now:)`` must be called next; nil when nothing is waited for.
    package mutating func nextDeadline(now: Duration) -> Duration? {
        let bucket = offerBucket.next(now: now) ?? .zero
        var deadlines = slots.values.filter(\.isBehind).map { max($0.due, bucket) }
        for continuation in continuations.values {
            deadlines += [continuation.due, continuation.answerDue, continuation.end].compactMap(\.self)
        }
        deadlines += failures.values.map(\.end) + (received + suggestions).map(\.end)
        if let prediction { deadlines.append(prediction.end) }
        return deadlines.min()
    }

    /// Performs everything that is due. Idempotent.
    package mutating func advance(now: Duration) -> [NoticeAction] {
        reconcile(now: now) + advanceContinuations(now: now) + advanceReceived(now: now)
            + advanceSuggestions(now: now) + advancePrediction(now: now)
    }
}
