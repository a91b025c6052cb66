package import BatonCore

/// Some hundred chunks in a row, as a chunk of its own: the lower level of the list of a large file.
package struct ChunkRun: Hashable, Sendable {
    /// A run ends with a chunk whose hash says so, one of 256, but not before so many.
    static let minimumChunks = 64
    static let maximumChunks = 1024
    private static let format: UInt8 = 1
    package static let maximumBytes = 1 + maximumChunks * ChunkReference.encodedSize

    package var references: [ChunkReference]

    package init(references: [ChunkReference]) { self.references = references }

    /// Cuts a list into runs. A change of one chunk changes one run, or two.
    package static func cut(_ references: [ChunkReference]) -> [ChunkRun] {
        var runs: [ChunkRun] = []
        var open: [ChunkReference] = []
        for reference in references {
            open.append(reference)
            guard open.count >= minimumChunks else { continue }
            if reference.hash.lowBits & 0xFF == 0 || open.count >= maximumChunks {
                runs.append(ChunkRun(references: open))
                open = []
            }
        }
        if !open.isEmpty { runs.append(ChunkRun(references: open)) }
        return runs
    }

    /// How many chunks are in a run of so many bytes.
    static func chunks(inBytes count: Int) -> Int { max(count - 1, 0) / ChunkReference.encodedSize }

    /// A byte for the format, then hash and length (4 bytes, big-endian) of each chunk.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = [Self.format]
        bytes.reserveCapacity(1 + references.count * ChunkReference.encodedSize)
        for reference in references { bytes += reference.encoded }
        return bytes
    }

    /// - Throws: `invalid_argument` (`bad_chunk_run`) for all that ``encoded`` does not write.
    package init(decoding bytes: [UInt8], sizes: ChunkSizes) throws(BatonError) {
        references = []
        let count = Self.chunks(inBytes: bytes.count)
        guard bytes.first == Self.format, count > 0, count <= Self.maximumChunks,
            bytes.count == 1 + count * ChunkReference.encodedSize
        else { throw Self.refusal }
        for index in 0..<count {
            let start = 1 + index * ChunkReference.encodedSize
            guard let reference = ChunkReference(decoding: bytes[start..<(start + ChunkReference.encodedSize)]),
                reference.length > 0, reference.length <= sizes.maximum
            else { throw Self.refusal }
            references.append(reference)
        }
    }

    private static var refusal: BatonError {
        BatonError(
            .invalidArgument, reason: "bad_chunk_run",
            "A part of the list of a large file is malformed and was refused.")
    }
}
