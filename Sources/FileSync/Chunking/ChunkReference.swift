/// A piece of a content, in the order of the content.
package struct ChunkReference: Hashable, Sendable {
    package var hash: ContentHash
    package var length: UInt32

    package init(hash: ContentHash, length: UInt32) {
        self.hash = hash
        self.length = length
    }

    /// Bytes of a reference in lists of chunks, of documents and of backups.
    package static let encodedSize = 36

    /// SHA-256 (32) ‖ length (4, big-endian).
    package var encoded: [UInt8] {
        hash.bytes + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32($0))) }
    }

    /// - Returns: nil unless there are ``encodedSize`` bytes. Any length is taken: its bounds are the list's.
    package init?(decoding bytes: some Collection<UInt8>) {
        guard bytes.count == Self.encodedSize, let hash = ContentHash(bytes.prefix(32)) else { return nil }
        self.init(hash: hash, length: bytes.dropFirst(32).reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// Whether these bytes are the chunk.
    package func matches(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == Int(length) && ContentHash(of: bytes) == hash
    }
}
