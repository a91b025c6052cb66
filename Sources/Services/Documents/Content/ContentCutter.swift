import Crypto
package import FileSync

/// Cuts what a file holds into chunks, and says what the content is.
package struct ContentCutter {
    private let sizes: ChunkSizes
    private var chunker: Chunker
    private var whole = SHA256()
    private var open: [UInt8] = []
    private var size: UInt64 = 0
    private var references: [ChunkReference] = []
    /// The beginning, as long as that may be everything.
    private var beginning: [UInt8] = []

    package init(sizes: ChunkSizes, gear: GearTable) {
        self.sizes = sizes
        chunker = Chunker(sizes: sizes, gear: gear)
    }

    package static func hash(_ bytes: some Collection<UInt8>) -> ContentHash {
        var hash = SHA256()
        hash.update(data: Array(bytes))
        return digest(hash)
    }

    static func digest(_ hash: SHA256) -> ContentHash {
        // A digest of SHA-256 has 32 bytes.
        ContentHash(Array(hash.finalize())) ?? ContentHash(0, 0, 0, 0)
    }

    /// - Parameter take: is given each chunk when it is whole.
    package mutating func add(_ piece: [UInt8], _ take: (ContentHash, [UInt8]) throws -> Void) rethrows {
        whole.update(data: piece)
        size += UInt64(piece.count)
        if beginning.count <= EntryLimits.inlineBytes { beginning += piece.prefix(EntryLimits.inlineBytes + 1) }
        var rest = piece[...]
        while !rest.isEmpty {
            let end = rest.withUnsafeBytes { chunker.cut($0.bytes) }
            open += rest.prefix(end ?? rest.count)
            rest = rest.dropFirst(end ?? rest.count)
            if end != nil { try close(take) }
        }
    }

    private mutating func close(_ take: (ContentHash, [UInt8]) throws -> Void) rethrows {
        let hash = Self.hash(open)
        references.append(ChunkReference(hash: hash, length: UInt32(clamping: open.count)))
        // What is in the entry itself needs no chunk.
        if size > EntryLimits.inlineBytes { try take(hash, open) }
        open = []
    }

    /// - Returns: the content, of which the list of a large one is cut into runs, which are chunks too.
    package mutating func finish(_ take: (ContentHash, [UInt8]) throws -> Void) throws -> LocalContent {
        if !open.isEmpty { try close(take) }
        let hash = Self.digest(whole)
        if size <= EntryLimits.inlineBytes {
            return LocalContent(size: size, hash: hash, body: .inline(ByteString(beginning.prefix(Int(size)))))
        }
        guard references.count > ChunkList.directChunks else {
            let list = try ChunkList(sizes: sizes, isIndirect: false, references: references, size: size)
            return LocalContent(size: size, hash: hash, body: .chunks(list))
        }
        var runs: [ChunkReference] = []
        for run in ChunkRun.cut(references) {
            let bytes = run.encoded
            let hash = Self.hash(bytes)
            runs.append(ChunkReference(hash: hash, length: UInt32(clamping: bytes.count)))
            try take(hash, bytes)
        }
        let list = try ChunkList(sizes: sizes, isIndirect: true, references: runs, size: size)
        return LocalContent(size: size, hash: hash, body: .chunks(list))
    }
}
