package import BatonClient
package import BatonCore
package import BatonWire
package import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Makes connections to other devices of the account.
package struct LinkConnector: Sendable {
    private let eventLoopGroup: any EventLoopGroup
    private let limits: ConnectLimits
    private let timeout: Duration

    /// - Parameter timeout: for TCP and TLS together.
    package init(limits: ConnectLimits = .standard, timeout: Duration = .seconds(5)) {
        eventLoopGroup = MultiThreadedEventLoopGroup.singleton
        self.limits = limits
        self.timeout = timeout
    }

    /// - Parameters:
    ///   - serverName: the token that proves membership of the account to the listener, fresh for each connection.
    /// - Returns: the connection, after TLS has proved the peer's identity.
    /// - Throws: `unavailable` when there is no route or no listener; `unauthenticated` or `permission_denied` when
    ///   the certificates do not hold; `deadline_exceeded`.
    package func connect(
        host: String, port: Int, serverName: String, tls: LinkTLS
    ) async throws -> (connection: HTTPConnection, peer: DeviceID) {
        try await connect(host: host, port: port, serverName: serverName, tls: tls) { [limits] channel in
            try HTTPConnection(channel: channel, host: "baton", limits: limits)
        }
    }

    /// The same without HTTP, for a connection that becomes a pipe of bytes.
    package func connectChannel(
        host: String, port: Int, serverName: String, tls: LinkTLS
    ) async throws -> (connection: LinkChannel, peer: DeviceID) {
        try await connect(host: host, port: port, serverName: serverName, tls: tls) { LinkChannel(channel: $0) }
    }

    private func connect<Connection: LinkChannelOwner>(
        host: String, port: Int, serverName: String, tls: LinkTLS,
        prepare: @escaping @Sendable (any Channel) throws -> Connection
    ) async throws -> (connection: Connection, peer: DeviceID) {
        let verdict = Verdict()
        let connection: Connection
        do {
            connection = try await ClientBootstrap(group: eventLoopGroup)
                .connectTimeout(TimeAmount(timeout))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try tls.clientHandler(
                            serverName: serverName, accepted: verdict.accept, refused: verdict.refuse)
                        try channel.pipeline.syncOperations.addHandler(handler)
                        try channel.pipeline.syncOperations.addHandler(
                            HandshakeHandler(promise: verdict.promise(on: channel.eventLoop)))
                        return try prepare(channel)
                    }
                }
        } catch {
            throw BatonError(
                .unavailable, reason: "connection_failed",
                "No connection to \(host) port \(port) could be made. The device may be off or on another network.",
                cause: error)
        }
        let deadline = connection.channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) {
            connection.channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await verdict.handshake()
            } onCancel: {
                connection.channel.close(promise: nil)
            }
            return (connection, try verdict.peer())
        } catch {
            connection.channel.close(promise: nil)
            throw verdict.error
                ?? BatonError(
                    .unauthenticated, reason: "handshake_failed",
                    "The device at \(host) port \(port) did not prove that it belongs to this account, or did not accept "
                        + "this device.", cause: error)
        }
    }
}

private protocol LinkChannelOwner: Sendable {
    var channel: any Channel { get }
}

extension HTTPConnection: LinkChannelOwner {}

/// A connection to another device over which nothing was sent.
package struct LinkChannel: LinkChannelOwner {
    package let channel: any Channel

    package func close() { channel.close(promise: nil) }
}

/// The result of the TLS handshake, gathered from the event loop.
private final class Verdict: Sendable {
    private struct State {
        var peer: DeviceID?
        var error: BatonError?
        var handshake: EventLoopFuture<Void>?
    }

    private let state = Mutex(State())

    var accept: @Sendable (DeviceID) -> Void {
        { device in self.state.withLock { $0.peer = device } }
    }

    var refuse: @Sendable (BatonError) -> Void {
        { error in self.state.withLock { $0.error = error } }
    }

    var error: BatonError? { state.withLock { $0.error } }

    func promise(on eventLoop: any EventLoop) -> EventLoopPromise<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        state.withLock { $0.handshake = promise.futureResult }
        return promise
    }

    func handshake() async throws {
        try await state.withLock { $0.handshake }?.get()
    }

    func peer() throws -> DeviceID {
        guard let peer = state.withLock({ $0.peer }) else {
            throw BatonError(
                .unauthenticated, reason: "no_certificate", "The other device showed no certificate.")
        }
        return peer
    }
}
