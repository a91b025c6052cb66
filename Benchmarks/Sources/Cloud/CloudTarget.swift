import BatonClient
import BatonCloud
import BatonWire
import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A `baton-cloud` on the loopback.
struct CloudTarget: Sendable {
    let port: Int
    /// SHA-256 of its certificate (32 bytes).
    let fingerprint: Data
    private let context: NIOSSLContext

    var authority: String { "127.0.0.1:\(port)" }

    /// - Parameter fingerprint: 64 hexadecimal digits.
    init(port: Int, fingerprint: String) throws {
        self.port = port
        self.fingerprint = BlobHash(hexadecimal: fingerprint)?.bytes ?? Data()
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .noHostnameVerification
        context = try NIOSSLContext(configuration: configuration)
    }

    /// - Parameter number: of the device, which calls from an address of its own, as devices do: a server bounds what
    ///   comes from one.
    func connect(
        from number: Int, authorization: @escaping @Sendable () -> String?
    ) async throws -> HTTPConnection {
        let (context, fingerprint, authority) = (context, fingerprint, authority)
        let source = try SocketAddress(ipAddress: "127.1.\(number / 250).\(1 + number % 250)", port: 0)
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(30))
            .bind(to: source)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil) { certificates, promise in
                            let bytes = try? certificates.first?.toDERBytes()
                            let isRight = bytes.map { Data(SHA256.hash(data: $0)) } == fingerprint
                            promise.succeed(isRight ? .certificateVerified : .failed)
                        })
                    return try HTTPConnection(
                        channel: channel, host: authority, limits: ConnectLimits(maximumMessageSize: 8 << 20),
                        authorization: authorization)
                }
            }
    }
}
