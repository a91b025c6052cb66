package import BatonCore
package import NIOCore

/// The frames of a Connect stream: a byte of flags, four of length (big-endian), and the message.
package struct ConnectEnvelope: Sendable, Equatable {
    package var flags: UInt8
    package var payload: ByteBuffer

    package init(flags: UInt8 = 0, payload: ByteBuffer) {
        self.flags = flags
        self.payload = payload
    }

    package static let compressed: UInt8 = 0b01
    package static let endOfStream: UInt8 = 0b10

    package var isEndOfStream: Bool { flags & Self.endOfStream != 0 }

    package func write(into buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: 5 + payload.readableBytes)
        buffer.writeInteger(flags)
        buffer.writeInteger(UInt32(payload.readableBytes))
        buffer.writeImmutableBuffer(payload)
    }
}

/// Cuts received bytes into envelopes. Holds at most one message and what one read brought beyond it.
package struct ConnectEnvelopeDecoder: Sendable {
    private let limits: ConnectLimits
    private var buffer = ByteBuffer()

    package init(limits: ConnectLimits) { self.limits = limits }

    package mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// Nil when more bytes are needed.
    /// - Throws: `resource_exhausted` for a message over the limit, as soon as its length is known;
    ///   `unimplemented` for flags that are not understood. Nothing can be read after an error.
    package mutating func next() throws(BatonError) -> ConnectEnvelope? {
        let start = buffer.readerIndex
        guard let flags: UInt8 = buffer.getInteger(at: start), let length: UInt32 = buffer.getInteger(at: start + 1)
        else { return nil }
        guard flags & ~ConnectEnvelope.endOfStream == 0 else {
            throw BatonError(
                .unimplemented, reason: "unknown_envelope_flags",
                "A message is compressed or marked in a way that this side does not support.")
        }
        guard Int(length) <= limits.maximumMessageSize else {
            throw BatonError(
                .resourceExhausted, reason: "message_too_large",
                "A message is over the limit of \(ByteSize.text(limits.maximumMessageSize)).")
        }
        guard buffer.readableBytes >= 5 + Int(length) else {
            // Once, and not each time that some more bytes have come.
            buffer.reserveCapacity(minimumWritableBytes: 5 + Int(length) - buffer.readableBytes)
            return nil
        }
        buffer.moveReaderIndex(forwardBy: 5)
        guard let payload = buffer.readSlice(length: Int(length)) else { return nil }
        if buffer.readableBytes == 0 {
            buffer = ByteBuffer()
        } else {
            buffer.discardReadBytes()
        }
        return ConnectEnvelope(flags: flags, payload: payload)
    }

    /// True between messages: a stream that ends elsewhere was cut.
    package var isAtBoundary: Bool { buffer.readableBytes == 0 }
}
