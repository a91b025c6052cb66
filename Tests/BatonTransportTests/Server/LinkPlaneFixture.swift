import BatonClient
import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import LinkClient
import Logging
import SwiftProtobuf
import Synchronization

/// An account in memory: who belongs to it, and the server names that its devices make.
final class LinkAccount: Sendable {
    private struct State {
        var membership: Membership
        var gate = ServerNameGate()
    }

    /// A device's credentials for TLS.
    struct Device: Sendable {
        let key = P256.Signing.PrivateKey()
        var id: DeviceID { DeviceID(key: key.publicKey) }
    }

    let rootKey = P256.Signing.PrivateKey()
    let discoveryKey: DiscoveryKey
    /// The account's first device, whose server the tests connect to.
    let first = Device()
    let instance = "instance-of-now"
    private let state: Mutex<State>
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let time = HybridTimestamp(milliseconds: 1_700_000_000_000, counter: 0)

    init() throws {
        let genesis = try Membership.genesis(
            rootKey: rootKey, device: first.key.publicKey, now: Self.now, timestamp: Self.time)
        discoveryKey = try DiscoveryKey(timestamp: Self.time, bytes: (0..<32).map { _ in UInt8.random(in: 0 ... .max) })
        var state = State(membership: try Membership(rootKey: rootKey.publicKey, genesis: genesis))
        state.gate.announce(instance)
        self.state = Mutex(state)
    }

    func add(_ device: Device = Device()) throws -> Device {
        try state.withLock { state in
            let statement = try state.membership.statement(
                adding: device.key.publicKey, by: first.key, now: Self.now, timestamp: Self.time)
            state.membership.merge([statement])
        }
        return device
    }

    func revoke(_ device: Device) throws {
        try state.withLock { state in
            let statement = try state.membership.statement(revoking: device.id, by: first.key, timestamp: Self.time)
            state.membership.merge([statement])
        }
    }

    func isWelcome(_ device: DeviceID) -> Bool { !state.withLock { $0.membership }.isRevoked(device) }

    func admits(_ serverName: String) -> Bool {
        state.withLock { $0.gate.accept(serverName, key: discoveryKey) }
    }

    /// A server name that was not used before.
    func serverName() -> String {
        LinkTokens.serverName(
            instance: instance, key: discoveryKey, nonce: (0..<16).map { _ in UInt8.random(in: 0 ... .max) })
    }

    /// From a device's certificate to the root's, in DER.
    func chain(of device: Device) throws -> [[UInt8]] {
        var chain: [[UInt8]] = []
        var next: DeviceID? = device.id
        let membership = state.withLock { $0.membership }
        while let id = next, let record = membership.record(of: id) {
            chain.append(record.certificate)
            next = record.sponsor
        }
        return chain + [try DeviceCertificate.root(key: rootKey, now: Self.now)]
    }

    func tls(of device: Device, verify: LinkTLS.Verify? = nil) throws -> LinkTLS {
        try LinkTLS(
            certificateChain: try chain(of: device), privateKey: Array(device.key.derRepresentation),
            verify: verify ?? { [self] in self.verify($0) })
    }

    func verify(_ chain: [[UInt8]]) -> Result<DeviceID, BatonError> {
        state.withLock { $0.membership }.verify(chainDER: chain).map(\.deviceID)
    }
}

/// The link's server of an account's first device, and what reached its handlers.
final class LinkPlaneFixture: Sendable {
    let account: LinkAccount
    let server: LinkServer
    let gate: UnauthenticatedGate
    let port: Int
    /// Those that the server listened on after ``port``.
    let furtherPorts: AsyncStream<Int>
    private let log: Calls

    /// Bytes of a caller that a handler saw.
    private final class Calls: Sendable {
        let count = Mutex(0)
        let ended: AsyncStream<DeviceID>
        let end: AsyncStream<DeviceID>.Continuation
        init() { (ended, end) = AsyncStream.makeStream(of: DeviceID.self) }
    }

    /// How many calls reached a handler.
    var calls: Int { log.count.withLock { $0 } }
    /// The device of each presence stream that ended.
    var ended: AsyncStream<DeviceID> { log.ended }

    private init(
        account: LinkAccount, server: LinkServer, gate: UnauthenticatedGate, port: Int, furtherPorts: AsyncStream<Int>,
        log: Calls
    ) {
        self.account = account
        self.server = server
        self.gate = gate
        self.port = port
        self.furtherPorts = furtherPorts
        self.log = log
    }

    static func run(
        gate: UnauthenticatedGate = UnauthenticatedGate(), limits: ConnectLimits = .standard,
        interfaces: [String] = ["lo"], port: Int = 0, hasAccount: Bool = true,
        refusedByPeer: @escaping @Sendable () -> Void = {},
        revokesWhileJudging revoked: LinkAccount.Device? = nil,
        _ body: @Sendable (LinkPlaneFixture) async throws -> Void
    ) async throws {
        let account = try LinkAccount()
        if let revoked { _ = try account.add(revoked) }
        let tls = try account.tls(
            of: account.first,
            verify: { chain in
                let verdict = account.verify(chain)
                // Between TLS's question and its answer.
                if let revoked, case .success(revoked.id) = verdict { try? account.revoke(revoked) }
                return verdict
            })
        var policy = LinkServer.Policy(
            admits: { account.admits($0) }, tls: { hasAccount ? tls : nil }, isWelcome: { account.isWelcome($0) })
        policy.refusedByPeer = refusedByPeer
        let log = Calls()
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let server = LinkServer(
            router: router(log), policy: policy, gate: gate, limits: limits, interfaces: interfaces,
            port: port, logger: Logger(label: "test"), onReady: { ready.yield($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await server.run() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else { return }
            try await body(
                LinkPlaneFixture(
                    account: account, server: server, gate: gate, port: port, furtherPorts: ports, log: log))
        }
    }

    /// `ExplainActivity` answers with the caller's identifier, `Connect` with what it was sent.
    private static func router(_ log: Calls) -> ConnectRouter {
        var router = ConnectRouter()
        router.unary(HandoffMethods.explainActivity) { _, context in
            log.count.withLock { $0 += 1 }
            guard case .device(let device) = context.peer else { return .init() }
            return .with { $0.stages = [.with { $0.name = device.rawValue }] }
        }
        router.duplex(PresenceMethods.connect) { incoming, context, writer in
            log.count.withLock { $0 += 1 }
            defer { if case .device(let device) = context.peer { log.end.yield(device) } }
            for try await frame in incoming { try await writer.write(frame) }
        }
        return router
    }

    func connect(
        _ device: LinkAccount.Device, serverName: String? = nil, port: Int? = nil
    ) async throws -> HTTPConnection {
        let (connection, peer) = try await LinkConnector().connect(
            host: "127.0.0.1", port: port ?? self.port, serverName: serverName ?? account.serverName(),
            tls: account.tls(of: device))
        guard peer == account.first.id else {
            throw BatonError(.unauthenticated, reason: "other_peer", "The server proved to be \(peer).")
        }
        return connection
    }

    /// The caller as the server identifies it.
    func whoAmI(_ connection: HTTPConnection) async throws -> String {
        let answer = try await connection.unary(HandoffMethods.explainActivity, .init(), timeout: .seconds(10))
        return answer.stages.first?.name ?? ""
    }
}

/// A presence stream from a client's side.
struct EchoedStream: Sendable {
    let writer: ConnectRequestWriter<Baton_Link_V1_PresenceFrame>
    let responses: ConnectResponses<Baton_Link_V1_PresenceFrame>

    init(_ connection: HTTPConnection) {
        (writer, responses) = connection.duplex(PresenceMethods.connect)
    }

    static func frame(_ text: String) -> Baton_Link_V1_PresenceFrame {
        .with { $0.goodbye = .with { $0.reason = text } }
    }
}
