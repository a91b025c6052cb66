import BatonConcurrency
package import BatonCore
package import BatonWire
import Foundation
import Glibc
import HummingbirdCore
package import LinkClient
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import ServiceLifecycle
import Synchronization

/// Serves the link plane: mutual TLS 1.3 to devices of the account.
///
/// A connection must first name, in the clear, a server name that only a device of the account can make; before that
/// nothing is answered and no certificate is shown, so strangers learn nothing. Then TLS proves who it is.
package final class LinkServer: Service {
    /// The account's rules about connections. The closures are called on event loops and must not block.
    package struct Policy: Sendable {
        /// Whether the server name is a token of this account, not used before.
        package var admits: @Sendable (_ serverName: String) -> Bool
        /// Nil while there is no account.
        package var tls: @Sendable () -> LinkTLS?
        /// Whether a device whose certificates were accepted is still to be served. It may be revoked just then.
        package var isWelcome: @Sendable (DeviceID) -> Bool
        /// A device that could make a server name of the account refused this device's certificate.
        package var refusedByPeer: @Sendable () -> Void = {}

        package init(
            admits: @escaping @Sendable (_ serverName: String) -> Bool, tls: @escaping @Sendable () -> LinkTLS?,
            isWelcome: @escaping @Sendable (DeviceID) -> Bool
        ) {
            self.admits = admits
            self.tls = tls
            self.isWelcome = isWelcome
        }
    }

    private struct Connection {
        var device: DeviceID
        var channel: any Channel
        let since = NIODeadline.now()
        /// It says its last words; nothing more is asked of this device over it.
        var isLeaving = false
    }

    private let policy: Policy
    private let responder: ConnectResponder
    private let gate: UnauthenticatedGate
    private let interfaces: [String]?
    private let port: Int
    private let logger: Logger
    private let onReady: @Sendable (_ port: Int) -> Void
    /// Asks for another port; nil while the port is the one that was asked for.
    private let renewals = Mutex<Signal?>(nil)
    /// Those that listen, on ports that the system chose: the newest first.
    private let listening = Mutex<[any Channel]>([])
    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    /// The connections of one device; it needs one for presence and a few for calls.
    private static let maximumConnectionsPerDevice = 32

    /// The port of every device, so that one rule of a firewall fits them all, and a port reveals nothing of a device.
    package static let defaultPort = 22866

    /// - Parameters:
    ///   - interfaces: only connections that arrive on these are accepted; nil for all.
    ///   - port: 0, or one that is taken, for random ones that ``renewPort()`` changes.
    ///   - onReady: called with the port, each time that it is another one.
    package init(
        router: ConnectRouter, policy: Policy, gate: UnauthenticatedGate = UnauthenticatedGate(),
        limits: ConnectLimits = .standard, bodies: ByteBudget = .link, interfaces: [String]?, port: Int = 0,
        logger: Logger,
        onReady: @escaping @Sendable (_ port: Int) -> Void
    ) {
        self.policy = policy
        self.responder = ConnectResponder(
            router: router, limits: limits, terms: bodies.terms(limits: limits), logger: logger)
        self.gate = gate
        self.interfaces = interfaces
        self.port = port
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        let channel = PlaneChannel(
            responder: responder,
            prepare: { [self] in secure($0) },
            peer: { [self] in device(of: $0).map(CallContext.Peer.device) })
        guard port != 0 else { return try await runOnRandomPorts(channel) }
        do {
            try await DualStackListener.run(channel, port: port, logger: logger, onReady: onReady)
        } catch let error where DualStackListener.isTaken(error) {
            logger.warning("TCP port \(port) is taken: other devices are served on random ports")
            try await runOnRandomPorts(channel)
        } catch let error as IOError where error.errnoCode == EACCES {
            throw BatonError(
                .permissionDenied, reason: "port_refused",
                "TCP port \(port) may not be used. Name one above 1023 with --port.", cause: error)
        }
    }

    // MARK: Random ports

    /// A random port that stayed would reveal that two instance names are one device's: it changes with the name. The one
    /// before stays open for those who know the name before only, and connections stay whatever the port.
    private func runOnRandomPorts(_ channel: PlaneChannel) async throws {
        let renewal = Signal()
        renewals.withLock { $0 = renewal }
        // A listener that was closed before the shutdown is called an error at the shutdown.
        var quiet = logger
        quiet.logLevel = .critical
        let listen: @Sendable () async throws -> Void = { [self, quiet] in
            try await DualStackListener.run(channel, port: 0, logger: quiet, onListening: { [self] in opened($0) })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await listen()
                } catch {
                    renewal.finish()
                    throw error
                }
            }
            for await _ in renewal.stream.cancelOnGracefulShutdown() {
                group.addTask { [self] in
                    do {
                        try await listen()
                    } catch {
                        logger.warning("No other port could be opened", metadata: ["error": "\(error)"])
                        if let port = listening.withLock({ $0.first?.localAddress?.port }) { onReady(port) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func opened(_ channel: any Channel) {
        let superfluous = listening.withLock { listening in
            listening.insert(channel, at: 0)
            let superfluous = Array(listening.dropFirst(2))
            listening = Array(listening.prefix(2))
            return superfluous
        }
        for channel in superfluous { channel.close(promise: nil) }
        onReady(channel.localAddress?.port ?? 0)
    }

    /// Listens on another random port, and says so by `onReady`.
    /// - Returns: false when the port is the one that was asked for, and stays.
    package func renewPort() -> Bool { renewals.withLock { $0?.send() } != nil }

    /// Closes every connection of a device, e.g. because it was revoked.
    package func disconnect(_ device: DeviceID) {
        let channels = connections.withLock { $0.values.filter { $0.device == device }.map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Closes every connection whose device does not satisfy the condition.
    /// - Parameters:
    ///   - grace: for what is being said to that device, e.g. that it was revoked; no request of its is served any more
    ///     meanwhile.
    ///   - isAllowed: of a device, and how long ago its connection was accepted.
    package func disconnectAll(
        after grace: Duration = .zero, except isAllowed: (DeviceID, _ age: Duration) -> Bool
    ) {
        let now = NIODeadline.now()
        let channels = connections.withLock { connections in
            connections.compactMap { id, connection -> (any Channel)? in
                let age = Duration.nanoseconds((now - connection.since).nanoseconds)
                guard !connection.isLeaving, !isAllowed(connection.device, age) else { return nil }
                connections[id]?.isLeaving = true
                return connection.channel
            }
        }
        for channel in channels {
            guard grace > .zero else {
                channel.close(promise: nil)
                continue
            }
            channel.eventLoop.scheduleTask(in: TimeAmount(grace)) { channel.close(promise: nil) }
        }
    }

    private func device(of channel: any Channel) -> DeviceID? {
        connections.withLock { connections in
            connections[ObjectIdentifier(channel)].flatMap { $0.isLeaving ? nil : $0.device }
        }
    }

    private func secure(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture { [self] in
            guard DualStackListener.arrived(channel, on: interfaces), let address = channel.remoteAddress?.ipAddress
            else {
                throw BatonError(.permissionDenied, reason: "wrong_interface", "Not by an interface of the link.")
            }
            guard let ticket = gate.enter(address: address, close: { channel.close(promise: nil) }) else {
                throw ChannelError.eof
            }
            let guardHandler = LinkGuard(deadline: gate.deadline, onRefusal: policy.refusedByPeer) { [gate] in
                gate.leave(ticket)
            }
            let bound = NIOLoopBound(guardHandler, eventLoop: channel.eventLoop)
            let names = ByteToMessageHandler(
                SNIHandler { [self] result in
                    startTLS(channel, serverName: result, guardHandler: bound)
                })
            try channel.pipeline.syncOperations.addHandlers([names, guardHandler])
            try? channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        }
    }

    private func startTLS(
        _ channel: any Channel, serverName: SNIResult, guardHandler: NIOLoopBound<LinkGuard>
    ) -> EventLoopFuture<Void> {
        guard case .hostname(let name) = serverName, let tls = policy.tls(), policy.admits(name) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.eof)
        }
        return channel.eventLoop.makeCompletedFuture { [self] in
            let handler = tls.serverHandler(
                accepted: { [self] device in
                    // On the event loop: TLS calls this within the handshake.
                    if register(channel, device: device) { guardHandler.value.peerAccepted() }
                },
                refused: { [logger] error in
                    logger.debug("A device was refused", metadata: ["reason": "\(error.reason)"])
                })
            try channel.pipeline.syncOperations.addHandler(handler, position: .before(guardHandler.value))
        }
    }

    private func register(_ channel: any Channel, device: DeviceID) -> Bool {
        let id = ObjectIdentifier(channel)
        let isRegistered = connections.withLock { connections in
            guard connections.values.count(where: { $0.device == device }) < Self.maximumConnectionsPerDevice else {
                return false
            }
            connections[id] = Connection(device: device, channel: channel)
            return true
        }
        guard isRegistered else { return false }
        channel.closeFuture.whenComplete { [self] _ in _ = connections.withLock { $0.removeValue(forKey: id) } }
        // Asked once it is listed: a device that is revoked from now on is found there.
        guard policy.isWelcome(device) else {
            _ = connections.withLock { $0.removeValue(forKey: id) }
            return false
        }
        return true
    }
}
