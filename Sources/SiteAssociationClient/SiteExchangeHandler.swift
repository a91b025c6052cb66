import BatonCore
import NIOCore
import NIOHTTP1

/// A whole answer of a site.
struct SiteAnswer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]
}

/// Sends one request and gathers its answer, up to a size and a deadline. Used on the channel's event loop only.
final class SiteExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead
    private let limit: Int
    private let deadline: TimeAmount
    private let gate: ConnectionGate
    private var promise: EventLoopPromise<SiteAnswer>?
    private var timer: Scheduled<Void>?
    private var answer: SiteAnswer?
    /// A connection that was never made says nothing: another address of the same name may answer. The caller hears
    /// when none does.
    private var isConnected = false

    /// - Parameter gate: the beginning of the pipeline.
    init(
        head: HTTPRequestHead, limit: Int, deadline: TimeAmount, gate: ConnectionGate,
        promise: EventLoopPromise<SiteAnswer>
    ) {
        self.gate = gate
        self.head = head
        self.limit = limit
        self.deadline = deadline
        self.promise = promise
    }

    func channelActive(context: ChannelHandlerContext) {
        isConnected = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let seconds = deadline.nanoseconds / 1_000_000_000
        timer = context.eventLoop.scheduleTask(in: deadline) {
            let (handler, context) = bound.value
            handler.finish(
                .failure(
                    BatonError(
                        .deadlineExceeded, reason: "site_too_slow",
                        "The site's server did not give its whole answer within \(seconds) s.")), context)
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            let answer = SiteAnswer(status: Int(head.status.code), headers: head.headers, body: [])
            // A body with another status says nothing, however long it is.
            guard head.status == .ok else { return finish(.success(answer), context) }
            self.answer = answer
            let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            if announced > limit { finish(.failure(tooLarge), context) }
        case .body(let bytes):
            guard (answer?.body.count ?? 0) + bytes.readableBytes <= limit else {
                finish(.failure(tooLarge), context)
                return
            }
            answer?.body += bytes.readableBytesView
        case .end:
            guard let answer else { return }
            finish(.success(answer), context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(error), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(SiteAnswerCut()), context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if isConnected { finish(.failure(SiteAnswerCut()), context) }
    }

    private func finish(_ result: Result<SiteAnswer, any Error>, _ context: ChannelHandlerContext) {
        guard let promise else { return }
        self.promise = nil
        timer?.cancel()
        promise.completeWith(result)
        gate.close()
    }

    private var tooLarge: BatonError {
        BatonError(
            .resourceExhausted, reason: "site_file_too_large",
            "The file is too large: it has more than \(limit >> 10) KB (\(limit) bytes), the limit for site files, "
                + "signed or not. Shorten it.")
    }
}

/// The connection ended before the answer did.
struct SiteAnswerCut: Error {}

/// The beginning of the pipeline: ends a connection to a private network before anything is sent, and any connection at
/// once. Used on the channel's event loop only.
///
/// TLS would say goodbye first and wait for the same from the server, which could go on sending meanwhile.
final class ConnectionGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let allowsPrivateNetwork: Bool
    private var context: ChannelHandlerContext?

    init(allowsPrivateNetwork: Bool) { self.allowsPrivateNetwork = allowsPrivateNetwork }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func close() { context?.close(promise: nil) }

    func channelActive(context: ChannelHandlerContext) {
        do throws(BatonError) {
            try AddressPolicy.check(context.remoteAddress, allowsPrivateNetwork: allowsPrivateNetwork)
            context.fireChannelActive()
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }
}
