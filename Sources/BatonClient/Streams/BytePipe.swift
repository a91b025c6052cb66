package import NIOCore

/// A connection that was upgraded to a pipe of bytes and has no reader yet.
///
/// Bytes that arrived already are kept, at most one read; nothing more is read until a handler is installed.
package struct BytePipe: Sendable {
    package let channel: any Channel
    private let holder: NIOLoopBound<PipeHolder>

    /// Call on the channel's event loop; `holder` is the last handler of its pipeline.
    package init(channel: any Channel, holder: PipeHolder) {
        self.channel = channel
        self.holder = NIOLoopBound(holder, eventLoop: channel.eventLoop)
    }

    /// Wraps a connection that is used for nothing else from now on. Call on the channel's event loop.
    package init(upgraded channel: any Channel) throws {
        let holder = PipeHolder()
        try channel.pipeline.syncOperations.addHandler(holder)
        try channel.syncOptions?.setOption(.autoRead, value: false)
        self.init(channel: channel, holder: holder)
    }

    /// Reads as much at once as a pipe that is full brings. Call on the channel's event loop.
    package func readMuch() throws {
        try channel.syncOptions?.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 16 << 10, maximum: 256 << 10)
        )
    }

    package func close() { channel.close(promise: nil) }

    /// Hands the pipe over to a handler of `ByteBuffer`s, once. Call on the channel's event loop. The handler gets what
    /// has come already, and asks for more.
    /// - Throws: when the connection is closed.
    package func install(_ handler: some ChannelHandler) throws {
        channel.eventLoop.preconditionInEventLoop()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(handler, position: .after(holder.value))
        pipeline.removeHandler(holder.value, promise: nil)
    }
}

/// Keeps what comes before the pipe has a reader.
package final class PipeHolder: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private var held: [ByteBuffer]
    /// The next handler asks for more while it is given what was held.
    private var isReleased = false

    package init(_ first: ByteBuffer = ByteBuffer()) { held = first.readableBytes > 0 ? [first] : [] }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) { held.append(unwrapInboundIn(data)) }

    package func channelReadComplete(context: ChannelHandlerContext) {}

    package func read(context: ChannelHandlerContext) {
        if isReleased { context.read() }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    package func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        isReleased = true
        for buffer in held { context.fireChannelRead(wrapInboundOut(buffer)) }
        held = []
        context.fireChannelReadComplete()
        context.leavePipeline(removalToken: removalToken)
    }
}
