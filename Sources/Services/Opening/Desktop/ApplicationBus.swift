import BatonConcurrency
package import BatonCore
import ServiceLifecycle
import SessionBus
import Synchronization

/// The names of installed apps on the person's session bus (`org.freedesktop.Application`): a program that calls one has the
/// app launched, or its running process gets the URL.
///
/// The bus has a thread of its own, which starts with the first app; without a bus, as on a server, the rest works.
package final class ApplicationBus: Service {
    private struct State {
        var apps: Set<BusName> = []
        /// Answers the desktop's search; nil while it has no name on the bus.
        var search: (any DesktopSearchHandler)?
        var wanted: Set<BusName> {
            guard search != nil, let name = BusName(BundleID(unchecked: DesktopSearchNames.bus)) else { return apps }
            return apps.union([name])
        }
        var answers: [(call: UInt64, answer: ApplicationBusConnection.Answer)] = []
        var isConnected = false
        /// Names that other programs have, and which process that is.
        var held: [BusName: String] = [:]
        /// A caller asked for the bus while it was away: it may be there by now.
        var mustRetry = false
    }

    private let address: String?
    private let handler: any ApplicationCallHandler
    private let recorder: any EventRecorder
    private let state = Mutex(State())
    private let heldChanged = Broadcaster<Void>(.newest)
    /// Woken when there is something in `state`.
    private let thread = BusThread("baton-app-bus")
    private let epoch = ContinuousClock.now

    /// - Parameter address: of the session bus; nil where it is not known.
    package init(address: String?, handler: any ApplicationCallHandler, recorder: any EventRecorder) {
        self.address = address
        self.handler = handler
        self.recorder = recorder
    }

    /// Why apps cannot be called over the bus; nil when they can.
    package var problem: String? {
        guard let address else {
            return "no session bus is known: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set"
        }
        if state.withLock({ $0.isConnected }) { return nil }
        if let obstacle = BusAddress.obstacle(at: address) { return obstacle }
        state.withLock { $0.mustRetry = !$0.isConnected }
        thread.wake()
        return nil
    }

    /// The apps whose names other programs have: what is sent there does not come here.
    package var held: Set<String> { Set(state.withLock { $0.held }.keys.map(\.description)) }

    /// A program may have taken names while no daemon ran. A sentence with its process; nil where there is none.
    package var takenNames: String? {
        let held = state.withLock { $0.held }.sorted { $0.key < $1.key }
        guard !held.isEmpty else { return nil }
        let names = held.prefix(4).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
        let more = held.count > 4 ? " and \(held.count - 4) more" : ""
        return "Another program has names of Baton's apps on the session bus, and gets what is sent there: "
            + "\(names)\(more). Baton has them once that program ends."
    }

    /// Announces that another program has taken the name of an app, also from another one, or has left it.
    package func heldChanges() -> AsyncStream<Void> { heldChanged.subscribe() }

    /// - Parameter holder: nil: no other program has it.
    private func note(_ name: BusName, heldBy holder: String?) {
        let isNew = state.withLock { state in
            let holder = state.wanted.contains(name) ? holder : nil
            defer { state.held[name] = holder }
            return state.held[name] != holder
        }
        guard isNew else { return }
        if let holder {
            recorder.record(
                "opening", "name_taken",
                "Another program has a name of Baton's or of an app on the session bus, and gets what is sent there.",
                ["name": name.description, "holder": holder])
        } else {
            recorder.record(
                "opening", "name_free", "A name on the session bus, which another program had, is Baton's.",
                ["name": name.description])
        }
        heldChanged.send(())
    }

    /// From now on these apps have their names, and no others.
    package func setApps(_ apps: [BundleID]) {
        guard address != nil else { return }
        let names = Set(apps.compactMap { BusName($0) })
        change { state in
            guard state.apps != names else { return false }
            state.apps = names
            return true
        }
    }

    /// From now on the desktop's search has its name, and is answered by this handler. Where no bus has the address, it has it
    /// with the first app only: nothing is tried again for it alone.
    package func setSearch(_ handler: any DesktopSearchHandler) {
        guard let address, BusAddress.obstacle(at: address) == nil else {
            return state.withLock { $0.search = handler }
        }
        change { state in
            state.search = handler
            return true
        }
    }

    private func change(_ body: @Sendable (inout State) -> Bool) {
        guard !thread.isStopping, state.withLock({ body(&$0) }) else { return }
        thread.start { [self] in loop($0) }
        thread.wake()
    }

    package func run() async throws {
        try? await gracefulShutdown()
        await thread.stop()
    }

    // MARK: The thread

    private var now: Duration { .now - epoch }

    private func loop(_ thread: BusThread) {
        var machine = ApplicationBusStateMachine()
        var connection: ApplicationBusConnection?
        while true {
            let isStopping = thread.isStopping
            let (wanted, answers, mustRetry) = state.withLock { state in
                defer { (state.answers, state.mustRetry) = ([], false) }
                return (state.wanted, state.answers, state.mustRetry)
            }
            for answer in answers { connection?.answer(answer.call, answer.answer) }
            if isStopping { break }
            if machine.wanted != wanted { perform(machine.want(wanted), &machine, &connection) }
            if mustRetry { machine.retry(now: now) }
            perform(machine.advance(now: now), &machine, &connection)
            if let open = connection {
                let (events, isOver) = open.process()
                for event in events {
                    switch event {
                    case .ready:
                        perform(machine.connected(), &machine, &connection)
                        noteConnection(true)
                    case .called(let number, let call): answer(number, call)
                    case .searched(let number, let call): answer(number, call)
                    case .held(let name, let holder): note(name, heldBy: holder)
                    case .acquired(let name): note(name, heldBy: nil)
                    }
                }
                if isOver {
                    connection?.close()
                    connection = nil
                    noteConnection(false)
                    perform(machine.disconnected(now: now), &machine, &connection)
                }
                if !events.isEmpty || isOver { continue }
            }
            thread.wait([connection?.connection].compactMap(\.self), machine.nextDeadline.map { $0 - now })
        }
        connection?.close()
        state.withLock { $0.isConnected = false }
    }

    private func perform(
        _ actions: [ApplicationBusStateMachine.Action], _ machine: inout ApplicationBusStateMachine,
        _ connection: inout ApplicationBusConnection?
    ) {
        for action in actions {
            switch action {
            case .connect:
                connection = ApplicationBusConnection(address: address ?? "")
                if connection == nil { _ = machine.disconnected(now: now) }
            case .request(let name): connection?.request(name)
            case .release(let name):
                connection?.release(name)
                note(name, heldBy: nil)
            case .disconnect:
                connection?.close()
                connection = nil
                noteConnection(false)
            }
        }
    }

    private func noteConnection(_ isConnected: Bool) {
        let (isNew, wasHeld) = state.withLock { state in
            defer {
                state.isConnected = isConnected
                state.held = [:]
            }
            return (state.isConnected != isConnected, !state.held.isEmpty)
        }
        if wasHeld { heldChanged.send(()) }
        guard isNew else { return }
        recorder.record(
            "opening", isConnected ? "bus_connected" : "bus_lost",
            isConnected ? "Apps can be called over the session bus." : "The session bus is gone.", [:])
    }

    private func answer(_ number: UInt64, _ call: ApplicationCall) {
        // The caller on the bus waits for it; calls have deadlines of their own.
        Task {
            do {
                try await handler.perform(call)
                give(.performed, to: number)
            } catch {
                give(.failed((error as? BatonError)?.message ?? "\(call.app) could not be reached."), to: number)
            }
        }
    }

    private func answer(_ number: UInt64, _ call: DesktopSearchCall) {
        guard let search = state.withLock({ $0.search }) else {
            return give(.failed("Search is not ready."), to: number)
        }
        // As above: at most as many at once as calls that are not answered.
        Task {
            do {
                give(.found(try await search.perform(call)), to: number)
            } catch {
                give(.failed((error as? BatonError)?.message ?? "Search failed."), to: number)
            }
        }
    }

    private func give(_ answer: ApplicationBusConnection.Answer, to number: UInt64) {
        state.withLock { $0.answers.append((number, answer)) }
        thread.wake()
    }
}
