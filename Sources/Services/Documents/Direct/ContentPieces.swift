import FileSync

/// A chunk of a content, and where in it the chunk is.
struct ContentPiece: Hashable, Sendable {
    var chunk: ChunkReference
    var offset: UInt64

    var range: Range<UInt64> { offset..<offset + UInt64(chunk.length) }

    static func all(_ chunks: [ChunkReference]) -> [ContentPiece] {
        var offset: UInt64 = 0
        return chunks.map { chunk in
            defer { offset += UInt64(chunk.length) }
            return ContentPiece(chunk: chunk, offset: offset)
        }
    }
}

/// Which pieces of a content are still to come, and who brings which: each piece is asked of one device at a time, so none is sent
/// twice. A value.
struct PieceQueue: Sendable {
    /// Bytes that are asked of a device at once.
    static let batchBytes: UInt64 = 4 << 20
    static let batchPieces = 1024

    private(set) var waiting: [ContentPiece]
    private(set) var underWay = 0

    /// - Parameter pieces: in ascending order.
    init(_ pieces: [ContentPiece]) { waiting = pieces.reversed() }

    var isEmpty: Bool { waiting.isEmpty && underWay == 0 }

    /// The next pieces, for a source that can bring any; empty when none wait.
    mutating func take() -> [ContentPiece] {
        var batch: [ContentPiece] = []
        var bytes: UInt64 = 0
        while let piece = waiting.last, batch.count < Self.batchPieces,
            batch.isEmpty || bytes + UInt64(piece.chunk.length) <= Self.batchBytes
        {
            batch.append(waiting.removeLast())
            bytes += UInt64(piece.chunk.length)
        }
        underWay += batch.count
        return batch
    }

    /// All of those, for a source that has only some.
    mutating func takeAll(where isThere: (ContentPiece) -> Bool) -> [ContentPiece] {
        let found = Array(waiting.filter(isThere).reversed())
        waiting.removeAll(where: isThere)
        underWay += found.count
        return found
    }

    mutating func came(_ count: Int) { underWay -= count }

    /// Pieces missing from a batch: another source is asked for them.
    mutating func giveBack(_ pieces: some Collection<ContentPiece>) {
        underWay -= pieces.count
        waiting = (waiting + pieces).sorted { $0.offset > $1.offset }
    }
}

/// Puts bytes together to the pieces that were asked for, and believes nothing but their hashes. A value.
struct PieceAssembly: Sendable {
    enum Refusal: Error, Hashable { case damaged }

    private var rest: ArraySlice<ContentPiece>
    private var open: [UInt8] = []

    /// - Parameter pieces: in the order in which their bytes come.
    init(_ pieces: [ContentPiece]) { rest = pieces[...] }

    /// Those that have not come whole.
    var missing: ArraySlice<ContentPiece> { rest }

    /// - Parameter offset: where in the content the bytes begin, as the sender says.
    /// - Returns: what is whole now and has its hash.
    /// - Throws: for bytes that were not requested, and those of another hash.
    mutating func take(_ bytes: [UInt8], at offset: UInt64) throws(Refusal) -> [(ContentPiece, [UInt8])] {
        guard let next = rest.first, offset == next.offset + UInt64(open.count) else { throw .damaged }
        var whole: [(ContentPiece, [UInt8])] = []
        var bytes = bytes[...]
        while !bytes.isEmpty {
            guard let piece = rest.first else { throw .damaged }
            let needed = Int(piece.chunk.length) - open.count
            open += bytes.prefix(needed)
            bytes = bytes.dropFirst(needed)
            guard open.count == Int(piece.chunk.length) else { continue }
            guard ContentHash(of: open) == piece.chunk.hash else { throw .damaged }
            whole.append((piece, open))
            open = []
            rest = rest.dropFirst()
            // A part lies in one range.
            guard bytes.isEmpty || rest.first?.offset == piece.offset + UInt64(piece.chunk.length) else {
                throw .damaged
            }
        }
        return whole
    }

    /// The ranges of pieces, those that follow each other as one.
    static func ranges(_ pieces: [ContentPiece]) -> [(offset: UInt64, length: UInt32)] {
        var ranges: [(offset: UInt64, length: UInt32)] = []
        for piece in pieces {
            if let last = ranges.last, last.offset + UInt64(last.length) == piece.offset,
                let sum = UInt32(exactly: UInt64(last.length) + UInt64(piece.chunk.length))
            {
                ranges[ranges.count - 1].length = sum
            } else {
                ranges.append((piece.offset, piece.chunk.length))
            }
        }
        return ranges
    }
}
