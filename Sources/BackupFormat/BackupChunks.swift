import BatonCore
package import FileSync

/// How a backup cuts contents: 256 KiB, 1 MiB and 4 MiB, whatever the size of the file, by the account's secret table.
package enum BackupChunks {
    package static let sizes = ChunkSizes.large
    /// A content of more is refused: 64 GiB of the least chunks, 1 TiB of usual ones.
    package static let maximumReferences = 1 << 18

    static func write(_ references: [ChunkReference], to writer: inout BinaryWriter) {
        writer.put(UInt32(clamping: references.count))
        for reference in references { writer.put(raw: reference.encoded) }
    }

    static func read(_ reader: inout BinaryReader) throws(BatonError) -> [ChunkReference] {
        let count = try reader.count(of: ChunkReference.encodedSize, limit: maximumReferences)
        var references: [ChunkReference] = []
        references.reserveCapacity(count)
        for _ in 0..<count {
            references.append(try read(one: &reader))
        }
        return references
    }

    static func read(one reader: inout BinaryReader) throws(BatonError) -> ChunkReference {
        guard let reference = ChunkReference(decoding: try reader.raw(ChunkReference.encodedSize)),
            reference.length > 0, reference.length <= sizes.maximum
        else { throw reader.refusal }
        return reference
    }

    /// Bytes of a content.
    package static func size(_ references: [ChunkReference]) -> UInt64 {
        references.reduce(0) { $0 + UInt64($1.length) }
    }
}
