/// Cuts a content where the content says so: an insertion moves no boundary but those next to it.
///
/// A gear hash of the last 64 bytes decides. Before the mean size it must have two more leading zeros than after, so that most
/// chunks are near the mean (normalised chunking, as in FastCDC). Bytes come in pieces of any length; the cuts are the same.
package struct Chunker: Sendable {
    private let gear: GearTable
    private let sizes: ChunkSizes
    /// A hash below this ends a chunk that is shorter than the mean; one below the other ends a longer one.
    private let strict: UInt64
    private let loose: UInt64
    private var hash: UInt64 = 0
    /// Bytes of the chunk that is open.
    package private(set) var length = 0

    package init(sizes: ChunkSizes, gear: GearTable) {
        self.sizes = sizes
        self.gear = gear
        let bits = UInt64(sizes.mean.trailingZeroBitCount)
        strict = 1 << (64 - bits - 2)
        loose = 1 << (64 - bits + 2)
    }

    /// Reads on.
    ///
    /// - Returns: how many of the bytes are in the open chunk, when it ends there; nil: it goes on after all of them.
    ///   Call again with the rest. The chunk that is open at the end of the content is its last.
    package mutating func cut(_ bytes: RawSpan) -> Int? {
        let count = bytes.byteCount
        // The hash needs 64 bytes; those before the minimum decide nothing else.
        var index = min(count, max(0, sizes.minimum - 64 - length))
        var size = length + index
        var value = hash
        gear.values.withUnsafeBufferPointer { table in
            while index < count {
                value = (value << 1) &+ table[Int(bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self))]
                index += 1
                size += 1
                if size < sizes.minimum { continue }
                if value < (size < sizes.mean ? strict : loose) || size >= sizes.maximum { return }
            }
            size = -size
        }
        guard size > 0 else {
            (length, hash) = (-size, value)
            return nil
        }
        (length, hash) = (0, 0)
        return index
    }
}
