package import BatonCore
package import NIOCore
package import SwiftProtobuf

/// How messages are written in a call: binary for programs, JSON for people with `curl`.
package enum ConnectCodec: String, Sendable {
    case proto
    case json

    package var unaryContentType: String { "application/\(rawValue)" }
    package var streamContentType: String { "application/connect+\(rawValue)" }

    /// Nil for another content type. Parameters such as `charset=utf-8` are allowed.
    package init?(unaryContentType text: String) {
        // As it is nearly always spelled: taking it apart costs more than the rest of a request's head.
        if text == "application/proto" { self = .proto } else { self.init(text, prefix: "application/") }
    }
    package init?(streamContentType text: String) { self.init(text, prefix: "application/connect+") }

    private init?(_ text: String, prefix: String) {
        let type = text.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard type.hasPrefix(prefix) else { return nil }
        self.init(rawValue: String(type.dropFirst(prefix.count)))
    }

    /// A property value is up to three messages deep per container: entry, value, container.
    package static let depthLimit = 3 * PropertyValue.maximumDepth + 16

    package func encode(_ message: some Message) throws(BatonError) -> ByteBuffer {
        do {
            switch self {
            case .proto: return ByteBuffer(bytes: try message.serializedBytes() as [UInt8])
            case .json: return ByteBuffer(bytes: try message.jsonUTF8Bytes() as [UInt8])
            }
        } catch {
            throw BatonError(
                .internal, reason: "encoding_failed", "A message could not be written. Please report this.",
                cause: error)
        }
    }

    /// - Throws: `invalid_argument` for bytes that are not such a message. Unknown fields are kept (binary) or passed
    ///   over (JSON), so that a newer peer can be understood (H-98).
    /// - Parameter isSecret: whether the copy that is decoded is overwritten.
    package func decode<Decoded: Message>(
        _ type: Decoded.Type, from buffer: ByteBuffer, isSecret: Bool = false
    ) throws(BatonError) -> Decoded {
        do {
            switch self {
            case .proto:
                var options = BinaryDecodingOptions()
                options.messageDepthLimit = Self.depthLimit
                var bytes = Array(buffer.readableBytesView)
                defer { if isSecret { bytes.overwrite() } }
                return try Decoded(serializedBytes: bytes, options: options)
            case .json:
                var options = JSONDecodingOptions()
                options.messageDepthLimit = Self.depthLimit
                options.ignoreUnknownFields = true
                // An empty body stands for an empty message, as `curl -d ''` sends it.
                guard buffer.readableBytes > 0 else { return Decoded() }
                var bytes = Array(buffer.readableBytesView)
                defer { if isSecret { bytes.overwrite() } }
                return try Decoded(jsonUTF8Bytes: bytes, options: options)
            }
        } catch {
            throw BatonError(
                .invalidArgument, reason: "malformed_message",
                "The message is not a valid \(Decoded.protoMessageName) in \(self == .json ? "JSON" : "binary") form.",
                cause: error)
        }
    }
}
