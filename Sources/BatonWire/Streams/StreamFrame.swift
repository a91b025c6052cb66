package import NIOCore

/// A frame between the two apps of a pair of continuation streams: a byte for the kind, three bytes for the length
/// (big-endian), and that many bytes. See docs/protocol.md, “Continuation streams”.
///
/// The daemons in between pass the bytes on without reading them, so an end that arrives was meant by the other app: a
/// connection that ends without it has broken.
package enum StreamFrame: Hashable, Sendable {
    /// This many bytes of the stream follow.
    case data(count: Int)
    /// The receiver has room for this many more bytes.
    case credit(Int)
    /// Nothing of the stream follows.
    case end
    /// The sender of this frame wants nothing more of the stream that comes to it.
    case stop
    /// The last frame: the sender has sent and received `end`.
    case done

    package static let headerSize = 4
    /// Limit of a `data` frame's content.
    package static let maximumData = 1 << 16
    /// Bytes that may be sent before any `credit`, and so the buffer that a receiver must provide.
    package static let window = 1 << 20

    package enum Kind: UInt8 {
        case data = 0
        case credit = 1
        case end = 2
        case stop = 3
        case done = 4
    }

    /// Without the bytes of a `data` frame, which the caller writes next.
    package func write(into buffer: inout ByteBuffer) {
        switch self {
        case .data(let count): Self.header(.data, count, &buffer)
        case .credit(let count):
            Self.header(.credit, 4, &buffer)
            buffer.writeInteger(UInt32(clamping: count))
        case .end: Self.header(.end, 0, &buffer)
        case .stop: Self.header(.stop, 0, &buffer)
        case .done: Self.header(.done, 0, &buffer)
        }
    }

    private static func header(_ kind: Kind, _ length: Int, _ buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(kind.rawValue) << 24 | UInt32(length))
    }
}
