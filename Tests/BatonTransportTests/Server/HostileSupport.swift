import NIOCore
import NIOPosix

/// Numbers that a seed reproduces.
struct SeededBytes {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// Below `bound`.
    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: state >> 33) % max(bound, 1)
    }
}

/// Listens and takes down the first bytes that a client says.
enum HelloCatcher {
    static func start(_ found: @escaping @Sendable ([UInt8]) -> Void) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Catcher(found))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private final class Catcher: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let found: ([UInt8]) -> Void
        init(_ found: @escaping ([UInt8]) -> Void) { self.found = found }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            found(Array(unwrapInboundIn(data).readableBytesView))
        }
    }
}
