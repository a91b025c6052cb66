import BatonCore

/// Places that the person looked at, to be led to (P-25, P-47). Their service ensures that one place has one notice in
/// an hour.
extension NoticeStateMachine {
    /// Open at once; the oldest is closed.
    private static let maximumSuggestions = 2

    mutating func suggested(_ key: String, title: String, lines: [String], now: Duration) -> [NoticeAction] {
        guard policy != .off, areSuggestionsAllowed else { return [] }
        var notice = Notice(
            id: nextID(), kind: .suggestion, title: NoticeText.line(title, limit: NoticeText.sentence),
            lines: lines.map { NoticeText.line($0, limit: NoticeText.sentence) })
        notice.place = key
        var actions: [NoticeAction] = []
        if let old = suggestions.firstIndex(where: { $0.notice.place == key }) {
            actions.append(.close(suggestions.remove(at: old).notice.id))
        }
        suggestions.append(ShownReceipt(notice: notice, end: now + configuration.failureLifetime))
        if suggestions.count > Self.maximumSuggestions { actions.append(.close(suggestions.removeFirst().notice.id)) }
        return actions + [.show(notice)]
    }

    mutating func suggestionsAllowed(_ isAllowed: Bool) -> [NoticeAction] {
        areSuggestionsAllowed = isAllowed
        return isAllowed ? [] : closeSuggestions()
    }

    /// The notice, which is open no longer.
    mutating func takeSuggestion(_ id: UInt64) -> Notice? {
        guard let index = suggestions.firstIndex(where: { $0.notice.id == id }) else { return nil }
        return suggestions.remove(at: index).notice
    }

    mutating func advanceSuggestions(now: Duration) -> [NoticeAction] {
        let ended = suggestions.filter { $0.end <= now }
        suggestions.removeAll { $0.end <= now }
        return ended.map { .close($0.notice.id) }
    }

    mutating func closeSuggestions() -> [NoticeAction] {
        defer { suggestions = [] }
        return suggestions.map { .close($0.notice.id) }
    }

    /// Shown as a failure, until the person closes it; the sender sees to it that it does not come often.
    mutating func told(_ key: String, title: String, lines: [String]) -> [NoticeAction] {
        guard policy != .off else { return [] }
        let notice = Notice(
            id: nextID(), kind: .failed, title: NoticeText.line(title, limit: NoticeText.sentence),
            lines: lines.map { NoticeText.line($0, limit: NoticeText.sentence) })
        return [.show(notice)]
    }
}
