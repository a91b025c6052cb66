import BatonCore

/// The report that something has arrived.
package struct NoticeReceived: Hashable, Sendable {
    package var title: String
    package var lines: [String]

    package init(title: String, lines: [String]) {
        self.title = title
        self.lines = lines
    }
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

    mutating func asked(_ key: String, title: String, lines: [String]) -> [NoticeAction] {
        guard policy != .off, questions[key] == nil else { return [] }
        var notice = Notice(
            id: nextID(), kind: .question, title: NoticeText.line(title, limit: NoticeText.title),
            lines: lines.map { NoticeText.line($0, limit: NoticeText.sentence) })
        notice.question = key
        questions[key] = notice
        return [.show(notice)]
    }

    mutating func questionEnded(_ key: String, _ result: NoticeReceived?, now: Duration) -> [NoticeAction] {
        let question = questions.removeValue(forKey: key)
        var actions: [NoticeAction] = question.map { [.close($0.id)] } ?? []
        guard let result, policy != .off else { return actions }
        let notice = Notice(
            id: nextID(), kind: .received, title: NoticeText.line(result.title, limit: NoticeText.title),
            lines: result.lines.map { NoticeText.line($0, limit: NoticeText.sentence) })
        received.append(ShownReceipt(notice: notice, end: now + configuration.failureLifetime))
        if received.count > Self.maximumReceived { actions.append(.close(received.removeFirst().notice.id)) }
        return actions + [.show(notice)]
    }

    mutating func answered(_ id: UInt64, accepts: Bool) -> [NoticeAction] {
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
        let all = questions.values.map(\.id) + received.map(\.notice.id)
        questions = [:]
        received = []
        return all.sorted().map { .close($0) }
    }
}
