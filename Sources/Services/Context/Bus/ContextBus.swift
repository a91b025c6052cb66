import Glibc
import ServiceLifecycle
import SessionBus
import Synchronization

/// Follows the services of the system's bus on a thread, for as long as the daemon runs.
final class ContextBus: Service {
    /// The shortest time between two questions for changes.
    private static let patience = Duration.milliseconds(100)

    private let address: String
    private let user: UInt32
    private let tell: @Sendable (ContextObservation) -> Void
    private let thread = BusThread("baton.context")
    private let allowsLocation = Mutex(false)

    init(address: String, user: UInt32 = getuid(), tell: @escaping @Sendable (ContextObservation) -> Void) {
        self.address = address
        self.user = user
        self.tell = tell
    }

    func allowLocation(_ allowed: Bool) {
        allowsLocation.withLock { $0 = allowed }
        thread.wake()
    }

    func run() async throws {
        thread.start { [self] in follow($0) }
        try? await gracefulShutdown()
        await thread.stop()
    }

    // MARK: The thread

    private func follow(_ thread: BusThread) {
        var retry = ServerRetry()
        while !thread.isStopping {
            if let bus = SystemBus(address: address) {
                retry.reset()
                Follower(bus, user: user, tell: tell).run(thread) { [self] in allowsLocation.withLock { $0 } }
                bus.close()
            }
            guard !thread.isStopping else { return }
            for input in [ContextInput.bluetooth, .session, .power, .network, .location] {
                tell(.input(input, .absent, detail: "There is no system bus."))
            }
            thread.wait([], retry.next())
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

        func run(_ thread: BusThread, _ isLocationAllowed: () -> Bool) {
            for source in sources {
                let rules = source.rules + [BusConnection.ownerRule(source.service)]
                guard rules.allSatisfy(bus.follow) else { return }
                owners[source.service] = bus.connection.owner(of: source.service)
                stale.insert(source.input)
            }
            while true {
                if thread.isStopping { return }
                if isLocationAllowed() != allowsLocation {
                    allowsLocation.toggle()
                    stale.insert(.location)
                }
                let news = bus.process()
                for signal in news.signals { take(signal) }
                if news.isOver { return }
                if !stale.isEmpty {
                    refresh()
                    // A flood is looked at ten times in a second. Messages that came during the calls wait in the connection.
                    thread.wait([], ContextBus.patience)
                } else if news.signals.isEmpty {
                    thread.wait([bus.connection])
                }
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
