package import BatonCore
package import NIOCore

/// The head of the request or answer that turns an HTTP/1.1 connection into a pipe of bytes: only what
/// docs/protocol.md asks for, so that nothing is left to interpret. Ordinary calls have a full HTTP parser.
package struct PipeHead: Hashable, Sendable {
    package static let upgrade = "baton-stream/1"
    package static let maximumSize = 8 << 10
    package static let maximumFields = 32

    /// The first line.
    package var start: String
    /// Names in lower case.
    package var fields: [String: String]

    package init(start: String, fields: [String: String]) {
        self.start = start
        self.fields = fields
    }

    /// Takes the head off the front of what was received.
    /// - Returns: nil when more bytes are needed.
    /// - Throws: `invalid_argument` for anything that is no such head.
    package static func read(from buffer: inout ByteBuffer) throws(BatonError) -> PipeHead? {
        let bytes = buffer.readableBytesView.prefix(maximumSize)
        guard let end = endOfHead(bytes) else {
            guard bytes.count < maximumSize else { throw malformed("is too long") }
            return nil
        }
        guard let text = buffer.readString(length: end) else { return nil }
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        guard let start = lines.popFirst().map(String.init), start.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            lines.count <= maximumFields
        else { throw malformed("has a wrong first line or too many fields") }
        var fields: [String: String] = [:]
        for line in lines {
            let (name, value) = try field(line)
            guard fields.updateValue(value, forKey: name) == nil else { throw malformed("has a field twice") }
        }
        return PipeHead(start: start, fields: fields)
    }

    private static func endOfHead(_ bytes: some Collection<UInt8>) -> Int? {
        var matched = 0
        let pattern = Array("\r\n\r\n".utf8)
        for (index, byte) in bytes.enumerated() {
            matched = byte == pattern[matched] ? matched + 1 : (byte == 0x0D ? 1 : 0)
            if matched == 4 { return index + 1 }
        }
        return nil
    }

    private static func field(_ line: Substring) throws(BatonError) -> (String, String) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw malformed("has a wrong field") }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D || (0x30...0x39) ~= $0 }),
            value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw malformed("has a wrong field") }
        return (name, String(value))
    }

    package func contentLength(limit: Int) throws(BatonError) -> Int {
        guard let text = fields["content-length"] else { return 0 }
        guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39) ~= $0 }),
            let length = Int(text), length <= limit
        else { throw Self.malformed("has a wrong Content-Length") }
        return length
    }

    /// Whether both sides are to go on with the frames of streams.
    package var isUpgrade: Bool {
        fields["upgrade"] == Self.upgrade && fields["connection"]?.lowercased() == "upgrade"
            && fields["transfer-encoding"] == nil
    }

    package func write(into buffer: inout ByteBuffer) {
        buffer.writeString(start + "\r\n")
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { buffer.writeString("\(name): \(value)\r\n") }
        buffer.writeString("\r\n")
    }

    private static func malformed(_ what: String) -> BatonError {
        BatonError(.invalidArgument, reason: "malformed_upgrade", "The head of the upgrade to a stream \(what).")
    }
}
