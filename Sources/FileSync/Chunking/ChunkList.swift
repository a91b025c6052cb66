package import BatonCore

/// The list of chunks that make a content.
///
/// For a small file the list names the chunks themselves. For a large one it names runs, which are chunks too and hold
/// lists of chunks: so a change in the middle of a large file changes one run, and the entry stays small.
package struct ChunkList: Hashable, Sendable {
    /// A list of more chunks is cut into runs.
    package static let directChunks = 128
    package static let maximumReferences = 4096

    package var sizes: ChunkSizes
    /// Whether the references are runs.
    package var isIndirect: Bool
    package var references: [ChunkReference]
    /// Bytes of the content.
    package var size: UInt64

    /// One that was checked before.
    init(unchecked sizes: ChunkSizes, isIndirect: Bool, references: [ChunkReference], size: UInt64) {
        self.sizes = sizes
        self.isIndirect = isIndirect
        self.references = references
        self.size = size
    }

    /// - Throws: `invalid_argument` (`bad_chunk_list`) for a list whose lengths do not fit.
    package init(
        sizes: ChunkSizes, isIndirect: Bool, references: [ChunkReference], size: UInt64
    ) throws(BatonError) {
        self.sizes = sizes
        self.isIndirect = isIndirect
        self.references = references
        self.size = size
        let bound = isIndirect ? ChunkRun.maximumBytes : sizes.maximum
        var (total, chunks): (UInt64, UInt64) = (0, 0)
        for reference in references {
            total += UInt64(reference.length)
            chunks += UInt64(ChunkRun.chunks(inBytes: Int(reference.length)))
        }
        // A size that no runs can hold is nothing to count with.
        guard references.count <= Self.maximumReferences, !references.isEmpty,
            references.allSatisfy({ $0.length > 0 && $0.length <= bound }),
            isIndirect ? size <= chunks * UInt64(sizes.maximum) : total == size
        else {
            throw BatonError(
                .invalidArgument, reason: "bad_chunk_list",
                "The list of a file's parts does not fit the file and was refused.")
        }
    }
}
