package import BatonCore
package import FileSync
package import Foundation
import Packs
package import Sync

/// Some chunks in one blob, as an item of the container's zone: it names the blob for the cloud and lists for devices which
/// chunks are in it. Keys are random, so the cloud cannot see which contents are equal.
package struct DocumentPack: StoredPack, Hashable, Sendable {
    /// Bytes of chunks in one blob, but for one chunk that is larger.
    package static let size = 4 << 20
    static let maximumChunks = 1024
    private static let format: UInt8 = 1
    static let prefix = "pack-"

    package let blob: BlobReference
    /// In the order in which they are in the blob.
    package let chunks: [ChunkReference]

    package init(blob: BlobReference, chunks: [ChunkReference]) {
        self.blob = blob
        self.chunks = chunks
    }

    /// The item's name: a word and half of the blob's identifier.
    package var name: String { Self.prefix + String(blob.id.description.prefix(32)) }

    package var blobName: Data { blob.id.bytes }

    package static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Format (1) ‖ the blob's reference (72) ‖ for each chunk SHA-256 (32) ‖ length (4).
    package var content: Data {
        Data([Self.format]) + blob.bytes + Data(chunks.flatMap(\.encoded))
    }

    /// - Throws: `data_loss`, `invalid_argument` for what no device wrote.
    package init(content: Data) throws(BatonError) {
        let bytes = Data(content)
        guard bytes.first == Self.format, bytes.count > 73, (bytes.count - 73) % 36 == 0,
            (bytes.count - 73) / 36 <= Self.maximumChunks
        else { throw Self.refusal }
        blob = try BlobReference(bytes[1..<73])
        chunks = try EntryCodec.references(bytes[73...])
        let total = chunks.reduce(UInt64(0)) { $0 + UInt64($1.length) }
        guard total == blob.size, chunks.allSatisfy({ $0.length > 0 }) else { throw Self.refusal }
    }

    private static let refusal = BatonError(
        .invalidArgument, reason: "bad_pack",
        "The account's list of the parts of files is malformed and was refused. Update Baton on the device that wrote it."
    )
}
