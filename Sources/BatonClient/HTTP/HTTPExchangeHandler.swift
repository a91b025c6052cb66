import BatonCore
import BatonWire
import NIOCore
import NIOHTTP1

/// The end of a client connection's pipeline: one call at a time, unary or streaming.
///
/// Used on the channel's event loop only. Every error ends the current call with a ``BatonError`` and closes the
/// connection: after an error no byte of the connection is trusted.
final class HTTPExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    typealias Producer = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, StreamDelegate
    >

    struct UnaryAnswer: Sendable {
        var status: Int
        var contentType: String?
        var body: ByteBuffer
        var keepAlive: Bool
    }

    private struct UnaryCall {
        var promise: EventLoopPromise<UnaryAnswer>
        var timeout: Scheduled<Void>
        var answer = UnaryAnswer(status: 0, contentType: nil, body: ByteBuffer(), keepAlive: true)
    }

    private struct StreamCall {
        enum Phase {
            case awaitingHead
            case streaming
            /// The answer is an error in a unary body.
            case failing(status: Int, body: ByteBuffer)
            case ended
        }
        var source: Producer.Source
        var decoder: ConnectEnvelopeDecoder
        var phase = Phase.awaitingHead
        var contentType: String
    }

    private enum State {
        case idle
        case unary(UnaryCall)
        case stream(StreamCall)
        case closed
    }

    private var state = State.idle
    private let limits: ConnectLimits
    /// False while the reader of a stream has enough to do.
    private var wantsMore = true
    private var readIsPending = false
    private var context: ChannelHandlerContext?

    init(limits: ConnectLimits) { self.limits = limits }

    // MARK: Calls

    func startUnary(
        head: HTTPRequestHead, body: ByteBuffer, timeout: TimeAmount, promise: EventLoopPromise<UnaryAnswer>
    ) {
        guard case .idle = state, let context else {
            promise.fail(Self.unavailable("The connection was closed."))
            return
        }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let timer = context.eventLoop.scheduleTask(in: timeout) {
            bound.value.fail(
                BatonError(
                    .deadlineExceeded, reason: "deadline_exceeded",
                    "The other side did not answer within \(timeout.nanoseconds / 1_000_000) ms."))
        }
        state = .unary(UnaryCall(promise: promise, timeout: timer))
        send(head: head, body: body, context: context)
    }

    /// - Parameter body: the whole request, or nil when parts follow.
    func startStream(head: HTTPRequestHead, body: ByteBuffer?, contentType: String, source: Producer.Source) {
        guard case .idle = state, let context else {
            source.finish(Self.unavailable("The connection was closed."))
            return
        }
        state = .stream(
            StreamCall(source: source, decoder: ConnectEnvelopeDecoder(limits: limits), contentType: contentType))
        if let body {
            send(head: head, body: body, context: context)
        } else {
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
    }

    private func send(head: HTTPRequestHead, body: ByteBuffer, context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    // MARK: Reading

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch state {
        case .unary(var call):
            state = .idle  // so that the body below is not copied on write
            read(part, unary: &call, context: context)
        case .stream(var call):
            state = .idle
            read(part, stream: &call, context: context)
        case .idle:
            context.close(promise: nil)
        case .closed:
            break
        }
    }

    private func read(_ part: HTTPClientResponsePart, unary call: inout UnaryCall, context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            call.answer.status = Int(head.status.code)
            call.answer.contentType = head.headers.first(name: "content-type")
            call.answer.keepAlive = head.isKeepAlive
            state = .unary(call)
        case .body(var bytes):
            guard call.answer.body.readableBytes + bytes.readableBytes <= limits.maximumMessageSize else {
                state = .unary(call)
                fail(
                    BatonError(
                        .resourceExhausted, reason: "message_too_large",
                        "The answer is over the limit of \(ByteSize.text(limits.maximumMessageSize))."))
                return
            }
            if call.answer.body.readableBytes == 0 {
                call.answer.body = bytes
            } else {
                call.answer.body.writeBuffer(&bytes)
            }
            state = .unary(call)
        case .end:
            call.timeout.cancel()
            if !call.answer.keepAlive {
                state = .closed
                context.close(promise: nil)
            }
            call.promise.succeed(call.answer)
        }
    }

    private func read(_ part: HTTPClientResponsePart, stream call: inout StreamCall, context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            if head.status == .ok, head.headers.first(name: "content-type") == call.contentType {
                call.phase = .streaming
            } else {
                call.phase = .failing(status: Int(head.status.code), body: ByteBuffer())
            }
            state = .stream(call)
        case .body(var bytes):
            switch call.phase {
            case .streaming:
                call.decoder.append(bytes)
                deliver(&call)
            case .failing(let status, var body):
                if body.readableBytes + bytes.readableBytes <= ConnectLimits.unauthenticated.maximumMessageSize {
                    body.writeBuffer(&bytes)
                    call.phase = .failing(status: status, body: body)
                }
                state = .stream(call)
            case .awaitingHead, .ended:
                state = .stream(call)
            }
        case .end:
            switch call.phase {
            case .failing(let status, let body):
                call.source.finish(ConnectError.decode(body.data, status: status))
            case .awaitingHead, .streaming:
                call.source.finish(Self.unavailable("The stream was cut before its end."))
            case .ended:
                break
            }
            // A stream's connection is not used again.
            state = .closed
            context.close(promise: nil)
        }
    }

    private func deliver(_ call: inout StreamCall) {
        do {
            var messages: [ByteBuffer] = []
            while let envelope = try call.decoder.next() {
                if envelope.isEndOfStream {
                    yield(messages, to: call.source)
                    if let error = try ConnectError.decodeEndOfStream(envelope.payload.data) {
                        call.source.finish(error)
                    } else {
                        call.source.finish()
                    }
                    call.phase = .ended
                    state = .stream(call)
                    return
                }
                messages.append(envelope.payload)
            }
            state = .stream(call)
            yield(messages, to: call.source)
        } catch {
            state = .stream(call)
            fail(error)
        }
    }

    private func yield(_ messages: [ByteBuffer], to source: Producer.Source) {
        guard !messages.isEmpty else { return }
        switch source.yield(contentsOf: messages) {
        case .produceMore: wantsMore = true
        case .stopProducing: wantsMore = false
        case .dropped: context?.close(promise: nil)
        }
    }

    // MARK: Back-pressure

    func read(context: ChannelHandlerContext) {
        if wantsMore {
            context.read()
        } else {
            readIsPending = true
        }
    }

    func produceMore() {
        wantsMore = true
        if readIsPending {
            readIsPending = false
            context?.read()
        }
    }

    /// The stream's reader is gone.
    func readerTerminated() {
        if case .stream = state { fail(BatonError(.canceled, reason: "canceled", "The call was given up.")) }
    }

    // MARK: The end

    func fail(_ error: BatonError) {
        switch state {
        case .unary(let call):
            call.timeout.cancel()
            call.promise.fail(error)
        case .stream(let call):
            if case .ended = call.phase {} else { call.source.finish(error) }
        case .idle, .closed:
            break
        }
        state = .closed
        context?.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(Self.unavailable("The connection was closed by the other side."))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(
            error as? BatonError
                ?? BatonError(
                    .unavailable, reason: "connection_closed", "The connection to the other side failed.", cause: error)
        )
    }

    private static func unavailable(_ message: String) -> BatonError {
        BatonError(.unavailable, reason: "connection_closed", message)
    }
}

/// Reports the reader's demand to the handler of a stream. Called on any thread.
struct StreamDelegate: NIOAsyncSequenceProducerDelegate {
    let handler: NIOLoopBound<HTTPExchangeHandler>
    let eventLoop: any EventLoop

    func produceMore() {
        eventLoop.execute { handler.value.produceMore() }
    }

    func didTerminate() {
        eventLoop.execute { handler.value.readerTerminated() }
    }
}
