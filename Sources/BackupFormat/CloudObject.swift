package import BatonCore

/// An object of a backup, as an item of the cloud's zone holds it, sealed: its bytes, or where they lie.
package enum CloudObject: Hashable, Sendable {
    /// So much is in the item itself.
    package static let maximumInline = 64 << 10
    /// Larger objects are cut into blobs of this size: a cloud takes 16 MiB, or less where its operator chose so.
    package static let blobBytes = 4 << 20
    /// 1 GiB.
    package static let maximumBlobs = 256
    private static let format: UInt8 = 1

    case inline([UInt8])
    case blobs([Blob])

    /// SHA-256 of the bytes, by which the cloud names them, and how many they are.
    package struct Blob: Hashable, Sendable {
        package var hash: [UInt8]
        package var size: UInt32

        package init(hash: [UInt8], size: UInt32) {
            self.hash = hash
            self.size = size
        }
    }

    package var size: UInt64 {
        switch self {
        case .inline(let bytes): UInt64(bytes.count)
        case .blobs(let blobs): blobs.reduce(0) { $0 + UInt64($1.size) }
        }
    }

    package var blobs: [Blob] { if case .blobs(let blobs) = self { blobs } else { [] } }

    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.put(Self.format)
        switch self {
        case .inline(let bytes):
            writer.put(0 as UInt8)
            writer.put(long: bytes)
        case .blobs(let blobs):
            writer.put(1 as UInt8)
            writer.put(UInt32(clamping: blobs.count))
            for blob in blobs {
                writer.put(raw: blob.hash)
                writer.put(blob.size)
            }
        }
        return writer.bytes
    }

    /// - Throws: `data_loss` (`bad_backup_object`) for all that ``encoded`` does not write.
    package init(decoding bytes: some Sequence<UInt8>) throws(BatonError) {
        var reader = BinaryReader(bytes, "an item of the cloud")
        guard try reader.number(UInt8.self) == Self.format else { throw reader.refusal }
        switch try reader.number(UInt8.self) {
        case 0: self = .inline(try reader.long(limit: Self.maximumInline))
        case 1:
            var blobs: [Blob] = []
            for _ in 0..<(try reader.count(of: 36, limit: Self.maximumBlobs)) {
                let blob = Blob(hash: try reader.raw(32), size: try reader.number())
                guard blob.size > 0, blob.size <= Self.blobBytes else { throw reader.refusal }
                blobs.append(blob)
            }
            guard !blobs.isEmpty else { throw reader.refusal }
            self = .blobs(blobs)
        default: throw reader.refusal
        }
        try reader.end()
    }
}
