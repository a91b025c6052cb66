package import BatonCore
package import FileSync

/// Some megabytes of chunks in one file, sealed. Its directory says which: from the directories of all packs a device knows what
/// is stored.
///
/// A file of a pack is `BBP1` ‖ length (4) of the head ‖ the head, sealed as an item ‖ the directory, sealed as a blob ‖ the chunks,
/// sealed as a blob.
package struct BackupPack: Hashable, Sendable {
    package static let magic: [UInt8] = Array("BBP1".utf8)
    /// A pack is closed when it has so many bytes of chunks.
    package static let targetBytes = 16 << 20
    package static let maximumBytes = targetBytes + 8 << 20
    package static let maximumChunks = 1 << 17
    package static let maximumHead = 4096

    /// 16 random bytes.
    package struct ID: Hashable, Comparable, Sendable, CustomStringConvertible {
        package static let size = 16
        package let bytes: [UInt8]

        package init?(_ bytes: some Sequence<UInt8>) {
            self.bytes = Array(bytes)
            guard self.bytes.count == Self.size else { return nil }
        }

        /// From 32 hexadecimal digits, as files are named.
        package init?(_ text: String) {
            let digits = Array(text.utf8)
            guard digits.count == 2 * Self.size else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
                bytes.append(high << 4 | low)
            }
            self.bytes = bytes
        }

        private static func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case 0x30...0x39: digit - 0x30
            case 0x61...0x66: digit - 0x61 + 10
            default: nil
            }
        }

        package var description: String {
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }

        package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
    }

    package enum Compression: UInt8, Hashable, Sendable {
        case none = 0
        case zstd = 1

        /// Whether it is worth it: a twentieth is saved.
        package static func isWorth(_ compressed: Int, of plain: Int) -> Bool { compressed <= plain - plain / 20 }
    }

    package struct Chunk: Hashable, Sendable {
        package var reference: ChunkReference
        package var offset: UInt32
        package var storedLength: UInt32
        package var compression: Compression

        package init(reference: ChunkReference, offset: UInt32, storedLength: UInt32, compression: Compression) {
            self.reference = reference
            self.offset = offset
            self.storedLength = storedLength
            self.compression = compression
        }
    }

    /// The keys of the two blobs, and their sizes before sealing.
    package struct Head: Hashable, Sendable {
        package var directoryKey: [UInt8]
        package var chunksKey: [UInt8]
        package var directorySize: UInt32
        package var chunksSize: UInt32

        package init(directoryKey: [UInt8], chunksKey: [UInt8], directorySize: UInt32, chunksSize: UInt32) {
            self.directoryKey = directoryKey
            self.chunksKey = chunksKey
            self.directorySize = directorySize
            self.chunksSize = chunksSize
        }

        package var encoded: [UInt8] {
            var writer = BinaryWriter()
            writer.put(raw: directoryKey)
            writer.put(raw: chunksKey)
            writer.put(directorySize)
            writer.put(chunksSize)
            return writer.bytes
        }

        package init(decoding bytes: some Sequence<UInt8>) throws(BatonError) {
            var reader = BinaryReader(bytes, "the head of a pack")
            directoryKey = try reader.raw(32)
            chunksKey = try reader.raw(32)
            directorySize = try reader.number()
            chunksSize = try reader.number()
            guard directorySize <= BackupPack.maximumChunks * BackupPack.recordBytes + 8,
                chunksSize <= BackupPack.maximumBytes
            else { throw reader.refusal }
            try reader.end()
        }
    }

    static let recordBytes = ChunkReference.encodedSize + 4 + 4 + 1
    package var chunks: [Chunk]

    package init(_ chunks: [Chunk]) { self.chunks = chunks }

    /// The directory.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.put(UInt8(1))
        writer.put(UInt32(clamping: chunks.count))
        for chunk in chunks {
            writer.put(raw: chunk.reference.encoded)
            writer.put(chunk.offset)
            writer.put(chunk.storedLength)
            writer.put(chunk.compression.rawValue)
        }
        return writer.bytes
    }

    /// - Parameter size: bytes of the pack's chunks.
    package init(decoding bytes: some Sequence<UInt8>, size: UInt32) throws(BatonError) {
        var reader = BinaryReader(bytes, "the directory of a pack")
        guard try reader.number(UInt8.self) == 1 else { throw reader.refusal }
        let count = try reader.count(of: Self.recordBytes, limit: Self.maximumChunks)
        chunks = []
        chunks.reserveCapacity(count)
        for _ in 0..<count {
            let reference = try BackupChunks.read(one: &reader)
            let offset: UInt32 = try reader.number()
            let stored: UInt32 = try reader.number()
            guard let compression = Compression(rawValue: try reader.number()), stored > 0,
                UInt64(offset) + UInt64(stored) <= UInt64(size),
                compression == .none ? stored == reference.length : stored < reference.length
            else { throw reader.refusal }
            chunks.append(Chunk(reference: reference, offset: offset, storedLength: stored, compression: compression))
        }
        try reader.end()
    }
}
