import AirDropProtocol
import BatonConcurrency
package import BatonCore
package import BatonDiscovery
import BatonTrust
import Files
import Foundation
import NIOSSL
import Synchronization
package import Transfers

/// Finds devices to send to, and sends to them. Safe to use from any task.
package final class AirDropSenderService: Sendable {
    /// An event of sending, for the caller.
    package enum Event: Hashable, Sendable {
        case asking(name: String, relation: PeerRelation, items: Int, bytes: UInt64, leftOut: Int = 0)
        case progress(TransferProgress)
        case ended(AirDropOutcome)
    }

    /// How long a device is looked for before it is given up.
    private static let findTimeout = Duration.seconds(10)
    private static let discoverTimeout = Duration.seconds(10)
    /// Receivers that are asked for their names at once, and that are shown. Policy: more are not.
    private static let maximumPeers = 64

    let devices: any AirDropDevices
    let contacts: any AirDropContacts
    let opening: any AirDropOpening
    let discovery: any Discovery
    private let transfers: TransferClient
    private let history: AirDropHistory
    let isOwn: @Sendable (String) -> Bool
    private let recorder: any EventRecorder
    private let wall: WallClock

    /// - Parameter isOwn: whether an announcement is this device's own.
    package init(
        devices: any AirDropDevices, transfers: TransferClient, contacts: any AirDropContacts,
        opening: any AirDropOpening, discovery: any Discovery, history: AirDropHistory,
        isOwn: @escaping @Sendable (String) -> Bool, recorder: any EventRecorder,
        wall: WallClock = .system
    ) {
        self.devices = devices
        self.contacts = contacts
        self.opening = opening
        self.discovery = discovery
        self.transfers = transfers
        self.history = history
        self.isOwn = isOwn
        self.recorder = recorder
        self.wall = wall
    }

    // MARK: Nearby

    /// The devices that can be sent to, at first and at each change, until it is cancelled.
    package func watchNearby(_ tell: @escaping @Sendable ([NearbyPeer]) async throws -> Void) async throws {
        let announced = AnnouncedPeers()
        let changes = Broadcaster<Void>(.newest)
        let tls = try AirDropTLS.clientContext()
        // One that has vanished counts as connected for a while: each is listed once it has answered.
        let asked = devices.nearby()
        let awaited = AwaitedDevices(asked)
        let stream = changes.subscribe(asked.isEmpty ? [()] : [])
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { [devices] in for await _ in devices.changes() { changes.send(()) } }
            for device in asked {
                group.addTask { [devices] in
                    await devices.confirm(device)
                    awaited.remove(device)
                    changes.send(())
                }
            }
            group.addTask { [self] in
                for await _ in stream {
                    let own = devices.nearby().subtracting(awaited.all)
                        .map { NearbyPeer(kind: .device($0), name: devices.name(of: $0)) }
                    let others = announced.all
                    try await tell((own + others).sorted { ($0.name, $0.id) < ($1.name, $1.id) })
                }
            }
            group.addTask { [self] in
                await follow(ContactBeacon.type, announced, changes) { [self] service in
                    guard let contact = contact(of: service) else { return nil }
                    return (.contact(contact), NearbyPeer(kind: .contact(contact.id), name: contact.name))
                }
            }
            await follow(AirDropAnnouncement.type, announced, changes) { service in
                (.anybody(tls), NearbyPeer(kind: .announced(service.instance), name: ""))
            }
        }
    }

    /// Asks each device that is announced for its name, and lists those that have one to show.
    /// - Parameter judge: how a device is reached, and how it is listed; nil for one that is not meant.
    private func follow(
        _ type: String, _ announced: AnnouncedPeers, _ changes: Broadcaster<Void>,
        _ judge: @escaping @Sendable (DiscoveredService) -> (AirDropTrust, NearbyPeer)?
    ) async {
        await withDiscardingTaskGroup { group in
            for await event in discovery.browse(type: type) {
                switch event {
                case .found(let service):
                    guard !isOwn(service.instance), announced.count < Self.maximumPeers,
                        let (trust, peer) = judge(service)
                    else { continue }
                    group.addTask { [self] in
                        guard let answer = try? await discover(service, trust), let name = answer.computerName else {
                            return
                        }
                        var peer = peer
                        // A contact has the name that the person knows.
                        if peer.name.isEmpty { peer.name = SafeName.display(name) }
                        peer.model = SafeName.display(answer.modelName ?? "")
                        announced.set(peer, for: service)
                        changes.send(())
                    }
                case .lost(let instance):
                    announced.remove(instance)
                    changes.send(())
                case .networkChanged, .unavailable, .nameTaken: break
                }
            }
        }
    }

    /// The contact that an announcement is meant for this device by.
    func contact(of service: DiscoveredService) -> TrustedDevice? {
        TrustedDeviceTokens.recognise(
            instance: service.instance, attributes: service.attributes, contacts: contacts.all)
    }

    func answer(_ service: DiscoveredService, _ trust: AirDropTrust) async -> Result<DiscoverAnswer, any Error> {
        do {
            return .success(try await discover(service, trust))
        } catch {
            return .failure(error)
        }
    }

    private func discover(_ service: DiscoveredService, _ trust: AirDropTrust) async throws -> DiscoverAnswer {
        let connection = try await connect(service, trust)
        defer { connection.close() }
        let answer = try await connection.post(.discover, DiscoverRequest().body, timeout: Self.discoverTimeout)
        return try DiscoverAnswer(answer.body)
    }

    func connect(_ service: DiscoveredService, _ trust: AirDropTrust) async throws -> AirDropConnection {
        var failure: any Error = Self.notFound
        for address in service.addresses.prefix(4) {
            do {
                switch trust {
                case .anybody(let tls): return try await AirDropConnection.connect(to: address, tls: tls)
                case .contact(let contact):
                    return try await AirDropConnection.connect(
                        to: address, contact: contact, instance: service.instance)
                }
            } catch {
                failure = error
            }
        }
        throw failure
    }

    // MARK: Sending

    /// Sends items to one device and reports how it goes; the last event is `ended`. Cancelling cancels the transfer.
    /// - Throws: what is wrong with the items; `not_found` with reason `peer_not_found`.
    package func send(
        paths: [String], urls: [String], to peer: String, tell: @escaping @Sendable (Event) async throws -> Void
    ) async throws {
        let names = paths.map { URL(fileURLWithPath: $0).lastPathComponent } + urls
        let outcome: AirDropOutcome
        var name = peer
        do {
            if let device = devices.nearby().first(where: { $0.rawValue == peer }) {
                name = devices.name(of: device)
                let items = try await Self.disk.run { try LocalItems(paths: paths, urls: urls) }
                try await tell(
                    .asking(
                        name: name, relation: .ownDevice, items: names.count, bytes: items.manifest.totalBytes,
                        leftOut: items.manifest.leftOut))
                outcome = try await send(items, to: device, tell)
            } else if let contact = contacts.all.first(where: { $0.id.rawValue == peer }) {
                name = contact.name
                let service = try await find(ContactBeacon.type) { [self] in self.contact(of: $0)?.id == contact.id }
                (_, outcome) = try await send(paths, urls, to: service, .contact(contact), tell)
            } else {
                // Anybody may announce the identifier of a device that is away.
                guard !devices.known().contains(where: { $0.rawValue == peer }) else { throw Self.notFound }
                let service = try await find(AirDropAnnouncement.type) { $0.instance == peer }
                (name, outcome) = try await send(
                    paths, urls, to: service, .anybody(try AirDropTLS.clientContext()), tell)
            }
        } catch  where error is CancellationError || Task.isCancelled {
            // Calls that were under way have ended with errors of their own.
            var outcome = AirDropOutcome(.cancelled)
            outcome.message = "It was cancelled on this device."
            add(outcome, name, names)
            throw CancellationError()
        } catch let error as BatonError {
            if error.reason == Self.notFound.reason || error.code == .invalidArgument { throw error }
            try await end(AirDropOutcome(error), name, names, tell)
            return
        }
        try await end(outcome, name, names, tell)
    }

    private func end(
        _ outcome: AirDropOutcome, _ name: String, _ names: [String], _ tell: (Event) async throws -> Void
    ) async throws {
        add(outcome, name, names)
        try await tell(.ended(outcome))
    }

    private func add(_ outcome: AirDropOutcome, _ name: String, _ names: [String]) {
        history.add(
            AirDropHistory.Record(
                time: wall.milliseconds, isSent: true, peer: name, names: names, outcome: outcome))
        recorder.record(
            "airdrop", "sent", "A transfer to another device ended: \(outcome.result.rawValue).",
            ["reason": outcome.reason])
    }

    /// To a device of the account, which fetches the files itself.
    private func send(
        _ items: LocalItems, to device: DeviceID, _ tell: @escaping @Sendable (Event) async throws -> Void
    ) async throws -> AirDropOutcome {
        do {
            try await transfers.send(items, to: device) { try? await tell(.progress($0)) }
        } catch let error as BatonError where error.reason == "declined" {
            return AirDropOutcome(.declined)
        } catch let error as BatonError where error.reason == "airdrop_expired" {
            return AirDropOutcome(.expired)
        } catch let error as BatonError where error.reason == "disk_full" {
            // The other device says so of its own disk.
            throw BatonError(
                .resourceExhausted, reason: error.reason,
                "The disk of \(PeerRelation.ownDevice.naming(devices.name(of: device))) has no room for "
                    + "\(ByteSize.text(items.manifest.totalBytes)). Free some space there and send it again.")
        }
        var outcome = AirDropOutcome(.delivered)
        outcome.items = items.manifest.topLevel.count + items.manifest.urls.count
        outcome.bytes = items.manifest.totalBytes
        return outcome
    }

    private func find(
        _ type: String, _ isWanted: @escaping @Sendable (DiscoveredService) -> Bool
    ) async throws -> DiscoveredService {
        let events = discovery.browse(type: type)
        return try await withThrowingTaskGroup(of: DiscoveredService?.self) { group in
            group.addTask { [isOwn] in
                for await event in events {
                    if case .found(let service) = event, !isOwn(service.instance), isWanted(service) { return service }
                }
                return nil
            }
            group.addTask {
                // sleeps: no event says that a device is not there.
                try await Task.sleep(for: Self.findTimeout)
                return nil
            }
            defer { group.cancelAll() }
            guard let found = try await group.next() ?? nil else { throw Self.notFound }
            return found
        }
    }

    static let disk = BlockingQueue("baton.airdrop.items")

    static let notFound = BatonError(
        .notFound, reason: "peer_not_found",
        "This device is not nearby, or is not visible. “baton nearby” lists devices to send to.")
}

/// How another device is known.
enum AirDropTrust: Sendable {
    /// Not at all.
    case anybody(NIOSSLContext)
    /// By the key that it has for this device alone.
    case contact(TrustedDevice)

    var relation: PeerRelation { if case .contact = self { .contact } else { .stranger } }
    /// As the person knows it; nil where the device says its name itself.
    var name: String? { if case .contact(let contact) = self { contact.name } else { nil } }
}

/// Own devices that have not answered yet.
private final class AwaitedDevices: Sendable {
    private let devices: Mutex<Set<DeviceID>>

    init(_ devices: Set<DeviceID>) { self.devices = Mutex(devices) }

    var all: Set<DeviceID> { devices.withLock { $0 } }

    func remove(_ device: DeviceID) { devices.withLock { _ = $0.remove(device) } }
}

/// The receivers that have said their names, by the names of their announcements.
private final class AnnouncedPeers: Sendable {
    private let peers = Mutex<[String: (peer: NearbyPeer, addresses: Set<DiscoveredAddress>)]>([:])

    var count: Int { peers.withLock { $0.count } }

    /// A contact that everyone may see is announced twice, and listed as a contact.
    var all: [NearbyPeer] {
        peers.withLock { peers in
            let contacts = peers.values.filter { $0.peer.isContact }
            let places = contacts.reduce(into: Set()) { $0.formUnion($1.addresses) }
            // Names change; for a moment the one before is there, too.
            let latest = Dictionary(contacts.map { ($0.peer.id, $0.peer) }) { $1 }
            let others = peers.values.filter { !$0.peer.isContact && places.isDisjoint(with: $0.addresses) }
            return latest.values + others.map(\.peer)
        }
    }

    func set(_ peer: NearbyPeer, for service: DiscoveredService) {
        peers.withLock { $0[service.instance] = (peer, Set(service.addresses)) }
    }

    func remove(_ instance: String) { _ = peers.withLock { $0.removeValue(forKey: instance) } }
}
