import BatonCore
package import BatonWire
package import NIOCore
import NIOPosix
import SwiftProtobuf

extension BytePipe {
    /// Upgrades a new connection, over which nothing was sent.
    /// - Parameters:
    ///   - claim: who calls, for the app plane.
    ///   - timeout: until the other side has agreed.
    /// - Throws: ``BatonError``: the other side's refusal, `unavailable` when the connection broke, `deadline_exceeded`.
    package static func open<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, over channel: any Channel,
        claim: AppClaim? = nil, timeout: Duration
    ) async throws -> BytePipe {
        var body = ByteBuffer()
        body.writeBytes(try request.serializedBytes() as [UInt8])
        var message = ByteBuffer()
        var head = PipeHead(
            start: "POST \(method.path) HTTP/1.1",
            fields: [
                "host": "baton", "connection": "Upgrade", "upgrade": PipeHead.upgrade,
                "content-type": ConnectCodec.proto.unaryContentType, "content-length": String(body.readableBytes),
            ])
        for field in claim?.fields ?? [] { head.fields[field.name] = field.value }
        head.write(into: &message)
        message.writeBuffer(&body)
        let promise = channel.eventLoop.makePromise(of: BytePipe.self)
        channel.eventLoop.execute { [message] in
            do {
                try channel.syncOptions?.setOption(.autoRead, value: false)
                try channel.pipeline.syncOperations.addHandler(
                    PipeOpeningHandler(request: message, timeout: TimeAmount(timeout), promise: promise))
            } catch {
                promise.fail(PipeOpeningHandler.closed)
            }
        }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    /// To the daemon, over its unix socket.
    package static func open<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, socketPath: String, claim: AppClaim? = nil,
        timeout: Duration
    ) async throws -> BytePipe {
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: socketPath).get()
        } catch {
            throw BatonError(
                .unavailable, reason: "daemon_not_running", "The daemon does not answer at \(socketPath).", cause: error
            )
        }
        return try await open(method, request, over: channel, claim: claim, timeout: timeout)
    }

    /// Adopts a socket that is already connected and used for nothing else, as in tests.
    package static func adopt(socket: CInt) async throws -> BytePipe {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .withConnectedSocket(socket) { channel in
                channel.eventLoop.makeCompletedFuture { try BytePipe(upgraded: channel) }
            }
    }
}

/// Sends the request of an upgrade and reads its answer.
private final class PipeOpeningHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let maximumBody = 64 << 10

    private let request: ByteBuffer
    private let timeout: TimeAmount
    private var promise: EventLoopPromise<BytePipe>?
    private var timer: Scheduled<Void>?
    private var received = ByteBuffer()
    private var refusal: (status: Int, length: Int)?

    init(request: ByteBuffer, timeout: TimeAmount, promise: EventLoopPromise<BytePipe>) {
        self.request = request
        self.timeout = timeout
        self.promise = promise
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isActive else { return fail(Self.closed, context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: timeout) {
            bound.value.0.fail(
                BatonError(.deadlineExceeded, reason: "deadline_exceeded", "The other side did not open the stream."),
                bound.value.1)
        }
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard promise != nil else { return }
        do {
            try proceed(context)
        } catch {
            fail(error as? BatonError ?? Self.closed, context)
        }
        if promise != nil { context.read() }
    }

    private func proceed(_ context: ChannelHandlerContext) throws {
        if refusal == nil {
            guard let head = try PipeHead.read(from: &received) else { return }
            let status = head.start.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            if status == 101, head.isUpgrade { return try succeed(context) }
            refusal = (status, try head.contentLength(limit: Self.maximumBody))
        }
        guard let refusal, received.readableBytes >= refusal.length else { return }
        fail(ConnectError.decode(received.data.prefix(refusal.length), status: refusal.status), context)
    }

    private func succeed(_ context: ChannelHandlerContext) throws {
        timer?.cancel()
        let holder = PipeHolder(received)
        let channel = context.channel
        try channel.pipeline.syncOperations.addHandler(holder, position: .after(self))
        promise?.succeed(BytePipe(channel: channel, holder: holder))
        promise = nil
        channel.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(Self.closed, context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(Self.closed, context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        promise?.fail(Self.closed)
        promise = nil
    }

    private func fail(_ error: BatonError, _ context: ChannelHandlerContext) {
        timer?.cancel()
        promise?.fail(error)
        promise = nil
        context.close(promise: nil)
    }

    static let closed = BatonError(
        .unavailable, reason: "connection_closed", "The connection was closed before the stream was open.")
}
