import BatonCore
package import FileSync

/// How a backup cuts contents: 256 KiB, 1 MiB and 4 MiB, whatever the size of the file, by the account's secret table.
package enum BackupChunks {
    package static let sizes = ChunkSizes.large
    /// A content of more is refused: 64 GiB of the least chunks, 1 TiB of usual ones.
    package static let maximumReferences = 1 << 18
    static let recordBytes = 36

    static func write(_ references: [ChunkReference], to writer: inout BinaryWriter) {
        writer.put(UInt32(clamping: references.count))
        for reference in references {
            writer.put(raw: reference.hash.bytes)
            writer.put(reference.length)
        }
    }

    static func read(_ reader: inout BinaryReader) throws(BatonError) -> [ChunkReference] {
        let count = try reader.count(of: recordBytes, limit: maximumReferences)
        var references: [ChunkReference] = []
        references.reserveCapacity(count)
        for _ in 0..<count {
            let raw = try reader.raw(32)
            let length: UInt32 = try reader.number()
            guard let hash = ContentHash(raw), length > 0, length <= sizes.maximum else { throw reader.refusal }
            references.append(ChunkReference(hash: hash, length: length))
        }
        return references
    }

    /// Bytes of a content.
    package static func size(_ references: [ChunkReference]) -> UInt64 {
        references.reduce(0) { $0 + UInt64($1.length) }
    }
}
