package import BatonCore

/// The frames of the browsers' native messaging: a length of 32 bits in the machine's byte order, then JSON.
package enum NativeMessaging {
    /// Of a message from the browser. The extension's are a few hundred bytes, and the longest, a page with the longest
    /// address and title, some 10 KB.
    package static let maximumIncoming = 64 << 10
    /// Of a message to the browser; Chromium and Firefox close the port after a longer one.
    package static let maximumOutgoing = 1 << 20

    private static let headLength = 4

    /// Puts the bytes of frames together, however they come. Holds one frame and what came with it.
    package struct Decoder: Sendable {
        private let limit: Int
        private var buffer: [UInt8] = []
        private var index = 0

        package init(limit: Int = NativeMessaging.maximumIncoming) { self.limit = limit }

        package mutating func append(_ bytes: some Sequence<UInt8>) {
            buffer.removeSubrange(..<index)
            index = 0
            buffer.append(contentsOf: bytes)
        }

        /// The next message that is there as a whole.
        /// - Throws: `resource_exhausted` (`message_too_large`) or `invalid_argument` (`empty_message`). What follows such
        ///   a frame need not be one: nothing more is read.
        package mutating func next() throws(BatonError) -> [UInt8]? {
            let rest = buffer[index...]
            guard rest.count >= NativeMessaging.headLength else { return nil }
            // In the machine's own order, as the browser wrote it.
            let head = Array(rest.prefix(NativeMessaging.headLength))
            let length = head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            guard length <= UInt32(limit) else {
                throw BatonError(
                    .resourceExhausted, reason: "message_too_large",
                    "A message of \(length) bytes came; at most \(limit) are taken.")
            }
            guard length > 0 else {
                throw BatonError(.invalidArgument, reason: "empty_message", "A message without content came.")
            }
            guard rest.count >= NativeMessaging.headLength + Int(length) else { return nil }
            let message = Array(rest.dropFirst(NativeMessaging.headLength).prefix(Int(length)))
            index += NativeMessaging.headLength + Int(length)
            return message
        }

        /// Whether a frame has begun and not ended.
        package var isWithinFrame: Bool { index < buffer.count }
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
