import Crypto
package import FileSync
import Packs

/// Cuts what a file holds into chunks, and says what the content is.
package struct ContentCutter {
    private let sizes: ChunkSizes
    private var cutter: ChunkCutter
    private var whole = SHA256()
    private var size: UInt64 = 0
    private var references: [ChunkReference] = []
    /// The beginning, as long as that may be everything.
    private var beginning: [UInt8] = []

    package init(sizes: ChunkSizes, gear: GearTable) {
        self.sizes = sizes
        cutter = ChunkCutter(sizes: sizes, gear: gear)
    }

    /// - Parameter take: is given each chunk when it is whole.
    package mutating func add(_ piece: [UInt8], _ take: (ContentHash, [UInt8]) throws -> Void) rethrows {
        whole.update(data: piece)
        size += UInt64(piece.count)
        if beginning.count <= EntryLimits.inlineBytes { beginning += piece.prefix(EntryLimits.inlineBytes + 1) }
        var rest = piece[...]
        while let chunk = cutter.next(in: &rest) { try close(chunk, take) }
    }

    private mutating func close(_ chunk: [UInt8], _ take: (ContentHash, [UInt8]) throws -> Void) rethrows {
        let hash = ContentHash(of: chunk)
        references.append(ChunkReference(hash: hash, length: UInt32(clamping: chunk.count)))
        // Content that is in the entry itself needs no chunk.
        if size > EntryLimits.inlineBytes { try take(hash, chunk) }
    }

    /// - Returns: the content, of which the list of a large one is cut into runs, which are chunks too.
    package mutating func finish(_ take: (ContentHash, [UInt8]) throws -> Void) throws -> LocalContent {
        if let chunk = cutter.last() { try close(chunk, take) }
        let (content, runs) = try finished()
        if case .chunks(let list) = content.body, list.isIndirect {
            for run in list.references { if let bytes = runs[run.hash] { try take(run.hash, bytes) } }
        }
        return content
    }

    /// - Returns: with the runs of the list of a large one.
    mutating func finish() throws -> (LocalContent, [ContentHash: [UInt8]]) {
        if let chunk = cutter.last() { close(chunk) { _, _ in } }
        return try finished()
    }

    private func finished() throws -> (LocalContent, [ContentHash: [UInt8]]) {
        try Self.content(size: size, hash: ContentHash(whole.finalize()), beginning: beginning, references, sizes)
    }

    /// - Parameters:
    ///   - beginning: all of it, where that may be in the entry itself.
    ///   - references: its chunks.
    static func content(
        size: UInt64, hash: ContentHash, beginning: [UInt8], _ references: [ChunkReference], _ sizes: ChunkSizes
    ) throws -> (LocalContent, [ContentHash: [UInt8]]) {
        if size <= EntryLimits.inlineBytes {
            let body = ContentBody.inline(ByteString(beginning.prefix(Int(size))))
            return (LocalContent(size: size, hash: hash, body: body), [:])
        }
        guard references.count > ChunkList.directChunks else {
            let list = try ChunkList(sizes: sizes, isIndirect: false, references: references, size: size)
            return (LocalContent(size: size, hash: hash, body: .chunks(list)), [:])
        }
        var (list, runs): ([ChunkReference], [ContentHash: [UInt8]]) = ([], [:])
        for run in ChunkRun.cut(references) {
            let bytes = run.encoded
            let hash = ContentHash(of: bytes)
            list.append(ChunkReference(hash: hash, length: UInt32(clamping: bytes.count)))
            runs[hash] = bytes
        }
        let chunks = try ChunkList(sizes: sizes, isIndirect: true, references: list, size: size)
        return (LocalContent(size: size, hash: hash, body: .chunks(chunks)), runs)
    }
}
