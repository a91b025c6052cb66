import BatonCore

/// The report that something has arrived.
package struct NoticeReceived: Hashable, Sendable {
    package var title: String
    package var lines: [String]
    /// The absolute path of what can be opened; nil for nothing.
    package var path: String?

    package init(title: String, lines: [String], path: String? = nil) {
        self.title = title
        self.lines = lines
        self.path = path
    }
}

/// Something that was accepted and is on its way.
struct FollowedArrival: Hashable, Sendable {
    /// Nil before there is one, and once the person has closed it.
    var notice: Notice?
    /// Nothing is shown, or shown anew, before.
    var due: Duration
}

/// A notice of an arrival, and the time at which it disappears.
struct ShownReceipt: Hashable, Sendable {
    var notice: Notice
    var end: Duration
}

/// Questions whether to take what another device sends. Their number is bounded by who asks: ``NoticeConfiguration`` has no
/// rate for them, since a sender gets no second question before the first is answered.
extension NoticeStateMachine {
    /// Notices of what has arrived that are open at once; the oldest is closed.
    private static let maximumReceived = 8
    /// Transfers whose progress is followed at once.
    private static let maximumArriving = 16

    mutating func asked(_ key: String, title: String, lines: [String]) -> [NoticeAction] {
        guard policy != .off, questions[key] == nil else { return [] }
        var notice = Notice(
            id: nextID(), kind: .question, title: NoticeText.line(title, limit: NoticeText.questionTitle),
            lines: lines.map { NoticeText.line($0, limit: NoticeText.sentence) })
        notice.question = key
        questions[key] = notice
        return [.show(notice)]
    }

    mutating func questionEnded(_ key: String, _ result: NoticeReceived?, now: Duration) -> [NoticeAction] {
        let over = [questions.removeValue(forKey: key), arriving.removeValue(forKey: key)?.notice]
        var actions: [NoticeAction] = over.compactMap { $0.map { .close($0.id) } }
        guard let result, policy != .off else { return actions }
        var notice = Notice(
            id: nextID(), kind: .received, title: NoticeText.line(result.title, limit: NoticeText.title),
            lines: result.lines.map { NoticeText.line($0, limit: NoticeText.sentence) })
        notice.path = result.path
        received.append(ShownReceipt(notice: notice, end: now + configuration.failureLifetime))
        if received.count > Self.maximumReceived { actions.append(.close(received.removeFirst().notice.id)) }
        return actions + [.show(notice)]
    }

    /// A small transfer is over before anybody has read of it. Policy: of more than `maximumArriving` none is shown.
    mutating func arriving(
        _ key: String, title: String, line: String, percent: Int?, now: Duration
    ) -> [NoticeAction] {
        guard policy != .off else { return [] }
        guard var arrival = arriving[key] else {
            guard arriving.count < Self.maximumArriving else { return [] }
            arriving[key] = FollowedArrival(due: now + configuration.arrivalInterval)
            return []
        }
        guard arrival.due <= now else { return [] }
        var notice = Notice(
            id: arrival.notice?.id ?? nextID(), kind: .receiving,
            title: NoticeText.line(title, limit: NoticeText.title),
            lines: [NoticeText.line(line, limit: NoticeText.sentence)])
        notice.percent = percent
        arrival.due = now + configuration.arrivalInterval
        guard arrival.notice.map({ !notice.saysTheSame(as: $0) }) ?? true else { return [] }
        arrival.notice = notice
        arriving[key] = arrival
        return [.show(notice)]
    }

    func arrival(_ id: UInt64, _ action: ArrivalAction) -> [NoticeAction] {
        guard let path = received.first(where: { $0.notice.id == id })?.notice.path else { return [] }
        return [.arrival(path: path, action)]
    }

    mutating func answered(_ id: UInt64, accepts: Bool) -> [NoticeAction] {
        if let key = takePrediction(id) { return [.close(id), .answerPrediction(key: key, accepts: accepts)] }
        guard let (key, _) = questions.first(where: { $0.value.id == id }) else { return [] }
        questions[key] = nil
        return [.close(id), .answer(key: key, accepts: accepts)]
    }

    /// - Returns: whether it was a question or an arrival. A closed question stays open elsewhere.
    mutating func forgetQuestion(_ id: UInt64) -> Bool {
        if let (key, _) = questions.first(where: { $0.value.id == id }) {
            questions[key] = nil
            return true
        }
        if let (key, _) = arriving.first(where: { $0.value.notice?.id == id }) {
            // Closed by the person, who wants no more of it.
            arriving[key] = FollowedArrival(due: .seconds(Int64.max))
            return true
        }
        guard let index = received.firstIndex(where: { $0.notice.id == id }) else { return false }
        received.remove(at: index)
        return true
    }

    /// Reports of arrivals are shown for a while only.
    mutating func advanceReceived(now: Duration) -> [NoticeAction] {
        let ended = received.filter { $0.end <= now }
        received.removeAll { $0.end <= now }
        return ended.map { .close($0.notice.id) }
    }

    mutating func closeQuestions() -> [NoticeAction] {
        let all =
            questions.values.map(\.id) + received.map(\.notice.id) + arriving.values.compactMap { $0.notice?.id }
        arriving = [:]
        questions = [:]
        received = []
        return all.sorted().map { .close($0) }
    }
}
