import BatonCore
package import BatonWire
package import Foundation
package import NIOCore
import NIOHTTP1
package import SwiftProtobuf
import Synchronization

/// One HTTP/1.1 connection for Connect calls, one call at a time.
///
/// Safe to use from any task; the owner must not start a call before the previous one has ended.
package final class HTTPConnection: Sendable {
    package let channel: any Channel
    private let handler: NIOLoopBound<HTTPExchangeHandler>
    private let host: String
    private let authorization: @Sendable () -> String?
    private let isBroken = Atomic<Bool>(false)

    /// Call on the channel's event loop, with TLS (if any) in the pipeline already.
    /// - Parameters:
    ///   - host: of the `Host` header; says nothing about who is there.
    ///   - authorization: asked for the `Authorization` of each call.
    package init(
        channel: any Channel, host: String, limits: ConnectLimits,
        authorization: @escaping @Sendable () -> String? = { nil }
    ) throws {
        channel.eventLoop.preconditionInEventLoop()
        let handler = HTTPExchangeHandler(limits: limits)
        try channel.pipeline.syncOperations.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
        try channel.pipeline.syncOperations.addHandler(handler)
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        self.host = host
        self.authorization = authorization
    }

    /// Whether another call can be made: the connection is open, and no call before has failed to get its answer.
    package var isReusable: Bool { channel.isActive && !isBroken.load(ordering: .relaxed) }

    package func close() { channel.close(promise: nil) }

    /// - Parameter claim: who calls, for the app plane.
    package func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration, claim: AppClaim? = nil
    ) async throws -> Response {
        let codec = ConnectCodec.proto
        let body = try codec.encode(request)
        var head = makeHead(method.path, contentType: codec.unaryContentType, claim)
        head.headers.add(name: "content-length", value: String(body.readableBytes))
        head.headers.add(name: ConnectTimeout.headerName, value: ConnectTimeout.format(timeout))
        let answer = try await exchange(head, body, timeout: timeout)
        guard answer.status == 200 else {
            throw ConnectError.decode(answer.body.data, status: answer.status)
        }
        guard answer.contentType.flatMap(ConnectCodec.init(unaryContentType:)) == codec else {
            throw BatonError(
                .internal, reason: "unexpected_content_type", "The other side's answer is not of the Connect protocol.")
        }
        return try codec.decode(Response.self, from: answer.body)
    }

    private func exchange(
        _ head: HTTPRequestHead, _ body: ByteBuffer, timeout: Duration
    ) async throws -> HTTPExchangeHandler.UnaryAnswer {
        let promise = channel.eventLoop.makePromise(of: HTTPExchangeHandler.UnaryAnswer.self)
        let limit = TimeAmount(timeout)
        channel.eventLoop.execute { [handler, head] in
            handler.value.startUnary(head: head, body: body, timeout: limit, promise: promise)
        }
        let answer: HTTPExchangeHandler.UnaryAnswer
        do {
            answer = try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            isBroken.store(true, ordering: .relaxed)
            channel.close(promise: nil)
            guard Task.isCancelled else { throw error }
            throw BatonError(.canceled, reason: "canceled", "The call was given up.", cause: error)
        }
        if !answer.keepAlive { isBroken.store(true, ordering: .relaxed) }
        return answer
    }

    /// A request for a plain resource, whose bytes are no message.
    package enum ResourceRequest: Sendable {
        case put(ByteBuffer)
        /// At least one byte.
        case get(Range<UInt64>)
    }

    /// - Parameter path: with its query.
    /// - Throws: as ``unary(_:_:timeout:)``; the other side's refusal.
    package func resource(
        _ request: ResourceRequest, _ path: String, timeout: Duration
    ) async throws -> ByteBuffer {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["host": host])
        if let authorization = authorization() { head.headers.add(name: "authorization", value: authorization) }
        var body = ByteBuffer()
        switch request {
        case .put(let bytes):
            body = bytes
            head.method = .PUT
            head.headers.add(name: "content-length", value: String(body.readableBytes))
        case .get(let range):
            head.headers.add(name: "range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        }
        let answer = try await exchange(head, body, timeout: timeout)
        guard (200..<300).contains(answer.status) else {
            throw ConnectError.decode(answer.body.data, status: answer.status)
        }
        return answer.body
    }

    package func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, claim: AppClaim? = nil
    ) async throws -> ConnectResponses<Response> {
        let codec = ConnectCodec.proto
        var body = ByteBuffer()
        ConnectEnvelope(payload: try codec.encode(request)).write(into: &body)
        return openStream(method, body: body, claim).responses
    }

    /// A call in which both sides send until either ends it.
    package func duplex<Request, Response>(
        _ method: ConnectMethod<Request, Response>
    ) -> (writer: ConnectRequestWriter<Request>, responses: ConnectResponses<Response>) {
        openStream(method, body: nil, nil)
    }

    private func openStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, body: ByteBuffer?, _ claim: AppClaim?
    ) -> (writer: ConnectRequestWriter<Request>, responses: ConnectResponses<Response>) {
        let codec = ConnectCodec.proto
        var head = makeHead(method.path, contentType: codec.streamContentType, claim)
        if let body {
            head.headers.add(name: "content-length", value: String(body.readableBytes))
        } else {
            head.headers.add(name: "transfer-encoding", value: "chunked")
        }
        let producer = HTTPExchangeHandler.Producer.makeSequence(
            elementType: ByteBuffer.self, failureType: (any Error).self,
            // At most 8 messages wait for the reader; then the socket is no longer read.
            backPressureStrategy: .init(lowWatermark: 1, highWatermark: 8), finishOnDeinit: true,
            delegate: StreamDelegate(handler: handler, eventLoop: channel.eventLoop))
        channel.eventLoop.execute { [handler, head, source = producer.source] in
            handler.value.startStream(
                head: head, body: body, contentType: codec.streamContentType, source: source)
        }
        let sequence = producer.sequence
        let responses = ConnectResponses<Response> {
            let iterator = StreamIterator(sequence.makeAsyncIterator())
            return { @Sendable in
                guard let payload = try await iterator.next() else { return nil }
                return try codec.decode(Response.self, from: payload)
            }
        }
        return (ConnectRequestWriter(channel: channel, codec: codec), responses)
    }

    private func makeHead(_ path: String, contentType: String, _ claim: AppClaim?) -> HTTPRequestHead {
        var head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: path,
            headers: ["host": host, "content-type": contentType, "connect-protocol-version": "1"])
        if let authorization = authorization() { head.headers.add(name: "authorization", value: authorization) }
        for field in claim?.fields ?? [] { head.headers.add(name: field.name, value: field.value) }
        return head
    }
}

/// Sends the messages of a duplex call. `write` returns once the socket has taken the message (back-pressure).
package struct ConnectRequestWriter<Request: Message & Sendable>: Sendable {
    fileprivate let channel: any Channel
    fileprivate let codec: ConnectCodec

    package func write(_ message: Request) async throws {
        var bytes = ByteBuffer()
        ConnectEnvelope(payload: try codec.encode(message)).write(into: &bytes)
        do {
            try await channel.writeAndFlush(HTTPClientRequestPart.body(.byteBuffer(bytes))).get()
        } catch {
            throw BatonError(.unavailable, reason: "connection_closed", "The connection was closed.", cause: error)
        }
    }

    package func finish() {
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
}

/// One reader of a stream's messages; calls of `next` must not overlap, as with every iterator.
private final class StreamIterator: @unchecked Sendable {
    // Invariant: only one task at a time calls `next`, which `ConnectResponses` requires of its reader.
    private var iterator: HTTPExchangeHandler.Producer.AsyncIterator

    init(_ iterator: HTTPExchangeHandler.Producer.AsyncIterator) { self.iterator = iterator }

    func next() async throws -> ByteBuffer? { try await iterator.next() }
}

extension ByteBuffer {
    /// The readable bytes as `Data`, copied.
    package var data: Data { Data(readableBytesView) }
}
