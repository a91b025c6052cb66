package import BatonCore
package import FileSync
package import Foundation

/// Some chunks in one blob, one after the other.
package protocol StoredPack: Sendable {
    /// All that is known of it, as its owner keeps it.
    var content: Data { get }
    /// - Throws: for a content that no device wrote.
    init(content: Data) throws(BatonError)
    /// Unique among the packs of an owner.
    var name: String { get }
    /// Names the blob.
    var blobName: Data { get }
    /// In the order in which they are in the blob.
    var chunks: [ChunkReference] { get }
}

extension StoredPack {
    /// Each chunk with its place in the blob.
    package var places: [(chunk: ChunkReference, offset: UInt64)] {
        var offset: UInt64 = 0
        return chunks.map { chunk in
            defer { offset += UInt64(chunk.length) }
            return (chunk, offset)
        }
    }
}
