import BatonClient
import BatonCore
package import BatonWire
import Glibc
import HummingbirdCore
package import Logging
import NIOCore
package import NIOSSL
import ServiceLifecycle
import Synchronization

/// Serves every caller over TLS or, behind a proxy that terminates TLS, in the clear. The methods authenticate the
/// caller.
package final class PublicServer: Service {
    package struct Settings: Sendable {
        /// Nil for every address of the machine.
        package var host: String?
        /// 0 for one that the system chooses.
        package var port: Int
        /// Asked for each connection, so that a certificate can be replaced; nil for plain HTTP. Where it has none, the
        /// connection is closed.
        package var tls: (@Sendable () -> NIOSSLContext?)?
        package var connections = PublicConnections.Limits(
            total: 20_000, perNetwork: 1024, perAccount: 512, perDevice: 64)
        package var limits = ConnectLimits.standard

        package init(host: String?, port: Int, tls: (@Sendable () -> NIOSSLContext?)?) {
            self.host = host
            self.port = port
            self.tls = tls
        }
    }

    private let settings: Settings
    private let responder: ConnectResponder
    /// Those over which no caller has proved who it is: at most half of all, so that they do not block others.
    private let gate: UnauthenticatedGate
    private let guests: Guests
    private let connections: PublicConnections
    private let logger: Logger
    private let onReady: @Sendable (_ port: Int) -> Void

    /// - Parameters:
    ///   - terms: what the body of a request may cost, judging by its head; throws for one that is not to be read.
    ///   - onReady: called with the port when callers can connect.
    package init(
        router: ConnectRouter, settings: Settings,
        terms: @escaping @Sendable (_ path: String, _ context: CallContext) throws -> BodyTerms, logger: Logger,
        onReady: @escaping @Sendable (_ port: Int) -> Void
    ) {
        self.settings = settings
        let most = min(1024, max(1, settings.connections.total / 2))
        let gate = UnauthenticatedGate(maximum: most, maximumPerAddress: min(256, most), deadline: .seconds(10))
        let guests = Guests()
        self.gate = gate
        self.guests = guests
        connections = PublicConnections(limits: settings.connections)
        responder = ConnectResponder(
            router: router, limits: settings.limits, terms: terms, connections: connections,
            proved: { guests.leave($0, gate) }, logger: logger)
        self.logger = logger
        self.onReady = onReady
    }

    package var connectionCount: Int { connections.count }

    /// - Throws: `failed_precondition` `cannot_listen` when the address is not free, or not this machine's.
    package func run() async throws {
        do {
            try await listen()
        } catch let error as IOError {
            throw BatonError(
                .failedPrecondition, reason: "cannot_listen",
                "The server cannot listen on port \(settings.port): \(String(cString: strerror(error.errnoCode))). "
                    + "Choose another address, or end the program that uses it.", cause: error)
        }
    }

    private func listen() async throws {
        let channel = PlaneChannel(
            responder: responder, prepare: { [self] in prepare($0) },
            peer: { .stranger(address: $0.remoteAddress?.ipAddress ?? "") })
        guard let host = settings.host else {
            return try await DualStackListener.run(
                channel, port: settings.port, backlog: 1024, logger: logger, onReady: onReady)
        }
        let configuration = ServerConfiguration(address: .hostname(host, port: settings.port), backlog: 1024)
        try await DualStackListener.server(
            channel, configuration, logger: logger, onListening: { [onReady] in onReady($0.localAddress?.port ?? 0) }
        ).run()
    }

    private func prepare(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture { [self] in
            let id = ObjectIdentifier(channel)
            guard let address = channel.remoteAddress?.ipAddress,
                connections.enter(id, address: address, close: { Self.cut(channel) })
            else { throw ChannelError.eof }
            channel.closeFuture.whenComplete { [connections] _ in connections.leave(id) }
            try? channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
            guard let tls = settings.tls else { return }
            guard let context = tls() else { throw ChannelError.eof }
            guard let ticket = gate.enter(address: address, close: { Self.cut(channel) }) else {
                throw ChannelError.eof
            }
            guests.enter(channel, ticket)
            channel.closeFuture.whenComplete { [guests, gate] _ in guests.leave(channel, gate) }
            let timer = channel.eventLoop.scheduleTask(in: gate.deadline) { channel.close(promise: nil) }
            let watch = HandshakeWatch { timer.cancel() }
            try channel.pipeline.syncOperations.addHandlers([NIOSSLServerHandler(context: context), watch])
        }
    }

    /// Closes a connection at once: TLS would wait for the other side to take leave, and it would keep its place.
    private static func cut(_ channel: any Channel) {
        channel.eventLoop.execute {
            guard
                let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            else { return channel.close(promise: nil) }
            tls.close(promise: nil)
        }
    }
}

/// Which connection has which place at the gate.
private final class Guests: Sendable {
    /// Bound: the gate's.
    private let tickets = Mutex<[ObjectIdentifier: UnauthenticatedGate.Ticket]>([:])

    func enter(_ channel: any Channel, _ ticket: UnauthenticatedGate.Ticket) {
        tickets.withLock { $0[ObjectIdentifier(channel)] = ticket }
    }

    /// Any number of times.
    func leave(_ channel: any Channel, _ gate: UnauthenticatedGate) {
        guard let ticket = tickets.withLock({ $0.removeValue(forKey: ObjectIdentifier(channel)) }) else { return }
        gate.leave(ticket)
    }
}
