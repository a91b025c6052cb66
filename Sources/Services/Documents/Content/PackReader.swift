import FileSync
import Foundation

/// Reads a file at rest and gives the chunks that are stored nowhere yet, some megabytes at a time. Where its list is known, nothing else
/// of it is read.
///
/// `@unchecked Sendable`: used by one task, which calls it on one queue and awaits each call.
final class PackReader: @unchecked Sendable {
    private enum Source {
        /// All of it is read, and cut.
        case whole(ContentCutter)
        /// The pieces that are to be looked at, and the runs of the list, which come last.
        case listed(ArraySlice<ContentPiece>, runs: ArraySlice<(ContentHash, [UInt8])>, LocalContent)
        case taken
    }

    private let file: any RestingContent
    private var source: Source
    private let isStored: (ContentHash) throws -> Bool
    private var taken: Set<ContentHash> = []
    private var bytes = Data()
    private var chunks: [ChunkReference] = []
    /// Bytes that were read behind the last piece, and where the next byte is.
    private var ahead: ArraySlice<UInt8> = []
    private var offset: UInt64 = 0
    private(set) var content: LocalContent?

    init(
        _ file: any RestingContent, sizes: ChunkSizes, gear: GearTable, isStored: @escaping (ContentHash) throws -> Bool
    ) {
        self.file = file
        source = .whole(ContentCutter(sizes: sizes, gear: gear))
        self.isStored = isStored
    }

    /// - Parameters:
    ///   - file: one that can be read anywhere, at its beginning.
    ///   - content: what it is by its list, of which each chunk is checked that is given.
    init(
        _ file: any RestingContent, _ content: LocalContent, _ pieces: [ContentPiece], runs: [(ContentHash, [UInt8])],
        isStored: @escaping (ContentHash) throws -> Bool
    ) {
        self.file = file
        source = .listed(pieces[...], runs: runs[...], content)
        self.isStored = isStored
    }

    /// - Returns: nil at the end; then ``content`` says what the file was.
    /// - Throws: ``StableFile/UnstableFileError``: `changed` where it is not what its list says.
    func next() throws -> (bytes: Data, chunks: [ChunkReference])? {
        while content == nil, bytes.count < DocumentPack.size, chunks.count < DocumentPack.maximumChunks / 2 {
            switch source {
            case .whole(var cutter):
                // Else what it holds would be copied.
                source = .taken
                let piece = try file.read()
                if piece.isEmpty {
                    try file.check()
                    content = try cutter.finish(take)
                } else {
                    try cutter.add(piece, take)
                }
                source = .whole(cutter)
            case .listed(var pieces, var runs, let all):
                source = .taken
                if let piece = pieces.popFirst() {
                    try take(piece)
                } else if let (hash, run) = runs.popFirst() {
                    try take(hash, run)
                } else {
                    content = all
                }
                source = .listed(pieces, runs: runs, all)
            case .taken: throw StableFile.UnstableFileError.changed
            }
        }
        guard !chunks.isEmpty else { return nil }
        defer { (bytes, chunks) = (Data(), []) }
        return (bytes, chunks)
    }

    private func isWanted(_ hash: ContentHash) throws -> Bool {
        try taken.insert(hash).inserted && !isStored(hash)
    }

    private func take(_ hash: ContentHash, _ chunk: [UInt8]) throws {
        guard try isWanted(hash) else { return }
        add(hash, chunk)
    }

    private func add(_ hash: ContentHash, _ chunk: [UInt8]) {
        bytes.append(contentsOf: chunk)
        chunks.append(ChunkReference(hash: hash, length: UInt32(clamping: chunk.count)))
    }

    private func take(_ piece: ContentPiece) throws {
        guard try isWanted(piece.chunk.hash) else { return }
        if offset != piece.offset {
            guard try file.seek(to: piece.offset) else { throw StableFile.UnstableFileError.changed }
            (ahead, offset) = ([], piece.offset)
        }
        var chunk: [UInt8] = []
        chunk.reserveCapacity(Int(piece.chunk.length))
        while chunk.count < Int(piece.chunk.length) {
            if ahead.isEmpty { ahead = try file.read()[...] }
            guard !ahead.isEmpty else { throw StableFile.UnstableFileError.changed }
            let part = ahead.prefix(Int(piece.chunk.length) - chunk.count)
            chunk += part
            ahead = ahead.dropFirst(part.count)
        }
        offset += UInt64(chunk.count)
        guard ContentHash(of: chunk) == piece.chunk.hash else { throw StableFile.UnstableFileError.changed }
        add(piece.chunk.hash, chunk)
    }
}
