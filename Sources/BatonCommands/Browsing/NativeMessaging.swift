package import BatonCore

/// The frames of the browsers' native messaging: a length of 32 bits in the machine's byte order, then JSON.
package enum NativeMessaging {
    /// Limit of a message from the browser. The extension's are a few hundred bytes, and the longest, a page with its
    /// markup, 1 MiB.
    package static let maximumIncoming = 2 << 20
    /// A longer message is passed over up to this length, more than the addresses of which browsers know; beyond it the
    /// bytes are no frames.
    package static let maximumSkipped = 4 << 20
    /// Limit of a message to the browser; Chromium and Firefox close the port after a longer one.
    package static let maximumOutgoing = 1 << 20

    private static let headLength = 4

    package enum Frame: Sendable, Equatable {
        case message([UInt8])
        /// A message over the limit. Its bytes are not kept, and the frame after it is the next.
        case skipped(length: Int)
    }

    /// Puts the bytes of frames together, however they come. Holds one frame and what came with it.
    package struct Decoder: Sendable {
        private let limit: Int
        private var buffer: [UInt8] = []
        private var index = 0
        /// Bytes to come of a message that is skipped.
        private var skipping = 0

        package init(limit: Int = NativeMessaging.maximumIncoming) { self.limit = limit }

        package mutating func append(_ bytes: some Sequence<UInt8>) {
            buffer.removeSubrange(..<index)
            index = 0
            buffer.append(contentsOf: bytes)
        }

        /// The next complete message, or an error for one that is too long, as soon as its length has arrived.
        /// - Throws: `resource_exhausted` (`message_too_large`) for a length that no message has, or `invalid_argument`
        ///   (`empty_message`). After such a frame nothing more is read, since the bytes may not be frames.
        package mutating func next() throws(BatonError) -> Frame? {
            skip()
            let rest = buffer[index...]
            guard rest.count >= NativeMessaging.headLength else { return nil }
            // In the machine's own order, as the browser wrote it.
            let head = Array(rest.prefix(NativeMessaging.headLength))
            let length = head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            guard length <= UInt32(limit) else {
                guard length <= UInt32(NativeMessaging.maximumSkipped) else {
                    throw NativeMessaging.tooLarge(Int(length), limit: limit)
                }
                index += NativeMessaging.headLength
                skipping = Int(length)
                skip()
                return .skipped(length: Int(length))
            }
            guard length > 0 else {
                throw BatonError(.invalidArgument, reason: "empty_message", "A message without content came.")
            }
            guard rest.count >= NativeMessaging.headLength + Int(length) else { return nil }
            let message = Array(rest.dropFirst(NativeMessaging.headLength).prefix(Int(length)))
            index += NativeMessaging.headLength + Int(length)
            return .message(message)
        }

        private mutating func skip() {
            let count = min(skipping, buffer.count - index)
            index += count
            skipping -= count
        }

        /// Whether a frame has begun and not ended.
        package var isWithinFrame: Bool { skipping > 0 || index < buffer.count }
    }

    /// The error for a message that is too long.
    package static func tooLarge(_ length: Int, limit: Int = maximumIncoming) -> BatonError {
        BatonError(
            .resourceExhausted, reason: "message_too_large",
            "A message of \(length) bytes came; at most \(limit) are taken.")
    }

    /// One frame.
    /// - Throws: `resource_exhausted` for a message that the browser would not take.
    package static func frame(_ message: [UInt8]) throws(BatonError) -> [UInt8] {
        guard message.count <= maximumOutgoing else {
            throw BatonError(
                .resourceExhausted, reason: "message_too_large",
                "A message of \(message.count) bytes cannot be sent; browsers take \(maximumOutgoing).")
        }
        return withUnsafeBytes(of: UInt32(message.count)) { Array($0) } + message
    }
}
