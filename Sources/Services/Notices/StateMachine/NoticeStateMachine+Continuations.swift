import BatonConcurrency
package import BatonCore

/// A continuation that may have to be shown.
struct FollowedContinuation: Sendable {
    var subject: NoticeSubject
    /// When the system says that something comes; nil when it does not.
    var due: Duration?
    var notice: Notice?
    /// The app is hearing that it failed, and says whether it handles that.
    var isAppTold = false
    /// Why it failed, while the app's answer is awaited.
    var failure: String?
    var answerDue: Duration?
    var end: Duration
}

/// A failure that the person sees.
struct ShownFailure: Sendable {
    var notice: Notice
    var activity: ActivityID
    var end: Duration
}

/// Notices of what apps do not say themselves: H-68, H-74.
extension NoticeStateMachine {
    /// An offer was accepted, wherever.
    package mutating func accepted(
        _ acceptance: AcceptanceID, _ subject: NoticeSubject, now: Duration
    ) -> [NoticeAction] {
        settle(subject.activity)
        var actions = reconcile(now: now)
        // Another try: how the last one ended is not shown again.
        for (id, failure) in failures.sorted(by: { $0.key < $1.key }) where failure.activity == subject.activity {
            failures[id] = nil
            actions.append(.close(id))
        }
        if continuations.count >= configuration.maximumContinuations,
            let oldest = continuations.min(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) })
        {
            actions += over(oldest.key)
        }
        continuations[acceptance] = FollowedContinuation(
            subject: subject, due: now + configuration.patience, end: now + configuration.continuationLifetime)
        return actions
    }

    /// - Parameter showsProgress: the app shows it to the person itself.
    package mutating func willContinueAnswered(
        _ acceptance: AcceptanceID, showsProgress: Bool, now: Duration
    ) -> [NoticeAction] {
        guard let continuation = continuations[acceptance], continuation.failure == nil else { return [] }
        if showsProgress {
            continuations[acceptance]?.due = nil
            continuations[acceptance]?.notice = nil
            return continuation.notice.map { [.close($0.id)] } ?? []
        }
        if let due = continuation.due {
            continuations[acceptance]?.due = min(due, now + configuration.grace)
        }
        return []
    }

    /// The app has answered `continue`, or the browser has the page.
    package mutating func continued(_ acceptance: AcceptanceID) -> [NoticeAction] { over(acceptance) }

    /// The app is hearing that it failed; its answer is waited for.
    package mutating func failureTold(_ acceptance: AcceptanceID) -> [NoticeAction] {
        continuations[acceptance]?.isAppTold = true
        return []
    }

    package mutating func failed(_ acceptance: AcceptanceID, message: String, now: Duration) -> [NoticeAction] {
        guard let continuation = continuations[acceptance], continuation.failure == nil else { return [] }
        guard continuation.isAppTold else { return show(failureOf: acceptance, message, now: now) }
        continuations[acceptance]?.failure = message
        continuations[acceptance]?.answerDue = now + configuration.answerDeadline
        continuations[acceptance]?.due = nil
        return []
    }

    /// - Parameter isShown: the app hears of failures, so that showing them is its own affair.
    package mutating func failureAnswered(
        _ acceptance: AcceptanceID, isShown: Bool, now: Duration
    ) -> [NoticeAction] {
        if let failure = continuations[acceptance]?.failure {
            return isShown ? over(acceptance) : show(failureOf: acceptance, failure, now: now)
        }
        // It was still being launched when it failed, and says it now itself.
        guard isShown, let shown = failures.first(where: { $0.value.notice.acceptance == acceptance }) else {
            return []
        }
        failures[shown.key] = nil
        return [.close(shown.key)]
    }

    /// A continuation that a button promised could not even begin.
    package mutating func acceptFailed(_ offer: NoticeOffer, message: String, now: Duration) -> [NoticeAction] {
        let subject = NoticeSubject(
            activity: offer.activity, deviceName: offer.deviceName, appName: offer.appName, icon: offer.icon,
            title: offer.title)
        guard policy != .off, continuationBucket.take(now: now) else { return [] }
        return show(
            .failed(subject, message: message, acceptance: nil, id: nextID()), activity: subject.activity, now: now)
    }

    // MARK: Showing

    private mutating func over(_ acceptance: AcceptanceID) -> [NoticeAction] {
        guard let continuation = continuations.removeValue(forKey: acceptance) else { return [] }
        return continuation.notice.map { [.close($0.id)] } ?? []
    }

    private mutating func show(
        failureOf acceptance: AcceptanceID, _ message: String, now: Duration
    ) -> [NoticeAction] {
        guard let continuation = continuations.removeValue(forKey: acceptance) else { return [] }
        guard policy != .off, continuationBucket.take(now: now) else {
            return continuation.notice.map { [.close($0.id)] } ?? []
        }
        let id = continuation.notice?.id ?? nextID()
        return show(
            .failed(continuation.subject, message: message, acceptance: acceptance, id: id),
            activity: continuation.subject.activity, now: now)
    }

    private mutating func show(_ notice: Notice, activity: ActivityID, now: Duration) -> [NoticeAction] {
        var actions: [NoticeAction] = []
        if failures.count >= configuration.maximumFailures, let oldest = failures.keys.min() {
            failures[oldest] = nil
            actions.append(.close(oldest))
        }
        failures[notice.id] = ShownFailure(
            notice: notice, activity: activity, end: now + configuration.failureLifetime)
        return actions + [.show(notice)]
    }

    mutating func advanceContinuations(now: Duration) -> [NoticeAction] {
        var actions: [NoticeAction] = []
        for (acceptance, continuation) in continuations.sorted(by: { $0.key < $1.key }) {
            if let failure = continuation.failure, let due = continuation.answerDue, due <= now {
                actions += show(failureOf: acceptance, failure, now: now)
            } else if continuation.end <= now {
                actions += over(acceptance)
            } else if let due = continuation.due, due <= now {
                continuations[acceptance]?.due = nil
                guard policy != .off, continuationBucket.take(now: now) else { continue }
                let notice = Notice.continuing(continuation.subject, acceptance: acceptance, id: nextID())
                continuations[acceptance]?.notice = notice
                actions.append(.show(notice))
            }
        }
        for (id, failure) in failures.sorted(by: { $0.key < $1.key }) where failure.end <= now {
            failures[id] = nil
            actions.append(.close(id))
        }
        return actions
    }

    /// The person wants to hear of nothing any more.
    mutating func closeContinuations() -> [NoticeAction] {
        let closed = (continuations.values.compactMap(\.notice) + failures.values.map(\.notice)).map(\.id).sorted()
        for acceptance in continuations.keys {
            continuations[acceptance]?.notice = nil
            continuations[acceptance]?.due = nil
        }
        failures = [:]
        return closed.map { .close($0) }
    }
}
