import BatonConcurrency
package import BatonCore
import CSystemd
import Foundation
import ServiceLifecycle
import Synchronization

/// The names of installed apps on the person's session bus (`org.freedesktop.Application`): whoever calls one has the
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
        var hasThread = false
        var isStopping = false
        var hasEnded = false
        var isConnected = false
        /// Somebody asked for the bus while it was away: it may be there by now.
        var mustRetry = false
        var onEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let address: String?
    private let handler: any ApplicationCallHandler
    private let recorder: any EventRecorder
    private let state = Mutex(State())
    /// An eventfd; readable when there is something in `state`. Closed by the thread at its end, under the lock.
    private let wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private let epoch = ContinuousClock.now

    /// - Parameter address: of the session bus; nil where nobody says.
    package init(address: String?, handler: any ApplicationCallHandler, recorder: any EventRecorder) {
        self.address = address
        self.handler = handler
        self.recorder = recorder
    }

    deinit {
        // Without a thread, which keeps the object alive, nobody else closes it.
        if !state.withLock({ $0.hasEnded }) { Glibc.close(wakeup) }
    }

    /// Why apps cannot be called over the bus; nil when they can.
    package var problem: String? {
        guard let address else {
            return "no session bus is known: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set"
        }
        if state.withLock({ $0.isConnected }) { return nil }
        if let obstacle = SessionBusProbe.obstacle(at: address) { return obstacle }
        state.withLock { state in
            guard state.hasThread, !state.hasEnded, !state.isConnected else { return }
            state.mustRetry = true
            signal()
        }
        return nil
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

    /// From now on the desktop's search has its name, and is answered by this handler. Where nobody listens at the address, it has it
    /// with the first app only: nothing is tried again for it alone.
    package func setSearch(_ handler: any DesktopSearchHandler) {
        guard let address, SessionBusProbe.obstacle(at: address) == nil else {
            return state.withLock { $0.search = handler }
        }
        change { state in
            state.search = handler
            return true
        }
    }

    private func change(_ body: @Sendable (inout State) -> Bool) {
        let mustStart = state.withLock { state in
            guard !state.isStopping, body(&state) else { return false }
            if !state.hasEnded { signal() }
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if mustStart { startThread() }
    }

    package func run() async throws {
        try? await gracefulShutdown()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                state.isStopping = true
                guard state.hasThread, !state.hasEnded else { return true }
                state.onEnd.append(continuation)
                signal()
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Only under the lock, so that the descriptor is still open.
    private func signal() { _ = eventfd_write(wakeup, 1) }

    // MARK: The thread

    private func startThread() {
        let thread = Thread { [self] in loop() }
        thread.name = "baton-app-bus"
        thread.stackSize = 512 * 1024
        thread.start()
    }

    private var now: Duration { .now - epoch }

    private func loop() {
        var machine = ApplicationBusStateMachine()
        var connection: ApplicationBusConnection?
        while true {
            let (wanted, answers, isStopping, mustRetry) = state.withLock { state in
                defer { (state.answers, state.mustRetry) = ([], false) }
                return (state.wanted, state.answers, state.isStopping, state.mustRetry)
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
            wait(connection, until: machine.nextDeadline)
        }
        connection?.close()
        let waiting = state.withLock { state in
            state.hasEnded = true
            state.isConnected = false
            Glibc.close(wakeup)
            defer { state.onEnd = [] }
            return state.onEnd
        }
        for continuation in waiting { continuation.resume() }
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
            case .release(let name): connection?.release(name)
            case .disconnect:
                connection?.close()
                connection = nil
                noteConnection(false)
            }
        }
    }

    private func wait(_ connection: ApplicationBusConnection?, until deadline: Duration?) {
        var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
        if let connection { descriptors.append(connection.pollDescriptor) }
        let wait = [deadline.map { $0 - now }, connection?.timeout].compactMap(\.self).min()
        // Rounded up: rather late by a millisecond than awake twice.
        let milliseconds = wait.map { Int32(max(0, min($0 / .milliseconds(1) + 1, 3_600_000))) } ?? -1
        _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        var value: eventfd_t = 0
        if descriptors[0].revents != 0 { _ = eventfd_read(wakeup, &value) }
    }

    private func noteConnection(_ isConnected: Bool) {
        let isNew = state.withLock { state in
            defer { state.isConnected = isConnected }
            return state.isConnected != isConnected
        }
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
        state.withLock { state in
            state.answers.append((number, answer))
            if !state.hasEnded { signal() }
        }
    }
}
