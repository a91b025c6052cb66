package import BatonClient
package import BatonCore
import BatonWire
import Crypto
package import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Makes connections to a cloud, each after TLS has proved who is there.
package struct CloudConnector: Sendable {
    private static let timeout = TimeAmount.seconds(15)
    /// A page has 4 MiB of contents, and what surrounds them.
    private static let limits = ConnectLimits(maximumMessageSize: 8 << 20)

    package let address: CloudAddress
    private let context: NIOSSLContext

    /// Reads the system's authorities when they are to be trusted. Blocks.
    /// - Parameter authorities: a file in PEM instead of the system's; for companies and tests.
    package init(address: CloudAddress, authorities: String? = nil) throws(BatonError) {
        self.address = address
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            if case .fingerprint = address.trust {
                configuration.certificateVerification = .noHostnameVerification
            } else if let authorities {
                configuration.trustRoots = .file(authorities)
            }
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw BatonError(
                .failedPrecondition, reason: "no_authorities",
                authorities.map { "“\($0)” cannot be read as a file of authorities' certificates in PEM form." }
                    ?? "The certificates of the authorities to trust cannot be read. Install ca-certificates.",
                cause: error)
        }
    }

    /// - Parameter authorization: asked for the `Authorization` of each call.
    /// - Returns: the connection, and the SHA-256 of the certificate that the server showed.
    /// - Throws: `unavailable` when no server answers; `unauthenticated` when it is not who it must be.
    package func connect(
        authorization: @escaping @Sendable () -> String? = { nil }
    ) async throws -> (connection: HTTPConnection, certificate: Data) {
        let findings = TLSFindings()
        let (address, context) = (address, context)
        let connection: HTTPConnection
        do {
            connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(Self.timeout)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(Self.handler(context, address, findings))
                        try pipeline.addHandler(HandshakeHandler(promise: findings.promise(on: channel.eventLoop)))
                        return try HTTPConnection(
                            channel: channel, host: address.authority, limits: Self.limits, authorization: authorization
                        )
                    }
                }
        } catch {
            throw Self.unreachable(address, error)
        }
        let deadline = connection.channel.eventLoop.scheduleTask(in: Self.timeout) {
            connection.channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await findings.handshake()
            } onCancel: {
                connection.channel.close(promise: nil)
            }
        } catch {
            connection.channel.close(promise: nil)
            guard findings.wasRefused || Self.isUnproved(error) else { throw Self.unreachable(address, error) }
            throw findings.wasRefused
                ? BatonError(
                    .unauthenticated, reason: "other_certificate",
                    "\(address.url) shows another certificate than the expected one. If its operator made a new "
                        + "one, log in again with its fingerprint; else the connection may be intercepted.",
                    cause: error)
                : BatonError(
                    .unauthenticated, reason: "cloud_not_proved",
                    "\(address.url) could not prove who it is. Give the fingerprint that baton-cloud printed (“--fingerprint”), "
                        + "or get it a certificate that this system trusts.", cause: error)
        }
        return (connection, try await Self.certificate(of: connection))
    }

    private static func unreachable(_ address: CloudAddress, _ cause: any Error) -> BatonError {
        guard !isUnresolved(cause) else {
            return BatonError(
                .unavailable, reason: "cloud_name_unknown",
                "No address is known for “\(address.host)”. Check how the name is written, and whether this machine has a "
                    + "name server that answers (/etc/resolv.conf).", cause: cause)
        }
        return BatonError(
            .unavailable, reason: "cloud_unreachable",
            "No server answers at \(address.url). Check the network, the address, and that baton-cloud runs there.",
            cause: cause)
    }

    /// Whether there was no address that could have been tried.
    private static func isUnresolved(_ error: any Error) -> Bool {
        if case .unknown = error as? SocketAddressError { return true }
        return (error as? NIOConnectionError)?.connectionErrors.isEmpty ?? false
    }

    /// Whether the handshake failed by what the server said: one that went away in the middle has proved nothing wrong.
    private static func isUnproved(_ error: any Error) -> Bool {
        if error is NIOSSLExtraError { return true }
        guard case .handshakeFailed(.sslError(let stack)) = error as? NIOSSLError else { return false }
        return stack.contains { $0 != .eofDuringHandshake }
    }

    private static func handler(
        _ context: NIOSSLContext, _ address: CloudAddress, _ findings: TLSFindings
    ) throws -> NIOSSLClientHandler {
        // An address is no name that TLS could ask for.
        let isAddress = (try? SocketAddress(ipAddress: address.host, port: 0)) != nil
        let name = isAddress ? nil : address.host
        guard case .fingerprint(let fingerprint) = address.trust else {
            return try NIOSSLClientHandler(context: context, serverHostname: name)
        }
        return try NIOSSLClientHandler(context: context, serverHostname: name) { certificates, promise in
            let bytes = try? certificates.first?.toDERBytes()
            let isRight = bytes.map { Data(SHA256.hash(data: $0)) } == fingerprint
            if !isRight { findings.refuse() }
            promise.succeed(isRight ? .certificateVerified : .failed)
        }
    }

    private static func certificate(of connection: HTTPConnection) async throws -> Data {
        let channel = connection.channel
        let bytes = try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.nioSSL_peerCertificate()?.toDERBytes() ?? []
        }.get()
        return Data(SHA256.hash(data: bytes))
    }
}

/// The result of the TLS handshake, gathered from the event loop.
private final class TLSFindings: Sendable {
    private let state = Mutex<(isRefused: Bool, handshake: EventLoopFuture<Void>?)>((false, nil))

    func refuse() { state.withLock { $0.isRefused = true } }

    var wasRefused: Bool { state.withLock { $0.isRefused } }

    func promise(on eventLoop: any EventLoop) -> EventLoopPromise<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        state.withLock { $0.handshake = promise.futureResult }
        return promise
    }

    func handshake() async throws { try await state.withLock { $0.handshake }?.get() }
}
