import AirDropProtocol
import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTransport
import NIOSSL
import Synchronization

/// The port, and what is announced.
extension AirDropReceiverService {
    /// What of this device others can find.
    private struct Openness: Equatable {
        var toEveryone = false
        var toContacts = false

        var isOpen: Bool { toEveryone || toContacts }
    }

    private var wanted: Openness {
        let visibility = driver.read(\.visibility)
        return Openness(
            toEveryone: visibility == .everyone, toContacts: visibility != .off && !contacts.all.isEmpty)
    }

    /// Has the port open, and announced, for as long as somebody may see this device.
    func listen() async {
        var endpoint: AirDropListener.Endpoint?
        var current = Openness()
        var beacon: Task<Void, Never>?
        var renewal: Signal?
        for await _ in openings.subscribe([()]) {
            access.closeForgotten()
            let wanted = wanted
            if wanted.isOpen, endpoint == nil {
                endpoint = await open()
                current = Openness()
            }
            guard let open = endpoint else { continue }
            if wanted.toEveryone != current.toEveryone { await announce(wanted.toEveryone ? open.port : nil) }
            if wanted.toContacts, beacon == nil {
                let task = ContactBeacon(discovery: discovery, contacts: contacts, access: access, recorder: recorder)
                let asked = Signal()
                renewal = asked
                // Cancelled and awaited below.
                beacon = Task { await task.run(port: open.port, renewals: asked.stream) }
            } else if !wanted.toContacts, let task = beacon {
                await Self.end(task)
                beacon = nil
            } else {
                renewal?.send()
            }
            current = wanted
            guard !wanted.isOpen else { continue }
            await close(open)
            endpoint = nil
        }
        if let beacon { await Self.end(beacon) }
        guard let endpoint else { return }
        await announce(nil)
        await close(endpoint)
    }

    /// Keeps the listener at what the person, and the contacts, want.
    func follow(_ changes: AsyncStream<Void>) async { for await _ in changes { openings.send(()) } }

    private static func end(_ task: Task<Void, Never>) async {
        task.cancel()
        await task.value
    }

    private func open() async -> AirDropListener.Endpoint? {
        do {
            var router = ConnectRouter()
            register(on: &router)
            let strangers = try AirDropTLS.serverContext()
            let endpoint = try await listener.open(
                router,
                security: .byServerName { [self] name, channel in
                    if let name, let contact = try access.admission(name, channel) { return contact }
                    return driver.read(\.visibility) == .everyone ? .stranger(strangers) : .refused
                }, gate: gate)
            state.withLock { ($0.port, $0.problem) = (endpoint.port, nil) }
            return endpoint
        } catch {
            let message = (error as? BatonError)?.message ?? "The port of AirDrop could not be opened: \(error)"
            state.withLock { ($0.port, $0.problem) = (nil, message) }
            recorder.record("airdrop", "listener_failed", message, [:])
            return nil
        }
    }

    /// Announces this device to everyone, under a new name; nil withdraws.
    private func announce(_ port: Int?) async {
        guard let port else {
            let wasShown = state.withLock { state in
                defer { state.instance = nil }
                return state.instance != nil
            }
            guard wasShown else { return }
            try? await discovery.announce(nil, type: AirDropAnnouncement.type)
            recorder.record("airdrop", "hidden", "Strangers no longer see this device.", [:])
            return
        }
        var generator = SystemRandomNumberGenerator()
        let instance = AirDropInstanceName.random(using: &generator).rawValue
        state.withLock { $0.instance = instance }
        do {
            try await discovery.announce(
                Announcement(
                    instance: instance, port: port, attributes: ["flags": String(AirDropFlags.announced.rawValue)]),
                type: AirDropAnnouncement.type)
            recorder.record("airdrop", "visible", "Everyone may see this device.", ["port": String(port)])
        } catch {
            let message = (error as? BatonError)?.message ?? "This device could not be announced: \(error)"
            state.withLock { $0.problem = message }
            recorder.record("airdrop", "not_announced", message, [:])
        }
    }

    private func close(_ endpoint: AirDropListener.Endpoint) async {
        await endpoint.close()
        state.withLock { $0.port = nil }
    }

    /// Whether an announcement is this device's own.
    package func isOwn(_ instance: String) -> Bool {
        state.withLock { $0.instance == instance } || access.isOwn(instance)
    }
}
