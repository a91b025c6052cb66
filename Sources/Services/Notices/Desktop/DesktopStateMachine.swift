import BatonCore

/// Decides what the notification server is asked, and what its answers mean. The server, and that there is one, are not
/// relied on: it may be missing, come later, end, answer nonsense, or not at all.
///
/// A value without I/O and without a clock. ``advance(now:)`` is due at ``nextDeadline``, which is nil as long as nothing
/// but new notices could change anything: without a desktop nothing runs.
struct DesktopStateMachine: Sendable {
    enum Action: Hashable, Sendable {
        case connect
        /// For its capabilities. With `mayStart` the bus may start a server that is installed but does not run.
        case askServer(mayStart: Bool)
        /// The answer comes with the number of the call.
        case notify(call: UInt64, Notice, replaces: UInt32, DesktopCapabilities)
        case close(UInt32)
        case tell(NoticeDisplayEvent)
        case remember(owner: String, notices: [UInt32])
    }

    /// Notices that the server shows at once; more are not shown.
    static let maximumEntries = 64
    /// Closed by the server before it answered with their numbers; the oldest are forgotten.
    static let maximumEarlyCloses = 16
    static let shortestDelay = Duration.seconds(5)
    static let longestDelay = Duration.seconds(300)

    private enum Link: Sendable { case idle, connecting, open }
    private enum Server: Hashable, Sendable {
        case unknown, asking
        case present(owner: String, DesktopCapabilities)
    }

    private struct Entry: Sendable {
        var notice: Notice
        /// Not sent in its present form.
        var isDirty = true
        /// The call in progress.
        var call: UInt64?
        var number: UInt32?
        /// To be closed as soon as the server has said its number.
        var isOver = false
        var wasInvoked = false
    }

    private var entries: [UInt64: Entry] = [:]
    private var link = Link.idle
    private var server = Server.unknown
    private var lastCall: UInt64 = 0
    private var earlyCloses: [UInt32] = []
    /// No server is asked before.
    private var retryTime = Duration.zero
    private var delay = shortestDelay
    /// A new server is there, and is asked at this time.
    private var askTime: Duration?
    private var lastAsked: Duration?
    private var leftover: DesktopLedger?
    private var remembered: [UInt32] = []

    /// - Parameter leftover: the notices that a former daemon did not close.
    init(leftover: DesktopLedger? = nil) { self.leftover = leftover }

    /// Whether an answer is awaited that says which notice is to be closed.
    var awaitsAnswers: Bool { entries.values.contains { $0.call != nil } }

    // MARK: Notices to show

    mutating func start(now: Duration) -> [Action] {
        guard leftover != nil, link == .idle else { return [] }
        link = .connecting
        return [.connect]
    }

    mutating func show(_ notice: Notice, now: Duration) -> [Action] {
        guard entries[notice.id] != nil || entries.count < Self.maximumEntries else { return [] }
        entries[notice.id, default: Entry(notice: notice)].notice = notice
        entries[notice.id]?.isDirty = true
        entries[notice.id]?.isOver = false
        entries[notice.id]?.wasInvoked = false
        return pump(now: now)
    }

    mutating func close(_ id: UInt64) -> [Action] {
        guard let entry = entries[id] else { return [] }
        guard entry.call == nil else {
            entries[id]?.isOver = true
            return []
        }
        entries[id] = nil
        return (entry.number.map { [.close($0)] } ?? []) + remember()
    }

    mutating func shutdown() -> [Action] { entries.keys.sorted().flatMap { close($0) } }

    // MARK: The connection

    mutating func connected(now: Duration) -> [Action] {
        link = .open
        return ask(now: now)
    }

    /// It could not be made, or is over.
    mutating func disconnected(now: Duration) -> [Action] {
        link = .idle
        lose()
        postpone(now: now)
        return []
    }

    // MARK: The server

    mutating func serverAnswered(owner: String, bus: String, _ names: [String], now: Duration) -> [Action] {
        guard link == .open else { return [] }
        server = .present(owner: owner, DesktopCapabilities(names: names))
        delay = Self.shortestDelay
        askTime = nil
        var actions: [Action] = []
        if let leftover, leftover.owner == owner, leftover.bus == bus {
            actions = leftover.notices.map { .close($0) }
        }
        if leftover != nil { actions.append(.remember(owner: owner, notices: [])) }
        leftover = nil
        return actions + pump(now: now)
    }

    mutating func serverFailed(now: Duration) -> [Action] {
        guard link == .open, server == .asking else { return [] }
        server = .unknown
        postpone(now: now)
        return []
    }

    /// - Parameter owner: the new server's name on the bus; nil when there is none any more.
    mutating func ownerChanged(_ owner: String?, now: Duration) -> [Action] {
        if case .present(let present, _) = server, present == owner { return [] }
        guard owner != nil else {
            lose()
            // One that ends as soon as it receives something is not started without end.
            postpone(now: now)
            return []
        }
        if server == .asking {
            // It may have been started for the question; else it is asked when that has failed.
            askTime = now + Self.shortestDelay
            return []
        }
        lose()
        retryTime = now
        guard entries.values.contains(where: \.isDirty) else { return [] }
        // One that comes and goes is not asked each time.
        askTime = max(now, lastAsked.map { $0 + Self.shortestDelay } ?? now)
        return advance(now: now)
    }

    var nextDeadline: Duration? { server == .asking ? nil : askTime }

    mutating func advance(now: Duration) -> [Action] {
        guard let askTime, askTime <= now, link == .open, server == .unknown else { return [] }
        self.askTime = nil
        return entries.values.contains(where: \.isDirty) ? ask(now: now) : []
    }

    private mutating func ask(now: Duration) -> [Action] {
        server = .asking
        lastAsked = now
        return [.askServer(mayStart: entries.values.contains(where: \.isDirty))]
    }

    private mutating func postpone(now: Duration) {
        retryTime = now + delay
        delay = min(delay * 2, Self.longestDelay)
    }

    /// Nothing is shown any more, as far as can be known.
    private mutating func lose() {
        server = .unknown
        askTime = nil
        earlyCloses = []
        remembered = []
        entries = entries.filter { !$0.value.isOver }
        for id in entries.keys {
            entries[id]?.number = nil
            entries[id]?.call = nil
            entries[id]?.isDirty = true
        }
    }

    private mutating func pump(now: Duration) -> [Action] {
        let waiting = entries.filter { $0.value.isDirty && $0.value.call == nil }.keys.sorted()
        guard !waiting.isEmpty else { return [] }
        switch (link, server) {
        case (.connecting, _), (.open, .asking):
            return []
        case (.idle, _):
            guard retryTime <= now else { return [] }
            link = .connecting
            return [.connect]
        case (.open, .unknown):
            return retryTime <= now && askTime == nil ? ask(now: now) : []
        case (.open, .present(_, let capabilities)):
            return waiting.compactMap { notify($0, capabilities) }
        }
    }

    private mutating func notify(_ id: UInt64, _ capabilities: DesktopCapabilities) -> Action? {
        guard var entry = entries[id] else { return nil }
        lastCall += 1
        entry.call = lastCall
        entry.isDirty = false
        entries[id] = entry
        return .notify(call: lastCall, entry.notice, replaces: entry.number ?? 0, capabilities)
    }

    // MARK: Answers

    /// - Parameter number: the server's number of the notice.
    mutating func notified(call: UInt64, number: UInt32, now: Duration) -> [Action] {
        guard let id = entries.first(where: { $0.value.call == call })?.key, var entry = entries[id] else { return [] }
        // No server may say that; there is nothing by which the notice could be closed.
        guard number != 0 else { return refused(call: call) }
        for other in entries.keys where other != id && entries[other]?.number == number {
            // It has taken another notice's place.
            entries[other]?.number = nil
        }
        let former = entry.number
        entry.call = nil
        entry.number = number
        entries[id] = entry
        // A server that does not replace.
        var actions: [Action] = former.map { $0 != number ? [.close($0)] : [] } ?? []
        if entry.isOver {
            entries[id] = nil
            actions.append(.close(number))
        } else if let index = earlyCloses.firstIndex(of: number) {
            earlyCloses.remove(at: index)
            entries[id] = nil
            actions.append(.tell(.closed(id)))
        }
        return actions + remember() + pump(now: now)
    }

    /// The server will not show it.
    mutating func refused(call: UInt64) -> [Action] {
        guard let id = entries.first(where: { $0.value.call == call })?.key else { return [] }
        let entry = entries.removeValue(forKey: id)
        return (entry?.number.map { [.close($0)] } ?? []) + remember()
    }

    /// The server did not answer: it hangs, or is gone.
    mutating func unanswered(call: UInt64, now: Duration) -> [Action] {
        guard entries.contains(where: { $0.value.call == call }) else { return [] }
        lose()
        postpone(now: now)
        return []
    }

    // MARK: Signals

    mutating func closedSignal(sender: String, number: UInt32) -> [Action] {
        guard case .present(sender, _) = server else { return [] }
        guard let (id, entry) = entries.first(where: { $0.value.number == number }) else {
            guard awaitsAnswers else { return [] }
            earlyCloses.append(number)
            if earlyCloses.count > Self.maximumEarlyCloses { earlyCloses.removeFirst() }
            return []
        }
        if entry.call == nil {
            entries[id] = nil
        } else {
            entries[id]?.number = nil
            entries[id]?.isOver = true
        }
        return (entry.isOver ? [] : [.tell(.closed(id))]) + remember()
    }

    mutating func invokedSignal(sender: String, number: UInt32, action: String) -> [Action] {
        if let accepts = [NotifyCall.acceptAction: true, NotifyCall.declineAction: false][action] {
            return answeredSignal(sender: sender, number: number, accepts: accepts)
        }
        if let answer = reminderSignal(sender: sender, number: number, action: action) { return answer }
        if let arrival = arrivalSignal(sender: sender, number: number, action: action) { return [.tell(arrival)] }
        guard case .present(sender, _) = server,
            [NotifyCall.defaultAction, NotifyCall.continueAction].contains(action),
            let (id, entry) = entries.first(where: { $0.value.number == number }),
            entry.notice.offer != nil || entry.notice.place != nil || entry.notice.prediction != nil, !entry.wasInvoked,
            !entry.isOver
        else { return [] }
        entries[id]?.wasInvoked = true
        return [.tell(.invoked(id))]
    }

    /// The buttons of what has arrived, each of which may be pressed again.
    private func arrivalSignal(sender: String, number: UInt32, action: String) -> NoticeDisplayEvent? {
        guard case .present(sender, _) = server,
            let (id, entry) = entries.first(where: { $0.value.number == number }), entry.notice.path != nil,
            !entry.isOver
        else { return nil }
        return switch action {
        case NotifyCall.openAction: .arrival(id, .open)
        // A person who clicks on a notice to be rid of it has not asked for a stranger's file to be opened.
        case NotifyCall.defaultAction, NotifyCall.folderAction: .arrival(id, .showInFolder)
        default: nil
        }
    }

    /// The buttons of a reminder, of which one counts. Nil for another notice.
    private mutating func reminderSignal(sender: String, number: UInt32, action: String) -> [Action]? {
        guard case .present(sender, _) = server,
            let (id, entry) = entries.first(where: { $0.value.number == number }), entry.notice.reminder != nil
        else { return nil }
        let answer: ReminderNoticeAnswer? =
            switch action {
            case NotifyCall.defaultAction, NotifyCall.openAction: entry.notice.canOpen ? .open : nil
            case NotifyCall.doneAction: .done
            case NotifyCall.snoozeAction: .snooze
            default: nil
            }
        guard let answer, !entry.wasInvoked, !entry.isOver else { return [] }
        entries[id]?.wasInvoked = true
        return [.tell(.reminder(id, answer))]
    }

    private mutating func answeredSignal(sender: String, number: UInt32, accepts: Bool) -> [Action] {
        guard case .present(sender, _) = server,
            let (id, entry) = entries.first(where: { $0.value.number == number }),
            entry.notice.question != nil || entry.notice.prediction != nil, !entry.wasInvoked, !entry.isOver
        else { return [] }
        entries[id]?.wasInvoked = true
        return [.tell(.answered(id, accepts: accepts))]
    }

    private mutating func remember() -> [Action] {
        guard case .present(let owner, _) = server else { return [] }
        let notices = entries.values.compactMap(\.number).sorted()
        guard notices != remembered else { return [] }
        remembered = notices
        return [.remember(owner: owner, notices: notices)]
    }
}
