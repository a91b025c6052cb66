package import BatonCore

/// Bytes, compared as numbers one after the other.
package struct ByteString: Hashable, Comparable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

    // Handles are the keys of large tables.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// The name of an entry in its directory: bytes, as Linux has them, normally UTF-8 in any form.
package struct EntryName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// More than a Linux name may have: other systems count 255 units of UTF-16.
    package static let maximumLength = 765

    package let bytes: [UInt8]

    /// - Throws: `invalid_argument` (`bad_name`) for what is no name: empty, `.`, `..`, with a slash or a zero byte, or of
    ///   more than 765 bytes.
    package init(_ bytes: some Sequence<UInt8>) throws(BatonError) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty, bytes.count <= Self.maximumLength, bytes != [0x2E], bytes != [0x2E, 0x2E],
            !bytes.contains(0x2F), !bytes.contains(0)
        else {
            throw BatonError(
                .invalidArgument, reason: "bad_name",
                "A file's name is empty, too long, \u{201C}.\u{201D} or \u{201C}..\u{201D}, or has a slash or a zero byte. The file was refused."
            )
        }
        self.bytes = bytes
    }

    package init(_ text: String) throws(BatonError) { try self.init(Array(text.utf8)) }

    package init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    package static let recovered = EntryName(unchecked: Array("Recovered".utf8))

    package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

    // Names are the keys of large tables.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Where the extension begins, with its dot; the end where there is none. A dot at the start begins no extension.
    var extensionStart: Int {
        guard let dot = bytes.lastIndex(of: 0x2E), dot > 0, bytes.count - dot <= 17 else { return bytes.count }
        return dot
    }
}
