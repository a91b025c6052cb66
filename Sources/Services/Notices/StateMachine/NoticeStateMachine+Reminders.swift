import BatonCore

/// Reminders that are due (P-15). Their service bounds their number, and ensures that each is shown once.
extension NoticeStateMachine {
    /// Open at once. Policy: further ones are not shown.
    private static let maximumReminders = 32

    mutating func reminded(_ key: String, title: String, lines: [String], canOpen: Bool) -> [NoticeAction] {
        guard policy != .off, reminders[key] != nil || reminders.count < Self.maximumReminders else { return [] }
        var notice = Notice(
            id: reminders[key]?.id ?? nextID(), kind: .reminder,
            title: NoticeText.line(title, limit: NoticeText.questionTitle),
            lines: lines.map { NoticeText.line($0, limit: NoticeText.sentence) })
        notice.reminder = key
        notice.canOpen = canOpen
        if let former = reminders[key], notice.saysTheSame(as: former) { return [] }
        reminders[key] = notice
        return [.show(notice)]
    }

    mutating func reminderEnded(_ key: String) -> [NoticeAction] {
        reminders.removeValue(forKey: key).map { [.close($0.id)] } ?? []
    }

    mutating func reminder(_ id: UInt64, _ answer: ReminderNoticeAnswer) -> [NoticeAction] {
        takeReminder(id).map { [.close(id), .remind(key: $0, answer)] } ?? []
    }

    /// The key of the reminder, which is open no longer.
    mutating func takeReminder(_ id: UInt64) -> String? {
        guard let key = reminders.first(where: { $0.value.id == id })?.key else { return nil }
        reminders[key] = nil
        return key
    }

    mutating func closeReminders() -> [NoticeAction] {
        defer { reminders = [:] }
        return reminders.values.map(\.id).sorted().map { .close($0) }
    }
}
