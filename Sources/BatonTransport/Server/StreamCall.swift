import BatonClient
import BatonCore
import BatonWire
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import SwiftProtobuf

/// A streaming call that a handler answers: the caller's messages, and a way to send back.
struct StreamCall: Sendable {
    let codec: ConnectCodec
    let context: CallContext
    let requests: EnvelopeReader
    let channel: any Channel
    /// How long the caller may take to send its first message.
    let timeout: Duration

    /// The message of a call that sends one; nil when there is none.
    func first() async throws -> ByteBuffer? {
        try await withDeadline(
            timeout, executor: EventLoopTaskExecutor(channel.eventLoop), error: ConnectResponder.late(timeout)
        ) { [requests] in try await requests.next() }
    }

    func writer<Response: Message & Sendable>() -> ConnectWriter<Response> {
        ConnectWriter { [codec, channel] message in
            var bytes = ByteBuffer()
            ConnectEnvelope(payload: try codec.encode(message)).write(into: &bytes)
            do {
                try await channel.writeAndFlush(HTTPResponsePart.body(bytes)).get()
            } catch {
                throw BatonError(
                    .unavailable, reason: "connection_closed", "The caller's connection was closed.", cause: error)
            }
        }
    }
}

/// Reads the envelopes of a request body.
final class EnvelopeReader: @unchecked Sendable {
    // Invariant: one task at a time calls `next`, as with every iterator; the handler of a call is that task.
    private var decoder: ConnectEnvelopeDecoder
    private var body: RequestBody.AsyncIterator
    private var ended = false
    private let share: ByteBudget.Share?
    /// Bytes that were read, and are in no message that was returned.
    private var pending = 0

    /// - Parameter share: the share that the bytes are taken from; ``release()`` gives them back.
    init(limits: ConnectLimits, share: ByteBudget.Share? = nil, body: RequestBody) {
        decoder = ConnectEnvelopeDecoder(limits: limits)
        self.share = share
        self.body = body.makeAsyncIterator()
    }

    /// Nil after the last message.
    func next() async throws -> ByteBuffer? {
        while !ended {
            if let envelope = try decoder.next() {
                guard !envelope.isEndOfStream else {
                    throw BatonError(
                        .invalidArgument, reason: "unexpected_end_of_stream",
                        "Only the answering side marks the end of a stream.")
                }
                pending -= 5 + envelope.payload.readableBytes
                // A stream may live for days; what it holds between two messages is nothing.
                if pending == 0 { share?.end() }
                return envelope.payload
            }
            guard let bytes = try await body.next() else {
                ended = true
                guard decoder.isAtBoundary else {
                    throw BatonError(
                        .invalidArgument, reason: "truncated_message", "The request ended within a message.")
                }
                return nil
            }
            pending += bytes.readableBytes
            try share?.hold(pending)
            decoder.append(bytes)
        }
        return nil
    }

    /// Gives back the bytes that were read.
    func release() { share?.end() }
}
