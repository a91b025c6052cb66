import FileSync

/// Cuts a content of which an earlier version was cut before. A chunk ends where its own bytes say so, so one that has the bytes of an
/// earlier chunk ends where that did: its hash is enough to see that. The chunks are the same as without the earlier ones.
/// A value.
struct KnownChunks {
    /// After so many in a row it is taken for another content: nothing is looked for any more.
    private static let maximumMisses = 64

    private let earlier: [UInt64: ChunkReference]
    private var chunker: Chunker
    private var open: [UInt8] = []
    /// Where the open chunk begins.
    private var start: UInt64 = 0
    /// The earlier chunk that the open one may be.
    private var candidate: ChunkReference?
    private var misses = 0
    private var references: [ChunkReference] = []

    /// - Parameter chunks: of the earlier version, cut to the same sizes.
    init(_ chunks: [ChunkReference], sizes: ChunkSizes, gear: GearTable) {
        chunker = Chunker(sizes: sizes, gear: gear)
        // The last one ended with its content.
        let pieces = ContentPiece.all(chunks.dropLast())
        earlier = Dictionary(uniqueKeysWithValues: pieces.map { ($0.offset, $0.chunk) })
        candidate = earlier[0]
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            guard let candidate else {
                let end = rest.withUnsafeBytes { chunker.cut($0.bytes) }
                open += rest.prefix(end ?? rest.count)
                rest = rest.dropFirst(end ?? rest.count)
                if end != nil { close(ContentHash(of: open), open.count) }
                continue
            }
            if open.isEmpty, rest.count >= Int(candidate.length) {
                // All of it is here: nothing is put together.
                let hash = rest.prefix(Int(candidate.length)).withUnsafeBytes { ContentHash(of: $0) }
                guard hash == candidate.hash else {
                    misses += 1
                    self.candidate = nil
                    continue
                }
                misses = 0
                rest = rest.dropFirst(Int(candidate.length))
                close(hash, Int(candidate.length))
                continue
            }
            let part = rest.prefix(Int(candidate.length) - open.count)
            open += part
            rest = rest.dropFirst(part.count)
            guard open.count == Int(candidate.length) else { continue }
            let hash = ContentHash(of: open)
            if hash == candidate.hash {
                misses = 0
                close(hash, open.count)
            } else {
                misses += 1
                // Fewer bytes each time, of one chunk at most.
                add(reopen())
            }
        }
    }

    mutating func finish() -> [ChunkReference] {
        // It ended before the chunk that it might have been.
        while candidate != nil, !open.isEmpty { add(reopen()) }
        if !open.isEmpty { close(ContentHash(of: open), open.count) }
        return references
    }

    /// It is another chunk: its end is to be found.
    private mutating func reopen() -> ArraySlice<UInt8> {
        defer { (open, candidate) = ([], nil) }
        return open[...]
    }

    private mutating func close(_ hash: ContentHash, _ length: Int) {
        references.append(ChunkReference(hash: hash, length: UInt32(clamping: length)))
        start += UInt64(length)
        open.removeAll(keepingCapacity: true)
        candidate = misses < Self.maximumMisses ? earlier[start] : nil
    }
}
