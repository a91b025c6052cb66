package import FileSync

/// Cuts a content that comes in pieces of any length into its chunks. A value.
package struct ChunkCutter: Sendable {
    private var chunker: Chunker
    private var open: [UInt8] = []

    package init(sizes: ChunkSizes, gear: GearTable) { chunker = Chunker(sizes: sizes, gear: gear) }

    /// The next chunk that ends in these bytes.
    /// - Parameter bytes: what comes next; what was read of it is gone from it.
    /// - Returns: nil when all of them were read; the chunk that is open goes on after them.
    package mutating func next(in bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
        let end = bytes.withUnsafeBytes { chunker.cut($0.bytes) }
        open += bytes.prefix(end ?? bytes.count)
        bytes = bytes.dropFirst(end ?? bytes.count)
        return end == nil ? nil : take()
    }

    /// The last chunk, which ends with the content; nil where it ended with the one before.
    package mutating func last() -> [UInt8]? { open.isEmpty ? nil : take() }

    private mutating func take() -> [UInt8] {
        defer { open = [] }
        return open
    }
}
