import BatonCore
import BatonWire
import Foundation
import NIOCore
import NIOHTTP1

/// The rules of HTTP/1.1 for a server, between the codec and the handlers of calls: malformed requests are answered, with
/// an error's body, and end the connection; answers to HEAD have no body; who waits for `100 Continue` gets it once the
/// body is wanted.
final class HTTPRules: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Sent down the pipeline when the body of the request that is answered now is about to be read.
    struct BodyIsWanted: Sendable {}

    private struct Request {
        var isHead: Bool
        /// The caller sends its body when it has permission.
        var isWaiting: Bool
        /// The `Connection` field of its answer; nil for none. HTTP/1.0 has one for each request unless it asks to
        /// keep it, and is answered that it is kept.
        var connection: String?
    }

    /// For a caller that still sends when it hears that its request is malformed: closing at once could lose it the answer.
    private static let closeDelay = TimeAmount.milliseconds(500)

    /// Those that are not answered to their end, the oldest first.
    private var requests: [Request] = []
    /// Whether the end of the latest is still to come.
    private var isReading = false
    /// Nothing more is taken.
    private var isOver = false
    /// The last answer, once those before are sent.
    private var refusal: BatonError?

    static let malformed = BatonError(
        .invalidArgument, reason: "malformed_request",
        "The request is not valid HTTP/1.1. Check the client, and any proxy in between.")
    private static let noHost = BatonError(
        .invalidArgument, reason: "malformed_request",
        "A request of HTTP/1.1 names its server, once, in “Host”. Look at what sends it.")
    private static let noLength = BatonError(
        .invalidArgument, reason: "malformed_request",
        "A body has a length, or comes in chunks: one “Transfer-Encoding: chunked”, of HTTP/1.1, and no “Content-Length” "
            + "beside it. Look at what sends it.")
    private static let tooLarge = BatonError(
        .resourceExhausted, reason: "header_too_large",
        "The request's header is over the limits: 8 KiB for a field, 16 KiB and 64 fields in all. Send less.")

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let isNewer = (head.version.major, head.version.minor) >= (1, 1)
            let hosts = head.headers["host"].count
            guard hosts == 1 || hosts == 0 && !isNewer else { return refuse(Self.noHost, context) }
            guard Self.framesItsBody(head) else { return refuse(Self.noLength, context) }
            let expectation = head.headers.first(name: "expect")?.lowercased()
            requests.append(
                Request(
                    isHead: head.method == .HEAD, isWaiting: isNewer && expectation == "100-continue",
                    connection: isNewer ? nil : head.isKeepAlive ? "keep-alive" : "close"))
            isReading = true
        case .body: cease()
        case .end:
            cease()
            isReading = false
            isOver = requests.last?.connection == "close"
        }
        context.fireChannelRead(data)
    }

    /// Whether all readers agree on where the body ends: a proxy before this server that read another end would take what
    /// follows for a request (RFC 9112, 6.1 and 6.3).
    private static func framesItsBody(_ head: HTTPRequestHead) -> Bool {
        let codings = head.headers["transfer-encoding"]
        guard !codings.isEmpty else { return true }
        return codings.count == 1 && codings[0].lowercased() == "chunked" && head.version == .http1_1
            && !head.headers.contains(name: "content-length")
    }

    /// The body comes without having been asked for.
    private func cease() {
        if isReading, !requests.isEmpty { requests[requests.count - 1].isWaiting = false }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else { return }
        // The reader of a body answers what is wrong with it.
        guard let error = error as? HTTPParserError, !isReading else { return context.fireErrorCaught(error) }
        refuse(error == .headerOverflow ? Self.tooLarge : Self.malformed, context)
    }

    private func refuse(_ error: BatonError, _ context: ChannelHandlerContext) {
        isOver = true
        guard requests.isEmpty else {
            refusal = error
            return
        }
        let body = ByteBuffer(bytes: ConnectError.json(error))
        let status: HTTPResponseStatus = error.code == .resourceExhausted ? .requestHeaderFieldsTooLarge : .badRequest
        let fields: HTTPHeaders = [
            "Content-Type": "application/json", "Content-Length": String(body.readableBytes), "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.closeDelay) { channel.close(promise: nil) }
    }

    // MARK: Answers

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyIsWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        guard requests.first?.isWaiting == true else { return }
        requests[0].isWaiting = false
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // An answer to nothing would be taken for one to the next request.
        guard let request = requests.first else {
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // Whether its body will come is not known now.
            if request.isWaiting { requests[0].connection = "close" }
            if let connection = requests[0].connection, !head.headers[canonicalForm: "connection"].contains("close") {
                head.headers.replaceOrAdd(name: "Connection", value: connection)
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body where request.isHead: promise?.succeed()
        case .body: context.write(data, promise: promise)
        case .end:
            requests.removeFirst()
            if request.connection == "close" {
                isOver = true
                // Only once all of it is out.
                let end = promise ?? context.eventLoop.makePromise(of: Void.self)
                let channel = context.channel
                end.futureResult.whenComplete { _ in channel.close(promise: nil) }
                return context.writeAndFlush(data, promise: end)
            }
            context.write(data, promise: promise)
            if requests.isEmpty, let refusal {
                refuse(refusal, context)
            }
        }
    }
}
