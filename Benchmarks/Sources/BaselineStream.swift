import BatonClient
import BatonCore
import BatonTransport
import BatonWire
import Foundation
import LinkClient
import NIOCore
import SwiftProtobuf

/// The measure of continuation streams: bytes over one connection of mutual TLS 1.3 between the two namespaces, with
/// nothing else between the two sockets.
enum BaselineStream {
    static let method = ConnectMethod<Google_Protobuf_UInt32Value, Google_Protobuf_Empty>("benchmark.Baseline", "Pour")
    private static let chunk = 256 << 10

    /// Sends so many MiB and waits until the other side has them.
    static func pour(_ megabytes: UInt32, over pipe: BytePipe) async throws {
        let bytes = ByteBuffer(repeating: 0x5A, count: chunk)
        var underWay: [EventLoopFuture<Void>] = []
        for _ in 0..<Int(megabytes) * ((1 << 20) / chunk) {
            underWay.append(pipe.channel.writeAndFlush(bytes))
            // A few at once, so that the socket never waits for the next one.
            if underWay.count == 4 { try await underWay.removeFirst().get() }
        }
        try await pipe.channel.closeFuture.get()
    }

    /// - Returns: the nanoseconds from the request to the last byte.
    static func fetch(_ megabytes: UInt32, host: String, port: Int) async throws -> UInt64 {
        let (tls, _) = try Baseline.makeTLS()
        let connection = try await LinkConnector().connectChannel(
            host: host, port: port, serverName: "a.b.baton", tls: tls
        ).connection
        let begin = monotonicNanoseconds()
        let pipe = try await BytePipe.open(
            method, Google_Protobuf_UInt32Value(megabytes), over: connection.channel, timeout: .seconds(10))
        let end = pipe.channel.eventLoop.makePromise(of: UInt64.self)
        try await pipe.channel.eventLoop.submit {
            try pipe.install(Counter(until: Int(megabytes) << 20, end))
            try pipe.channel.syncOptions?.setOption(.autoRead, value: true)
        }.get()
        return try await end.futureResult.get() - begin
    }

    /// Throws bytes away and counts them.
    private final class Counter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private var remaining: Int
        private var promise: EventLoopPromise<UInt64>?

        init(until count: Int, _ promise: EventLoopPromise<UInt64>) {
            remaining = count
            self.promise = promise
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            remaining -= unwrapInboundIn(data).readableBytes
            guard remaining <= 0 else { return }
            promise?.succeed(monotonicNanoseconds())
            promise = nil
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise?.fail(ChannelError.eof)
            promise = nil
        }
    }
}
