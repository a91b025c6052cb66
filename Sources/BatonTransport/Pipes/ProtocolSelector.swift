import BatonClient
import BatonCore
import BatonWire
import NIOCore

/// Decides by the first bytes of a connection whether it is one of ordinary calls or is to become a pipe of bytes.
///
/// Nothing of HTTP is in the pipeline before that, and nothing of it remains in a pipe's.
final class ProtocolSelector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Choice: Sendable {
        case calls
        case pipe(path: String, AppClaim.Fields, body: ByteBuffer, BytePipe)
        /// The request of a pipe is not as it must be.
        case malformed(BatonError, BytePipe)
    }

    private enum Phase {
        case deciding
        case head(path: String)
        case body(path: String, AppClaim.Fields, length: Int)
        case decided
    }

    /// A request of a pipe names identifiers only.
    private static let maximumBody = 4 << 10
    /// For the rest of a pipe's request after its first line.
    private static let requestTimeout = TimeAmount.seconds(10)

    private let starts: [(path: String, line: [UInt8])]
    private let promise: EventLoopPromise<Choice>
    private let prepareCalls: () throws -> Void
    private var phase = Phase.deciding
    private var received = ByteBuffer()
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - prepareCalls: adds the handlers of HTTP behind this one.
    ///   - promise: for the choice.
    init(
        paths: some Sequence<String>, idleTimeout: TimeAmount, eventLoop: any EventLoop,
        promise: EventLoopPromise<Choice>, prepareCalls: @escaping () throws -> Void
    ) {
        starts = paths.map { ($0, Array("POST \($0) HTTP/1.1\r\n".utf8)) }
        self.promise = promise
        self.prepareCalls = prepareCalls
        idle = idleTimeout
    }

    private let idle: TimeAmount

    func handlerAdded(context: ChannelHandlerContext) { limit(to: idle, context) }

    private func limit(to time: TimeAmount, _ context: ChannelHandlerContext) {
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        // The first ones are not copied: a secret in them is overwritten where it lies, and no copy of it is left.
        if received.readableBytes == 0 { received = bytes } else { received.writeImmutableBuffer(bytes) }
        do {
            try proceed(context)
        } catch {
            context.close(promise: nil)
        }
    }

    private func proceed(_ context: ChannelHandlerContext) throws {
        if case .deciding = phase {
            let view = received.readableBytesView
            let candidates = starts.filter { start in zip(start.line, view).allSatisfy { $0 == $1 } }
            guard let candidate = candidates.first else { return try chooseCalls(context) }
            guard let chosen = candidates.first(where: { $0.line.count <= view.count }) else { return }
            _ = candidate
            phase = .head(path: chosen.path)
            limit(to: Self.requestTimeout, context)
        }
        do {
            try readRequest(context)
        } catch let error as BatonError {
            try choose(context) { .malformed(error, $0) }
        }
    }

    private func readRequest(_ context: ChannelHandlerContext) throws {
        if case .head(let path) = phase {
            guard let head = try PipeHead.read(from: &received) else { return }
            guard head.isUpgrade, head.fields["content-type"].flatMap(ConnectCodec.init(unaryContentType:)) == .proto
            else {
                throw BatonError(
                    .invalidArgument, reason: "upgrade_required",
                    "This method is called with “Upgrade: \(PipeHead.upgrade)” and application/proto.")
            }
            // None is there twice, or there would be no head.
            let claim = AppClaim.Fields(
                bundleIDs: head.fields[AppClaim.bundleField].map { [$0] } ?? [],
                versions: head.fields[AppClaim.versionField].map { [$0] } ?? [])
            phase = .body(path: path, claim, length: try head.contentLength(limit: Self.maximumBody))
        }
        if case .body(let path, let claim, let length) = phase, let body = received.readSlice(length: length) {
            try choose(context) { .pipe(path: path, claim, body: body, $0) }
        }
    }

    private func chooseCalls(_ context: ChannelHandlerContext) throws {
        phase = .decided
        try prepareCalls()
        promise.succeed(.calls)
        context.fireChannelRead(wrapInboundOut(received))
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func choose(_ context: ChannelHandlerContext, _ choice: (BytePipe) -> Choice) throws {
        phase = .decided
        let channel = context.channel
        try channel.syncOptions?.setOption(.autoRead, value: false)
        let holder = PipeHolder(received)
        try context.pipeline.syncOperations.addHandler(holder, position: .after(self))
        promise.succeed(choice(BytePipe(channel: channel, holder: holder)))
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// The server ends: a connection over which nothing was asked is of no use.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        if case .decided = phase { return }
        promise.fail(ChannelError.eof)
    }
}
