import BatonConcurrency
import CSystemd
import Foundation
import ServiceLifecycle
import Synchronization

/// Follows the services of the system's bus on a thread, for as long as the daemon runs.
final class ContextBus: Service {
    /// After a bus was not there, or went away.
    private static let pause = Duration.seconds(30)
    /// What has changed is asked for at most so often.
    private static let patience = Duration.milliseconds(100)

    private let address: String
    private let user: UInt32
    private let tell: @Sendable (ContextObservation) -> Void
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var allowsLocation = false
        var wakeup: Int32?
    }

    init(address: String, user: UInt32 = getuid(), tell: @escaping @Sendable (ContextObservation) -> Void) {
        self.address = address
        self.user = user
        self.tell = tell
    }

    func allowLocation(_ allowed: Bool) {
        state.withLock { state in
            state.allowsLocation = allowed
            if let wakeup = state.wakeup { eventfd_write(wakeup, 1) }
        }
    }

    func run() async throws {
        let wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeup >= 0 else { return }
        state.withLock { $0.wakeup = wakeup }
        let ended = Promise<Void>()
        let thread = Thread { [self] in
            follow(wakeup)
            ended.settle(.success(()))
        }
        thread.name = "baton.context"
        thread.start()
        try? await gracefulShutdown()
        state.withLock { $0.isOver = true }
        eventfd_write(wakeup, 1)
        // A task of its own, so that it is not cancelled: the thread uses what is closed here.
        await Task { try? await ended.value() }.value
        state.withLock { $0.wakeup = nil }
        close(wakeup)
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    // MARK: The thread

    private func follow(_ wakeup: Int32) {
        while !isOver {
            if let bus = SystemBus(address: address) {
                Follower(bus, user: user, tell: tell).run(wakeup) { [self] in
                    let state = state.withLock { $0 }
                    return (state.isOver, state.allowsLocation)
                }
                bus.close()
            }
            guard !isOver else { return }
            for input in [ContextInput.bluetooth, .session, .power, .network, .location] {
                tell(.input(input, .absent, detail: "There is no system bus."))
            }
            var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
            _ = poll(&descriptors, 1, Int32(Self.pause / .milliseconds(1)))
            var value: eventfd_t = 0
            _ = eventfd_read(wakeup, &value)
        }
    }

    /// One connection, on the thread.
    private final class Follower {
        private let bus: SystemBus
        private let tell: (ContextObservation) -> Void
        private let login: LoginSource
        private let geoClue = GeoClueSource()
        private let sources: [any BusSource]
        private var owners: [String: String] = [:]
        private var stale: Set<ContextInput> = []
        private var allowsLocation = false
        private var isLocating = false

        init(_ bus: SystemBus, user: UInt32, tell: @escaping (ContextObservation) -> Void) {
            self.bus = bus
            self.tell = tell
            login = LoginSource(user: user)
            sources = [BlueZSource(), login, UPowerSource(), NetworkSource(), geoClue]
        }

        func run(_ wakeup: Int32, _ state: () -> (isOver: Bool, allowsLocation: Bool)) {
            for source in sources {
                let watch =
                    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                    + "member='NameOwnerChanged',arg0='\(source.service)'"
                guard (source.rules + [watch]).allSatisfy(bus.follow) else { return }
                owners[source.service] = bus.owner(of: source.service)
                stale.insert(source.input)
            }
            while true {
                let now = state()
                if now.isOver { return }
                if now.allowsLocation != allowsLocation {
                    allowsLocation = now.allowsLocation
                    stale.insert(.location)
                }
                let news = bus.process()
                for signal in news.signals { take(signal) }
                if news.isOver { return }
                var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
                if !stale.isEmpty {
                    refresh()
                    // A flood is looked at ten times in a second. What came during the calls waits in the connection.
                    _ = poll(&descriptors, 1, Int32(ContextBus.patience / .milliseconds(1)))
                } else if news.signals.isEmpty {
                    descriptors.append(bus.pollDescriptor)
                    _ = poll(&descriptors, nfds_t(descriptors.count), -1)
                }
                var value: eventfd_t = 0
                if descriptors[0].revents != 0 { _ = eventfd_read(wakeup, &value) }
            }
        }

        private func take(_ signal: BusSignal) {
            if signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged" {
                let texts = signal.arguments.compactMap(\.text)
                guard texts.count == 3, let source = sources.first(where: { $0.service == texts[0] }) else { return }
                owners[source.service] = texts[2].isEmpty ? nil : texts[2]
                stale.insert(source.input)
                return
            }
            // Any program may send a signal: it counts from the service that has the name.
            for source in sources where owners[source.service] == signal.sender { take(signal, of: source) }
        }

        private func take(_ signal: BusSignal, of source: any BusSource) {
            for observation in source.observe(signal) { tell(observation) }
            if source.input == .location {
                guard allowsLocation else { return }
                return geoClue.position(signal, bus).forEach(tell)
            }
            for observation in login.input == source.input ? login.lock(signal, bus) : [] { tell(observation) }
            let isLock = source.input == .session && (signal.member == "Lock" || signal.member == "Unlock")
            if !isLock { stale.insert(source.input) }
        }

        private func refresh() {
            let inputs = stale
            stale = []
            for source in sources where inputs.contains(source.input) {
                if source.input == .location, !allowsLocation {
                    if isLocating { geoClue.stop(bus) }
                    isLocating = false
                    tell(.input(.location, .off, detail: "“baton settings set places.location on” allows it."))
                    continue
                }
                guard owners[source.service] != nil || source.input == .location else {
                    tell(.input(source.input, .absent, detail: "\(source.input.service) does not run."))
                    continue
                }
                if source.input == .location { isLocating = true }
                if let observations = source.read(bus) {
                    for observation in observations { tell(observation) }
                } else {
                    tell(.input(source.input, .failed, detail: "\(source.input.service) does not answer."))
                }
            }
        }
    }
}
