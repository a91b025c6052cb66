import BatonWire
import HummingbirdCore
package import Logging
import NIOCore
package import NIOSSL
import ServiceLifecycle

/// Serves anybody who reaches its port, while a person pairs or may be seen by everyone.
///
/// Without TLS only messages that bring their own proof belong here.
package final class StrangerServer: Service {
    private let responder: ConnectResponder
    private let gate: UnauthenticatedGate
    private let interfaces: [String]?
    private let port: Int
    private let tls: NIOSSLContext?
    private let logger: Logger
    private let onReady: @Sendable (_ port: Int) -> Void

    /// - Parameters:
    ///   - port: 0 for one that the system chooses, as it does when the port is taken.
    ///   - tls: nil for connections in the clear.
    package init(
        router: ConnectRouter, interfaces: [String]?, port: Int = 0, tls: NIOSSLContext? = nil,
        gate: UnauthenticatedGate = UnauthenticatedGate(maximum: 32, maximumPerAddress: 4, deadline: .seconds(180)),
        logger: Logger, onReady: @escaping @Sendable (_ port: Int) -> Void
    ) {
        responder = ConnectResponder(
            router: router, limits: .unauthenticated,
            terms: ByteBudget.strangers.terms(limits: .unauthenticated, timeout: .seconds(5)), logger: logger)
        self.gate = gate
        self.interfaces = interfaces
        self.port = port
        self.tls = tls
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        let channel = PlaneChannel(
            responder: responder,
            prepare: { [gate, interfaces, tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard DualStackListener.arrived(channel, on: interfaces),
                        let address = channel.remoteAddress?.ipAddress
                    else { throw ChannelError.eof }
                    let ticket = gate.enter(address: address) { channel.close(promise: nil) }
                    let timer = channel.eventLoop.scheduleTask(in: gate.deadline) { channel.close(promise: nil) }
                    channel.closeFuture.whenComplete { _ in
                        timer.cancel()
                        gate.leave(ticket)
                    }
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
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
}
