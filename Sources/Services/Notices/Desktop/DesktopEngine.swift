import SessionBus

/// Runs the desktop's state machine on its thread, over a connection to the bus.
final class DesktopEngine {
    /// How long leaving may take.
    static let leaveTimeout = Duration.milliseconds(500)

    private var machine: DesktopStateMachine
    private var bus: DesktopBus?
    private let address: String
    private let ledger: String
    private let trust: BusTrust
    private let tell: (NoticeDisplayEvent) -> Void
    private let epoch = ContinuousClock.now

    init(
        address: String, ledger: String, trust: @escaping BusTrust, tell: @escaping (NoticeDisplayEvent) -> Void
    ) {
        self.address = address
        self.ledger = ledger
        self.trust = trust
        self.tell = tell
        machine = DesktopStateMachine(leftover: DesktopLedger.load(ledger))
    }

    private var now: Duration { .now - epoch }

    func show(_ notice: Notice) { perform(machine.show(notice, now: now)) }
    func close(_ id: UInt64) { perform(machine.close(id)) }

    /// Until `drain` says that it is over.
    func run(_ thread: BusThread, drain: (DesktopEngine) -> Bool) {
        perform(machine.start(now: now))
        var end: Duration?
        while true {
            if !drain(self), end == nil {
                end = now + Self.leaveTimeout
                perform(machine.shutdown())
            }
            if let end, end <= now || !isBusy { break }
            turn(thread, until: end)
        }
        bus?.close()
        bus = nil
    }

    private var isBusy: Bool {
        guard let bus else { return false }
        return machine.awaitsAnswers || bus.connection.hasUnsent
    }

    private func turn(_ thread: BusThread, until end: Duration?) {
        if let bus {
            let news = bus.process()
            for event in news.events { take(event) }
            if news.isOver {
                bus.close()
                self.bus = nil
                perform(machine.disconnected(now: now))
            }
            // Something may have been decided that changes what is waited for.
            if !news.events.isEmpty || news.isOver { return }
        }
        perform(machine.advance(now: now))
        let deadline = [machine.nextDeadline, end].compactMap(\.self).min()
        thread.wait([bus?.connection].compactMap(\.self), deadline.map { $0 - now })
    }

    private func take(_ event: DesktopBus.Event) {
        switch event {
        case .ready: perform(machine.connected(now: now))
        case .capabilities(let owner, let names):
            perform(machine.serverAnswered(owner: owner, bus: bus?.identifier ?? "", names, now: now))
        case .serverFailed: perform(machine.serverFailed(now: now))
        case .notified(let call, let number): perform(machine.notified(call: call, number: number, now: now))
        case .refused(let call): perform(machine.refused(call: call))
        case .unanswered(let call): perform(machine.unanswered(call: call, now: now))
        case .ownerChanged(let owner): perform(machine.ownerChanged(owner, now: now))
        case .closed(let sender, let number): perform(machine.closedSignal(sender: sender, number: number))
        case .invoked(let sender, let number, let action):
            perform(machine.invokedSignal(sender: sender, number: number, action: action))
        }
    }

    private func perform(_ actions: [DesktopStateMachine.Action]) {
        for action in actions {
            switch action {
            case .connect:
                bus = DesktopBus(address: address, trust: trust)
                if bus == nil { perform(machine.disconnected(now: now)) }
            case .askServer(let mayStart):
                if bus?.askServer(mayStart: mayStart) != true { perform(machine.serverFailed(now: now)) }
            case .notify(let call, let notice, let replaces, let capabilities):
                let arguments = NotifyCall(notice, replaces: replaces, capabilities: capabilities)
                if bus?.notify(arguments, call: call) != true { perform(machine.refused(call: call)) }
            case .close(let number): bus?.closeNotification(number)
            case .tell(let event): tell(event)
            case .remember(let owner, let notices):
                DesktopLedger(bus: bus?.identifier ?? "", owner: owner, notices: notices).save(ledger)
            }
        }
    }
}
