import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTrust
import Crypto

/// Announces this device to its contacts, under names that change.
struct ContactBeacon: Sendable {
    static let type = "_baton-contact._tcp"
    /// How long a name stays, at random, so that the clock does not reveal a change.
    private static let lifetime = 720.0...1080.0
    /// Names that others claimed, after which this device waits as long as a name stays.
    private static let maximumConflicts = 8

    private enum Event: Sendable {
        case due
        case contactsChanged
        case networkChanged
        case taken(String)
    }

    let discovery: any Discovery
    let contacts: any AirDropContacts
    let access: ContactAccess
    let recorder: any EventRecorder

    /// Until it is cancelled.
    /// - Parameter renewals: asks for another name, since the contacts may have changed.
    func run(port: Int, renewals: AsyncStream<Void>) async {
        // No broadcaster: cancelling one of its readers while it sends to them stops both.
        let (stream, events) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in renewals { events.yield(.contactsChanged) } }
            group.addTask { await watch(events) }
            var conflicts = 0
            var name = await announce(port)
            var timer = schedule(events)
            for await event in stream {
                switch event {
                case .taken(let taken):
                    guard taken == name, conflicts < Self.maximumConflicts else { continue }
                    conflicts += 1
                case .due: conflicts = 0
                case .contactsChanged, .networkChanged: break
                }
                DeadlineTimer.shared.cancel(timer)
                name = await announce(port)
                timer = schedule(events)
            }
            DeadlineTimer.shared.cancel(timer)
            group.cancelAll()
        }
        access.withdraw()
        // A task of its own, so that it is not cancelled; awaited here.
        await Task { try? await discovery.announce(nil, type: Self.type) }.value
    }

    private func schedule(_ events: AsyncStream<Event>.Continuation) -> DeadlineTimer.Entry {
        DeadlineTimer.shared.schedule(after: .seconds(Double.random(in: Self.lifetime))) { events.yield(.due) }
    }

    private func watch(_ events: AsyncStream<Event>.Continuation) async {
        for await event in discovery.browse(type: Self.type) {
            switch event {
            case .networkChanged: events.yield(.networkChanged)
            case .nameTaken(let instance): events.yield(.taken(instance))
            case .found, .lost, .unavailable: break
            }
        }
    }

    private func announce(_ port: Int) async -> String {
        let instance = Base32.encode(Self.random(10))
        access.announce(instance)
        let attributes = TrustedDeviceTokens.attributes(instance: instance, contacts: contacts.all, random: Self.random)
        do {
            try await discovery.announce(
                Announcement(instance: instance, port: port, attributes: attributes), type: Self.type)
        } catch {
            recorder.record(
                "airdrop", "not_announced", "This device could not be announced to its contacts: \(error)", [:])
        }
        return instance
    }

    private static func random(_ count: Int) -> [UInt8] {
        SymmetricKey(size: SymmetricKeySize(bitCount: 8 * count)).withUnsafeBytes { Array($0) }
    }
}
