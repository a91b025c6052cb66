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
        let start = min(count, max(0, sizes.minimum - 64 - length))
        // Where in these bytes the chunk is as long as each bound, or where they end before.
        func place(of size: Int) -> Int { max(start, min(count, size - length)) }
        // The byte that makes it as long as the minimum may end it, the one that makes it as long as the mean by the loose bound.
        let (first, middle, last) = (
            place(of: sizes.minimum - 1), place(of: sizes.mean - 1), place(of: sizes.maximum)
        )
        let (strict, loose) = (strict, loose)
        // Not in a function of their own, which a build without optimization would call for each byte.
        let (index, value, isCut) = bytes.withUnsafeBytes { bytes in
            gear.values.withUnsafeBufferPointer { table in
                guard let bytes = bytes.assumingMemoryBound(to: UInt8.self).baseAddress, let table = table.baseAddress
                else { return (start, hash, length + start >= sizes.maximum) }
                var index = start
                var value = hash
                // Three loops, since each byte counts: nothing but the hash, then one comparison.
                while index < first {
                    value = (value << 1) &+ table[Int(bytes[index])]
                    index &+= 1
                }
                while index < middle {
                    value = (value << 1) &+ table[Int(bytes[index])]
                    index &+= 1
                    if value < strict { return (index, value, true) }
                }
                while index < last {
                    value = (value << 1) &+ table[Int(bytes[index])]
                    index &+= 1
                    if value < loose { return (index, value, true) }
                }
                return (index, value, length + index >= sizes.maximum)
            }
        }
        guard isCut else {
            (length, hash) = (length + index, value)
            return nil
        }
        (length, hash) = (0, 0)
        return index
    }
}
