import BatonTestSupport
import NIOCore
import NIOPosix
import NIOSSL

/// A server that does not behave, on a port of the loopback.
struct HostileSite {
    enum Behaviour: Sendable {
        /// Says this when it is asked, then closes or goes silent.
        case once(String, closes: Bool)
        /// Says this, then more and more, for as long as a client reads.
        case endless(String, chunked: Bool = false)
    }

    private let channel: any Channel

    var port: Int { channel.localAddress?.port ?? 0 }

    /// - Parameter leaf: nil for a server without TLS.
    init(_ leaf: TestAuthority.Leaf?, _ behaviour: Behaviour) async throws {
        let context = try leaf.map { leaf in
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(leaf.certificate.utf8))
                        .map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(leaf.key.utf8), format: .pem))))
        }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(behaviour))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func end() async { try? await channel.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let behaviour: Behaviour
        private var hasAnswered = false

        init(_ behaviour: Behaviour) { self.behaviour = behaviour }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasAnswered else { return }
            hasAnswered = true
            switch behaviour {
            case .once(let text, let closes):
                let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenComplete { _ in
                    if closes { bound.value.close(promise: nil) }
                }
            case .endless(let text, _):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                sendMore(context)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func sendMore(_ context: ChannelHandlerContext) {
            guard case .endless(_, let chunked) = behaviour, context.channel.isActive else { return }
            let more = String(repeating: "x", count: 4096)
            let loop = context.eventLoop
            let bound = NIOLoopBound((self, context), eventLoop: loop)
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: chunked ? "1000\r\n\(more)\r\n" : more)))
                .whenSuccess {
                    // In a turn of its own: a write may be done at once, and the stack is not endless.
                    loop.execute {
                        let (handler, context) = bound.value
                        handler.sendMore(context)
                    }
                }
        }
    }
}
