import Foundation

/// The lines between the daemon and `baton-desktop`: each is one JSON object.
package struct DesktopLines: Sendable {
    /// A line was too long. The rest of the stream cannot be read.
    package struct TooLong: Error {}

    /// Bytes of a request, which may have pictures in it.
    package static let maximumRequest = 4 << 20
    /// Bytes of a reply.
    package static let maximumReply = 64 << 10

    private let limit: Int
    private var rest: [UInt8] = []

    /// - Parameter limit: bytes of a line, without its end.
    package init(limit: Int) { self.limit = limit }

    /// - Returns: the lines that are whole now, without their ends.
    package mutating func take(_ bytes: some Collection<UInt8>) throws(TooLong) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for part in bytes.split(separator: Self.end, omittingEmptySubsequences: false).enumerated() {
            // Every part but the first stands behind the end of a line.
            if part.offset > 0 {
                lines.append(rest)
                rest = []
            }
            guard rest.count + part.element.count <= limit else { throw TooLong() }
            rest += part.element
        }
        return lines
    }

    /// - Returns: nil for what JSON cannot say, which no message is.
    package static func line(_ message: some Encodable) -> [UInt8]? {
        guard let data = try? JSONEncoder().encode(message) else { return nil }
        return Array(data) + [end]
    }

    /// - Returns: nil for what is no such message.
    package static func message<Message: Decodable>(_ type: Message.Type, in line: [UInt8]) -> Message? {
        try? JSONDecoder().decode(type, from: Data(line))
    }

    /// JSON writes one within a text as `\n`.
    private static let end: UInt8 = 0x0A
}
