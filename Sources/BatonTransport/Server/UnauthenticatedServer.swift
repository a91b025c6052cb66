import BatonWire
import HummingbirdCore
package import Logging
package import NIOCore
package import NIOSSL
import NIOTLS
import ServiceLifecycle

/// Serves anybody who reaches its port, while a person pairs or may be seen by everyone.
///
/// Without TLS only messages that bring their own proof belong here.
package final class UnauthenticatedServer: Service {
    package enum Security: Sendable {
        /// Connections in the clear.
        case none
        /// TLS, the same for everybody.
        case tls(NIOSSLContext)
        /// TLS that follows from the server name which the client sends in the clear. Called on an event loop.
        case byServerName(@Sendable (_ name: String?, any Channel) throws -> Admission)
    }

    /// The treatment of one client, by the server name that it sent.
    package enum Admission {
        /// Nothing is answered, and no certificate shown.
        case refused
        /// Anybody: counts among the strangers for as long as it stays.
        case stranger(NIOSSLContext)
        /// It has to prove itself, and then counts among the strangers no more. The handler calls its argument, within the
        /// handshake, when the client's certificate is the right one.
        case known((_ proved: @escaping @Sendable () -> Void) throws -> NIOSSLServerHandler)
    }

    private let responder: ConnectResponder
    private let gate: UnauthenticatedGate
    private let interfaces: [String]?
    private let port: Int
    private let security: Security
    private let logger: Logger
    private let onReady: @Sendable (_ port: Int) -> Void

    /// - Parameters:
    ///   - port: 0 for one that the system chooses, as it does when the port is taken.
    package init(
        router: ConnectRouter, interfaces: [String]?, port: Int = 0, security: Security = .none,
        gate: UnauthenticatedGate = UnauthenticatedGate(maximum: 32, maximumPerAddress: 4, deadline: .seconds(180)),
        logger: Logger, onReady: @escaping @Sendable (_ port: Int) -> Void
    ) {
        responder = ConnectResponder(
            router: router, limits: .unauthenticated,
            terms: ByteBudget.strangers.terms(limits: .unauthenticated, timeout: .seconds(5)), logger: logger)
        self.gate = gate
        self.interfaces = interfaces
        self.port = port
        self.security = security
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        let channel = PlaneChannel(
            responder: responder,
            prepare: { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard DualStackListener.arrived(channel, on: interfaces),
                        let address = channel.remoteAddress?.ipAddress
                    else { throw ChannelError.eof }
                    guard
                        let ticket = gate.enter(
                            address: address, connection: ObjectIdentifier(channel),
                            close: { channel.close(promise: nil) })
                    else { throw ChannelError.eof }
                    let timer = channel.eventLoop.scheduleTask(in: gate.deadline) { channel.close(promise: nil) }
                    channel.closeFuture.whenComplete { [gate] _ in
                        timer.cancel()
                        gate.leave(ticket)
                    }
                    switch security {
                    case .none: break
                    case .tls(let context):
                        let watch = HandshakeWatch { [gate] in gate.secured(ticket) }
                        try channel.pipeline.syncOperations.addHandlers([NIOSSLServerHandler(context: context), watch])
                    case .byServerName(let admit):
                        try secure(channel, admit, { [gate] in gate.secured(ticket) }) { [gate] in
                            timer.cancel()
                            gate.leave(ticket)
                        }
                    }
                }
            },
            peer: { .stranger(address: $0.remoteAddress?.ipAddress ?? "") })
        do {
            try await DualStackListener.run(channel, port: port, logger: logger, onReady: onReady)
        } catch let error where DualStackListener.isTaken(error) && port != 0 {
            try await DualStackListener.run(channel, logger: logger, onReady: onReady)
        }
    }

    /// No byte passes before TLS is done, which may take a few seconds.
    private func secure(
        _ channel: any Channel, _ admit: @escaping @Sendable (String?, any Channel) throws -> Admission,
        _ secured: @escaping @Sendable () -> Void, _ proved: @escaping @Sendable () -> Void
    ) throws {
        let guardHandler = LinkGuard(deadline: Self.handshakeTime) { secured() }
        let bound = NIOLoopBound(guardHandler, eventLoop: channel.eventLoop)
        let names = ByteToMessageHandler(
            SNIHandler { result in
                var name: String?
                if case .hostname(let text) = result { name = text }
                return channel.eventLoop.makeCompletedFuture {
                    let handler: NIOSSLServerHandler
                    switch try admit(name, channel) {
                    case .refused:
                        channel.close(promise: nil)
                        throw ChannelError.eof
                    case .stranger(let context):
                        handler = NIOSSLServerHandler(context: context)
                        bound.value.peerAccepted()
                    case .known(let make):
                        handler = try make {
                            // On the event loop: TLS calls this within the handshake.
                            bound.value.peerAccepted()
                            proved()
                        }
                    }
                    try channel.pipeline.syncOperations.addHandler(handler, position: .before(bound.value))
                }
            })
        try channel.pipeline.syncOperations.addHandlers([names, guardHandler])
    }

    private static let handshakeTime = TimeAmount.seconds(10)
}
