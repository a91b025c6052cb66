import BatonCore
import BatonDiscovery
import BatonTestSupport
import BatonWire
import Foundation
import Peers
import SwiftProtobuf
import Synchronization

/// An account's membership in memory: a statement is the name of a member.
final class FixtureAccount: Sendable {
    private struct State {
        var local: DeviceID?
        var members: Set<DeviceID>
        var revoked: Set<DeviceID> = []
        /// How often devices are still said to be members, once any membership was merged.
        var standingsLeft: Int?
        var hasMerged = false
        var readers: [AsyncStream<Void>.Continuation] = []
    }
    private let state: Mutex<State>

    init(local: DeviceID?, members: Set<DeviceID>) { state = Mutex(State(local: local, members: members)) }

    func revoke(_ device: DeviceID) {
        change {
            $0.revoked.insert(device)
            $0.members.remove(device)
        }
    }

    /// It turns out that the device's sponsor had no right to let it in.
    func drop(_ device: DeviceID) { state.withLock { _ = $0.members.remove(device) } }

    func tell() { change { _ in } }

    func loseMembers(afterStandings count: Int) { state.withLock { $0.standingsLeft = count } }

    private func standing(_ device: DeviceID) -> PresenceMembership.Standing {
        state.withLock { state in
            if state.hasMerged, let left = state.standingsLeft {
                if left == 0 { return .unknown }
                state.standingsLeft = left - 1
            }
            return state.revoked.contains(device) ? .revoked : state.members.contains(device) ? .member : .unknown
        }
    }

    func found(as device: DeviceID, with members: Set<DeviceID>) {
        change {
            $0.local = device
            $0.members = members
        }
    }

    var membership: PresenceMembership {
        PresenceMembership(
            localDevice: { self.state.withLock { $0.local } },
            standing: { self.standing($0) },
            revoked: { self.state.withLock { $0.revoked } },
            frame: { self.frame },
            merge: { message, _ in
                let names = message.statements.compactMap {
                    DeviceID(rawValue: String(decoding: $0.statement, as: UTF8.self))
                }
                self.state.withLock { $0.hasMerged = true }
                let isNew = self.state.withLock { !$0.members.isSuperset(of: Set(names).subtracting($0.revoked)) }
                if isNew { self.change { $0.members.formUnion(Set(names).subtracting($0.revoked)) } }
            },
            changes: {
                let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
                self.state.withLock { $0.readers.append(continuation) }
                return stream
            })
    }

    private var frame: Baton_Link_V1_Membership {
        var frame = Baton_Link_V1_Membership()
        frame.statements = state.withLock { $0.members }.sorted().map { member in
            var statement = Baton_Link_V1_SignedStatement()
            statement.statement = Data(member.rawValue.utf8)
            return statement
        }
        frame.discoveryKeys = [Baton_Link_V1_DiscoveryKey()]
        frame.profiles = [Baton_Link_V1_DeviceProfile()]
        frame.contentKeys = [Baton_Link_V1_ContentKey()]
        frame.cloud.url = "https://cloud.example"
        return frame
    }

    private func change(_ body: (inout State) -> Void) {
        let readers = state.withLock { state in
            body(&state)
            return state.readers
        }
        for reader in readers { reader.yield() }
    }
}

/// A device with a presence service, on an in-memory network.
final class FixtureDevice: Sendable {
    static let type = "_baton._tcp"
    let id: DeviceID
    let host: String
    let account: FixtureAccount
    let service: PresenceService
    let offers: AsyncStream<(DeviceID, UInt64)>
    let recorder = MemoryRecorder()
    let accountName: String

    init(
        _ letter: Character, members: String, network: InMemoryNetwork, links: InMemoryLinks,
        account name: String = "ours",
        hasAccount: Bool = true, namePeriod: Duration = .seconds(900), offerDelay: Duration = .zero,
        answer: Duration = .seconds(5),
        port: @escaping @Sendable () -> Int = { 4000 }, renewPort: @escaping @Sendable () async -> Void = {}
    ) {
        let id = Self.id(letter)
        self.id = id
        host = String(letter)
        accountName = name
        account = FixtureAccount(local: hasAccount ? id : nil, members: Set(members.map(Self.id)))
        var configuration = PresenceService.Configuration(
            port: port, renewPort: renewPort, softwareVersion: "1.0-\(letter)", incarnation: 1)
        configuration.namePeriod = namePeriod
        configuration.limits.answer = answer
        let naming = LinkNaming(
            attributes: { _ in ["a": name] },
            recognise: { _, attributes in attributes["a"] == name ? .member(nil) : .stranger },
            serverName: { instance, _ in "name.\(instance)" }, announce: { _ in })
        service = PresenceService(
            configuration: configuration, discovery: network.join(host: String(letter)),
            dialer: links.dialer(for: id, host: String(letter)), naming: naming, membership: account.membership,
            deviceName: { "Device \(letter)" }, timestamp: { 1 }, recorder: recorder)
        let updates = service.follow(PresenceTopics.offers)
        // Read on demand, so that a slow reader is one.
        offers = AsyncStream {
            for await update in updates {
                guard case .value(let snapshot, let device) = update else { continue }
                if offerDelay > .zero { try? await ContinuousClock().sleep(for: offerDelay) }
                return (device, snapshot.revision)
            }
            return nil
        }
        links.listen(String(letter), as: id) { [service] peer, stream in
            try await service.acceptPresence(
                peer: peer, address: DiscoveredAddress(host: "from", port: 55555, interface: "mem0"),
                incoming: stream.incoming, writer: stream.outgoing)
        }
    }

    static func id(_ letter: Character) -> DeviceID { DeviceID(unchecked: String(repeating: letter, count: 26)) }

    /// Until the device is, or is not, connected.
    func awaitConnection(_ isConnected: Bool = true, to other: DeviceID) async {
        let events = service.events()
        if (service.connections()[other] != nil) == isConnected { return }
        for await _ in events where (service.connections()[other] != nil) == isConnected { return }
    }

    func nextOffer(newerThan revision: UInt64 = 0) async -> (DeviceID, UInt64)? {
        for await offer in offers where offer.1 > revision { return offer }
        return nil
    }

    func offer(_ revision: UInt64) {
        var snapshot = Baton_Link_V1_OfferSnapshot()
        snapshot.revision = revision
        service.publish(snapshot, on: PresenceTopics.offers)
    }
}

extension Baton_Link_V1_PresenceFrame {
    /// The revision of the offers that the frame carries; 0 in any other frame.
    var offersRevision: UInt64 {
        get { (try? Baton_Link_V1_OfferSnapshot(serializedBytes: topic.value))?.revision ?? 0 }
        set {
            topic = .with {
                $0.topic = PresenceTopics.offers.name
                $0.version = newValue
                $0.value = (try? Baton_Link_V1_OfferSnapshot.with { $0.revision = newValue }.serializedData()) ?? Data()
            }
        }
    }
}

/// Runs the devices' services while `body` runs.
func running<Value: Sendable>(
    _ devices: [FixtureDevice], _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for device in devices { group.addTask { try await device.service.run() } }
        let value = try await body()
        group.cancelAll()
        try await group.waitForAll()
        return value
    }
}

/// A peer that is played by the test, frame by frame.
struct PlayedPeer {
    let duplex = FrameDuplex()
    let id: DeviceID

    /// Opens a stream to `device`; returns how that device's end of it ended.
    func open(to device: FixtureDevice) async throws {
        let stream = duplex.stream(ofDialler: false)
        defer { duplex.close() }
        try await device.service.acceptPresence(peer: id, incoming: stream.incoming, writer: stream.outgoing)
    }

    func send(_ change: (inout Baton_Link_V1_PresenceFrame) -> Void) async throws {
        var frame = Baton_Link_V1_PresenceFrame()
        change(&frame)
        try await duplex.toAcceptor.write(frame)
    }

    func greet(version: UInt32 = ConnectProtocol.version, members: String) async throws {
        try await send {
            $0.hello.protocolVersion = version
            $0.hello.incarnation = 1
            $0.hello.port = 777
            $0.hello.instance = "PLAYED"
            $0.hello.softwareVersion = "played"
        }
        try await send { frame in
            frame.membership.statements = members.map { member in
                var statement = Baton_Link_V1_SignedStatement()
                statement.statement = Data(FixtureDevice.id(member).rawValue.utf8)
                return statement
            }
        }
    }

    /// The next frame for which `choose` returns something.
    func receive<Value>(_ choose: (Baton_Link_V1_PresenceFrame) -> Value?) async throws -> Value? {
        while let frame = try await duplex.toDialler.next() {
            if let value = choose(frame) { return value }
        }
        return nil
    }
}
