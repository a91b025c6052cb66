package import BatonCore
package import NIOCore

/// Cuts received bytes into frames. Keeps at most one read, and of a frame that has come in part no more than its first
/// bytes: those of a `data` frame are given out as they come.
package struct StreamFrameDecoder: Sendable {
    package enum Item: Hashable, Sendable {
        /// Bytes of the stream; never empty.
        case data(ByteBuffer)
        case credit(Int)
        case end
        case stop
        case done
    }

    private var buffer = ByteBuffer()
    /// Bytes that remain of the current `data` frame.
    private var remaining = 0

    package init() {}

    package mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// Nil when more bytes are needed.
    /// - Throws: `invalid_argument` for a frame that breaks a rule; nothing after it can be believed.
    package mutating func next() throws(BatonError) -> Item? {
        if remaining == 0 {
            guard let word = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
            let length = Int(word & 0xFF_FFFF)
            guard let kind = StreamFrame.Kind(rawValue: UInt8(word >> 24)) else { throw Self.malformed("kind") }
            guard kind == .data else { return try control(kind, length) }
            guard (1...StreamFrame.maximumData).contains(length) else { throw Self.malformed("length") }
            buffer.moveReaderIndex(forwardBy: StreamFrame.headerSize)
            remaining = length
        }
        guard buffer.readableBytes > 0, let bytes = buffer.readSlice(length: min(remaining, buffer.readableBytes))
        else { return nil }
        remaining -= bytes.readableBytes
        return .data(bytes)
    }

    private mutating func control(_ kind: StreamFrame.Kind, _ length: Int) throws(BatonError) -> Item? {
        guard length == (kind == .credit ? 4 : 0) else { throw Self.malformed("length") }
        guard buffer.readableBytes >= StreamFrame.headerSize + length else { return nil }
        buffer.moveReaderIndex(forwardBy: StreamFrame.headerSize)
        switch kind {
        case .credit: return .credit(Int(buffer.readInteger(as: UInt32.self) ?? 0))
        case .end: return .end
        case .stop: return .stop
        case .done, .data: return .done
        }
    }

    private static func malformed(_ what: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "malformed_stream_frame",
            "The other side's stream has a frame whose \(what) is not of protocol baton-stream/1.")
    }
}
