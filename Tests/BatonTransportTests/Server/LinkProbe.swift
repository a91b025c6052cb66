import BatonCore
import BatonTransport
import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// A connection of an improper client: raw bytes, or TLS as one likes; it notes all that is answered.
final class LinkProbe: Sendable {
    private struct State {
        var received = 0
        var plaintext: [UInt8] = []
        var certificates = 0
        var isDone = false
    }

    /// The behaviour in the TLS handshake.
    struct Handshake: Sendable {
        var serverName: String?
        var version = TLSVersion.tlsv13
        /// DER certificates, the own first, and its key.
        var chain: [[UInt8]] = []
        var key: P256.Signing.PrivateKey?
    }

    let channel: any Channel
    private let state: State_

    private final class State_: Sendable {
        let value = Mutex(State())
    }

    /// Bytes that the server sent, in whatever form.
    var received: Int { state.value.withLock { $0.received } }
    /// The bytes received through TLS.
    var plaintext: [UInt8] { state.value.withLock { $0.plaintext } }
    /// How many certificates the server showed.
    var certificates: Int { state.value.withLock { $0.certificates } }
    /// Whether TLS was done from this side's view.
    var isDone: Bool { state.value.withLock { $0.isDone } }

    private init(channel: any Channel, state: State_) {
        self.channel = channel
        self.state = state
    }

    static func open(
        port: Int, from source: String = "127.0.0.1", handshake: Handshake? = nil
    ) async throws -> LinkProbe {
        let state = State_()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: try SocketAddress(ipAddress: source, port: 0))
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(Reader { count, _ in state.value.withLock { $0.received += count } })
                    guard let handshake else { return }
                    try pipeline.addHandler(tls(handshake, state))
                    try pipeline.addHandler(
                        Reader(onDone: { state.value.withLock { $0.isDone = true } }) { _, bytes in
                            state.value.withLock { $0.plaintext += bytes }
                        })
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return LinkProbe(channel: channel, state: state)
    }

    private static func tls(_ handshake: Handshake, _ state: State_) throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.maximumTLSVersion = handshake.version
        configuration.trustRoots = .certificates([])
        configuration.certificateVerification = .noHostnameVerification
        if let key = handshake.key {
            configuration.certificateChain = try handshake.chain.map {
                .certificate(try NIOSSLCertificate(bytes: $0, format: .der))
            }
            configuration.privateKey = .privateKey(
                try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))
        }
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: handshake.serverName,
            customVerificationCallback: { certificates, promise in
                state.value.withLock { $0.certificates = certificates.count }
                promise.succeed(.certificateVerified)
            })
    }

    /// Returns when the bytes were taken by the socket, or could not be.
    func send(_ bytes: [UInt8]) async {
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    func send(_ text: String) async { await send(Array(text.utf8)) }

    func close() { channel.close(promise: nil) }

    /// Whether the other side closed the connection.
    func isClosed(within duration: Duration = .seconds(10)) async -> Bool {
        let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
        channel.closeFuture.whenComplete { _ in continuation.finish() }
        let error = BatonError(.deadlineExceeded, reason: "still_open", "The connection is still open.")
        return
            (try? await withDeadline(duration, error: error) {
                for await _ in closed {}
                try Task.checkCancellation()
                return true
            }) ?? false
    }
}

private final class Reader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let onDone: () -> Void
    private let onRead: (Int, [UInt8]) -> Void

    init(onDone: @escaping () -> Void = {}, onRead: @escaping (Int, [UInt8]) -> Void) {
        self.onDone = onDone
        self.onRead = onRead
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        onRead(buffer.readableBytes, Array(buffer.readableBytesView))
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { onDone() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
