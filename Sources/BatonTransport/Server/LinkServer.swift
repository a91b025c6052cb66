package import BatonClient
package import BatonCore
package import BatonWire
import Foundation
import HummingbirdCore
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
    /// What the account says about connections. The closures are called on event loops and must not block.
    package struct Policy: Sendable {
        /// Whether the server name is a token of this account, not used before.
        package var admits: @Sendable (_ serverName: String) -> Bool
        /// Nil while there is no account.
        package var tls: @Sendable () -> LinkTLS?
        /// Whether a device whose certificates were accepted is still to be served. It may be revoked just then.
        package var isWelcome: @Sendable (DeviceID) -> Bool
        /// Somebody who could make a server name of the account refused this device's certificate.
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
    private let logger: Logger
    private let onReady: @Sendable (_ port: Int) -> Void
    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    /// Of one device; it needs one for presence and a few for calls.
    private static let maximumConnectionsPerDevice = 32

    /// - Parameters:
    ///   - interfaces: only connections that arrive on these are accepted; nil for all.
    ///   - onReady: called with the port that the system chose.
    package init(
        router: ConnectRouter, policy: Policy, gate: UnauthenticatedGate = UnauthenticatedGate(),
        limits: ConnectLimits = .standard, interfaces: [String]?, logger: Logger,
        onReady: @escaping @Sendable (_ port: Int) -> Void
    ) {
        self.policy = policy
        self.responder = ConnectResponder(router: router, limits: limits, logger: logger)
        self.gate = gate
        self.interfaces = interfaces
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        let channel = PlaneChannel(
            responder: responder,
            prepare: { [self] in secure($0) },
            peer: { [self] in device(of: $0).map(CallContext.Peer.device) })
        try await DualStackListener.run(channel, logger: logger, onReady: onReady)
    }

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
            let ticket = gate.enter(address: address) { channel.close(promise: nil) }
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
        // Asked once it is listed: whoever is revoked from now on is found there.
        guard policy.isWelcome(device) else {
            _ = connections.withLock { $0.removeValue(forKey: id) }
            return false
        }
        return true
    }
}

/// Lets no byte through in either direction until TLS has proved who is there, and waits for that a few seconds only.
private final class LinkGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let deadline: TimeAmount
    private let onRefusal: () -> Void
    private var onEnd: (() -> Void)?
    private var timer: Scheduled<Void>?
    private var isAccepted = false
    private var isOpen = false

    init(deadline: TimeAmount, onRefusal: @escaping () -> Void, onEnd: @escaping () -> Void) {
        self.deadline = deadline
        self.onRefusal = onRefusal
        self.onEnd = onEnd
    }

    func peerAccepted() { isAccepted = true }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: deadline) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event {
            guard isAccepted else {
                context.close(promise: nil)
                return
            }
            isOpen = true
            end()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOpen { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOpen else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isOpen, case NIOSSLError.handshakeFailed(let cause) = error, Self.isCertificateAlert(cause) { onRefusal() }
        // What TLS does not like ends the connection; nobody behind needs to know.
        context.close(promise: nil)
    }

    /// Whether the peer said (a TLS alert) that it does not accept this device's certificate.
    private static func isCertificateAlert(_ error: BoringSSLError) -> Bool {
        guard case .sslError(let stack) = error else { return false }
        return stack.contains { entry in
            let text = String(describing: entry)
            return text.contains("ALERT") && text.contains("CERTIFICATE")
        }
    }

    private func end() {
        timer?.cancel()
        timer = nil
        onEnd?()
        onEnd = nil
    }
}
