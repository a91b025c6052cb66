import BatonConcurrency
import Crypto
import Dispatch
import FileSync

/// Reads all that a file at rest holds, and says what it is. Three threads share the work of a large one: this one reads and
/// cuts, and one each hashes the whole and the chunks.
struct ContentReading {
    /// Smaller ones are not worth other threads.
    private static let large: UInt64 = 4 << 20
    /// Pieces that may wait for a thread.
    private static let ahead = 8

    /// Hashes what it is given, in order. `@unchecked Sendable`: used on one queue at a time.
    private final class Hasher: @unchecked Sendable {
        private var whole = SHA256()
        private var open = SHA256()
        private var length = 0
        private(set) var references: [ChunkReference] = []

        func addWhole(_ piece: [UInt8]) { whole.update(data: piece) }

        /// - Parameter cuts: where in the piece chunks end.
        func addChunks(_ piece: [UInt8], cuts: [Int]) {
            piece.withUnsafeBytes { bytes in
                var start = 0
                for end in cuts {
                    add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                    close()
                    start = end
                }
                add(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            }
        }

        private func add(_ bytes: UnsafeRawBufferPointer) {
            open.update(bufferPointer: bytes)
            length += bytes.count
        }

        private func close() {
            let hash = ContentHash(open.finalize())
            references.append(ChunkReference(hash: hash, length: UInt32(clamping: length)))
            (open, length) = (SHA256(), 0)
        }

        func finishWhole() -> ContentHash { ContentHash(whole.finalize()) }

        func finishChunks() -> [ChunkReference] {
            if length > 0 { close() }
            return references
        }
    }

    /// - Parameter earlier: the chunks that the file had before, cut to the same sizes; empty where that is not known.
    /// - Returns: with the runs of the list of a large one.
    /// - Throws: ``StableFile/UnstableFileError``.
    static func read(
        _ file: any RestingContent, sizes: ChunkSizes, gear: GearTable, earlier: [ChunkReference] = []
    ) throws -> (content: LocalContent, runs: [ContentHash: [UInt8]]) {
        let (content, runs) =
            if file.fingerprint.size < large {
                try readAlone(file, sizes: sizes, gear: gear)
            } else if earlier.isEmpty {
                try readTogether(file, sizes: sizes, gear: gear)
            } else {
                try readAgain(file, sizes, KnownChunks(earlier, sizes: sizes, gear: gear))
            }
        try file.check()
        return (content, runs)
    }

    /// Nothing but the hash of the whole.
    static func hash(_ file: any RestingContent) throws -> ContentHash {
        var whole = SHA256()
        while true {
            let piece = try file.read()
            if piece.isEmpty { break }
            whole.update(data: piece)
        }
        try file.check()
        return ContentHash(whole.finalize())
    }

    private static func readAlone(
        _ file: any RestingContent, sizes: ChunkSizes, gear: GearTable
    ) throws -> (LocalContent, [ContentHash: [UInt8]]) {
        var cutter = ContentCutter(sizes: sizes, gear: gear)
        while true {
            let piece = try file.read()
            if piece.isEmpty { break }
            cutter.add(piece) { _, _ in }
        }
        return try cutter.finish()
    }

    private static func readTogether(
        _ file: any RestingContent, sizes: ChunkSizes, gear: GearTable
    ) throws -> (LocalContent, [ContentHash: [UInt8]]) {
        let (whole, chunks) = (Hasher(), Hasher())
        let queues = ["whole", "chunks"].map { BlockingQueue("development.baton.documents-\($0)").queue }
        // Two for each piece.
        let room = DispatchSemaphore(value: 2 * ahead)
        var chunker = Chunker(sizes: sizes, gear: gear)
        var (size, beginning): (UInt64, [UInt8]) = (0, [])
        while true {
            let piece = try file.read()
            if piece.isEmpty { break }
            size += UInt64(piece.count)
            if beginning.count <= EntryLimits.inlineBytes { beginning += piece.prefix(EntryLimits.inlineBytes + 1) }
            room.wait()
            queues[0].async {
                whole.addWhole(piece)
                room.signal()
            }
            let cuts = cuts(of: piece, &chunker)
            room.wait()
            queues[1].async {
                chunks.addChunks(piece, cuts: cuts)
                room.signal()
            }
        }
        return try ContentCutter.content(
            size: size, hash: queues[0].sync { whole.finishWhole() }, beginning: beginning,
            queues[1].sync { chunks.finishChunks() }, sizes)
    }

    /// A file that was read before: most of its chunks need only be recognized.
    private static func readAgain(
        _ file: any RestingContent, _ sizes: ChunkSizes, _ known: KnownChunks
    ) throws -> (LocalContent, [ContentHash: [UInt8]]) {
        let whole = Hasher()
        let queue = BlockingQueue("development.baton.documents-whole").queue
        let room = DispatchSemaphore(value: ahead)
        var known = known
        var (size, beginning): (UInt64, [UInt8]) = (0, [])
        while true {
            let piece = try file.read()
            if piece.isEmpty { break }
            size += UInt64(piece.count)
            if beginning.count <= EntryLimits.inlineBytes { beginning += piece.prefix(EntryLimits.inlineBytes + 1) }
            room.wait()
            queue.async {
                whole.addWhole(piece)
                room.signal()
            }
            known.add(piece[...])
        }
        return try ContentCutter.content(
            size: size, hash: queue.sync { whole.finishWhole() }, beginning: beginning, known.finish(), sizes)
    }

    private static func cuts(of piece: [UInt8], _ chunker: inout Chunker) -> [Int] {
        piece.withUnsafeBytes { bytes in
            var cuts: [Int] = []
            var start = 0
            while start < bytes.count,
                let end = chunker.cut(UnsafeRawBufferPointer(rebasing: bytes[start...]).bytes)
            {
                start += end
                cuts.append(start)
            }
            return cuts
        }
    }
}
