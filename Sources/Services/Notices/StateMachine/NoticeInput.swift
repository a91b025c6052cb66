package import BatonConcurrency
package import BatonCore

/// An input from offers, continuations or people.
package enum NoticeInput: Hashable, Sendable {
    case policyChanged(NoticePolicy)
    /// All that can be continued here, the newest first.
    case offersChanged([NoticeOffer])
    case accepted(AcceptanceID, NoticeSubject)
    case willContinueAnswered(AcceptanceID, showsProgress: Bool)
    case continued(AcceptanceID)
    case failureTold(AcceptanceID)
    case failureAnswered(AcceptanceID, isShown: Bool)
    case failed(AcceptanceID, message: String)
    /// The offer of a notice could not be accepted.
    case acceptFailed(NoticeOffer, message: String)
    /// Another device wants to send something. The key names the question.
    case asked(key: String, title: String, lines: [String])
    /// The question is over; `received` is the arrival to report, nil for none.
    case questionEnded(key: String, received: NoticeReceived?)
    /// A place to be led to. The key names it.
    case suggested(key: String, title: String, lines: [String])
    /// The person's likely next step, after something happened. The key names it.
    case predicted(key: String, title: String, lines: [String], plays: Bool)
    /// The prediction is over.
    case predictionEnded(key: String)
    /// Something that a person must know, and that nothing answers. The key names it.
    case told(key: String, title: String, lines: [String])
    /// The setting `suggestions.notices`.
    case suggestionsAllowed(Bool)
    /// A reminder is due, or what it says changed. The key names it.
    case reminded(key: String, title: String, lines: [String], canOpen: Bool)
    /// It was answered, perhaps elsewhere.
    case reminderEnded(key: String)
    /// A button of a reminder.
    case reminder(UInt64, ReminderNoticeAnswer)
    /// How far what was accepted has come. The key is the question's.
    case arriving(key: String, title: String, line: String, percent: Int?)
    /// The button of a notice.
    case invoked(UInt64)
    /// A button of an arrival.
    case arrival(UInt64, ArrivalAction)
    /// A button of a question.
    case answered(UInt64, accepts: Bool)
    case closed(UInt64)
}

extension NoticeStateMachine: StateMachine {
    package mutating func handle(_ input: NoticeInput, now moment: Timestamp) -> [NoticeAction] {
        let now = moment.monotonic
        return switch input {
        case .policyChanged(let policy): policyChanged(policy, now: now)
        case .offersChanged(let offers): offersChanged(offers, now: now)
        case .accepted(let acceptance, let subject): accepted(acceptance, subject, now: now)
        case .willContinueAnswered(let acceptance, let showsProgress):
            willContinueAnswered(acceptance, showsProgress: showsProgress, now: now)
        case .continued(let acceptance): continued(acceptance)
        case .failureTold(let acceptance): failureTold(acceptance)
        case .failureAnswered(let acceptance, let isShown): failureAnswered(acceptance, isShown: isShown, now: now)
        case .failed(let acceptance, let message): failed(acceptance, message: message, now: now)
        case .acceptFailed(let offer, let message): acceptFailed(offer, message: message, now: now)
        case .asked(let key, let title, let lines): asked(key, title: title, lines: lines)
        case .questionEnded(let key, let received): questionEnded(key, received, now: now)
        case .suggested(let key, let title, let lines): suggested(key, title: title, lines: lines, now: now)
        case .told(let key, let title, let lines): told(key, title: title, lines: lines)
        case .suggestionsAllowed(let isAllowed): suggestionsAllowed(isAllowed)
        case .reminded(let key, let title, let lines, let canOpen):
            reminded(key, title: title, lines: lines, canOpen: canOpen)
        case .reminderEnded(let key): reminderEnded(key)
        case .reminder(let id, let answer): reminder(id, answer)
        case .predicted(let key, let title, let lines, let plays):
            predicted(key, title: title, lines: lines, plays: plays, now: now)
        case .predictionEnded(let key): predictionEnded(key)
        case .arriving(let key, let title, let line, let percent):
            arriving(key, title: title, line: line, percent: percent, now: now)
        case .arrival(let id, let action): arrival(id, action)
        case .answered(let id, let accepts): answered(id, accepts: accepts)
        case .invoked(let id): invoked(id, now: now)
        case .closed(let id): closed(id, now: now)
        }
    }

    package mutating func nextDeadline(now: Timestamp) -> Duration? { nextDeadline(now: now.monotonic) }

    package mutating func advance(now: Timestamp) -> [NoticeAction] { advance(now: now.monotonic) }
}
