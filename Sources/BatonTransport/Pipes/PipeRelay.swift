package import BatonClient
import NIOCore

/// Passes the bytes of two pipes on to each other without reading them, until one of them ends.
///
/// Bound: of each direction at most ``maximumOutstanding`` bytes and one read are kept here; while they have not gone
/// out nothing more is read, so that a slow reader holds the writer. When one pipe ends, what it brought is sent first
/// and then the other one is closed, too; whether that was meant is for the apps at the ends to know.
package enum PipeRelay {
    static let maximumOutstanding = 512 << 10
    /// For what is still to be sent when the other pipe has ended.
    static let lingering = TimeAmount.seconds(30)

    /// Returns when both are closed. Cancelled, it closes them.
    /// - Parameters:
    ///   - patience: how long nothing may come from the second pipe after bytes went to it.
    ///   - stalled: called after that, once until something comes again. Must not block.
    package static func run(
        _ first: BytePipe, _ second: BytePipe, patience: Duration = .seconds(5),
        stalled: @escaping @Sendable () -> Void = {}
    ) async {
        let watch = StandstillWatch(on: second.channel.eventLoop, patience: patience, stalled: stalled)
        defer { watch.end() }
        do {
            try await withTaskCancellationHandler {
                try await install(first, to: second) { watch.sent() }
                try await install(second, to: first) { watch.received() }
                try await first.channel.closeFuture.get()
                try await second.channel.closeFuture.get()
            } onCancel: {
                first.close()
                second.close()
            }
        } catch {
            first.close()
            second.close()
        }
    }

    private static func install(
        _ pipe: BytePipe, to partner: BytePipe, passed: @escaping @Sendable () -> Void
    ) async throws {
        do {
            try await pipe.channel.eventLoop.submit {
                try pipe.readMuch()
                try pipe.install(RelayHandler(partner.channel, passed: passed))
            }.get()
        } catch {
            partner.close()
            throw error
        }
    }
}

/// Reads one pipe and writes what comes to the other one, which may be on another event loop.
private final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let partner: any Channel
    /// Called for each read that is passed on.
    private let passed: @Sendable () -> Void
    private var context: ChannelHandlerContext?
    /// The bytes of one read, to be sent together.
    private var burst: [ByteBuffer] = []
    private var outstanding = 0
    private var isWaiting = false
    private var hasEnded = false

    init(_ partner: any Channel, passed: @escaping @Sendable () -> Void) {
        self.partner = partner
        self.passed = passed
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // Not yet: what was held comes first.
        isWaiting = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.readMore() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end(on: context.eventLoop)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { burst.append(unwrapInboundIn(data)) }

    func channelReadComplete(context: ChannelHandlerContext) {
        send(on: context.eventLoop)
        isWaiting = true
        readMore()
    }

    private func readMore() {
        guard isWaiting, outstanding < PipeRelay.maximumOutstanding, let context else { return }
        isWaiting = false
        context.read()
    }

    private func send(on eventLoop: any EventLoop) {
        let count = burst.reduce(0) { $0 + $1.readableBytes }
        guard count > 0, let last = burst.popLast() else { return }
        outstanding += count
        passed()
        let promise = partner.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        promise.futureResult.hop(to: eventLoop).whenComplete { bound.value.sent(count, $0) }
        let (partner, first) = (partner, burst)
        burst = []
        if partner.eventLoop.inEventLoop {
            for buffer in first { partner.write(buffer, promise: nil) }
            partner.writeAndFlush(last, promise: promise)
        } else {
            partner.eventLoop.execute {
                for buffer in first { partner.write(buffer, promise: nil) }
                partner.writeAndFlush(last, promise: promise)
            }
        }
    }

    private func sent(_ count: Int, _ result: Result<Void, any Error>) {
        outstanding -= count
        switch result {
        case .success:
            if hasEnded, outstanding == 0 { partner.close(promise: nil) }
            readMore()
        case .failure:
            partner.close(promise: nil)
            context?.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(on: context.eventLoop)
        context.fireChannelInactive()
    }

    private func end(on eventLoop: any EventLoop) {
        guard !hasEnded else { return }
        hasEnded = true
        send(on: eventLoop)
        guard outstanding > 0 else { return partner.close(promise: nil) }
        let partner = partner
        let timer = eventLoop.scheduleTask(in: PipeRelay.lingering) { partner.close(promise: nil) }
        partner.closeFuture.whenComplete { _ in timer.cancel() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
