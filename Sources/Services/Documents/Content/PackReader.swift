import FileSync
import Foundation

/// Reads a file at rest and gives the chunks that are stored nowhere yet, some megabytes at a time.
///
/// `@unchecked Sendable`: used by one task, which calls it on one queue and awaits each call.
final class PackReader: @unchecked Sendable {
    private let file: any RestingContent
    private var cutter: ContentCutter
    private let isStored: (ContentHash) throws -> Bool
    private var taken: Set<ContentHash> = []
    private var bytes = Data()
    private var chunks: [ChunkReference] = []
    private(set) var content: LocalContent?

    init(
        _ file: any RestingContent, sizes: ChunkSizes, gear: GearTable, isStored: @escaping (ContentHash) throws -> Bool
    ) {
        self.file = file
        cutter = ContentCutter(sizes: sizes, gear: gear)
        self.isStored = isStored
    }

    /// - Returns: nil at the end; then ``content`` says what the file was.
    func next() throws -> (bytes: Data, chunks: [ChunkReference])? {
        while content == nil, bytes.count < DocumentPack.size, chunks.count < DocumentPack.maximumChunks / 2 {
            let piece = try file.read()
            if piece.isEmpty {
                try file.check()
                content = try cutter.finish(take)
            } else {
                try cutter.add(piece, take)
            }
        }
        guard !chunks.isEmpty else { return nil }
        defer { (bytes, chunks) = (Data(), []) }
        return (bytes, chunks)
    }

    private func take(_ hash: ContentHash, _ chunk: [UInt8]) throws {
        guard taken.insert(hash).inserted, try !isStored(hash) else { return }
        bytes.append(contentsOf: chunk)
        chunks.append(ChunkReference(hash: hash, length: UInt32(clamping: chunk.count)))
    }
}
