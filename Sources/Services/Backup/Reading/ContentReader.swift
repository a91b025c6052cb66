import BackupFormat
import BatonCore
import FileSync

/// Cuts a file's bytes and gives them to the writer.
struct ContentReader {
    let writer: BackupWriter
    let gear: GearTable
    private static let pieceBytes = 1 << 20

    struct Content {
        var chunks: [ChunkReference] = []
        var size: UInt64 = 0
        var extents: [BackupEntry.Extent] = []
    }

    /// - Parameter status: as the file was when it was opened; what grows meanwhile is read to the end.
    func read(_ file: FileNode, _ status: NodeStatus) throws -> Content {
        var content = Content(size: status.size)
        var chunker = Chunker(sizes: BackupChunks.sizes, gear: gear)
        var open: [UInt8] = []
        func take(_ range: Range<UInt64>) throws -> UInt64 {
            var position = range.lowerBound
            while position < range.upperBound {
                let count = Int(min(UInt64(Self.pieceBytes), range.upperBound - position))
                let piece = try file.bytes(from: position, count: count)
                if piece.isEmpty { break }
                position += UInt64(piece.count)
                try cut(piece, &chunker, &open, &content.chunks)
            }
            return position
        }
        if let extents = file.extents(status) {
            for extent in extents {
                let end = try take(extent.offset..<(extent.offset + extent.length))
                // A file that was cut meanwhile: it is read again.
                guard end == extent.offset + extent.length else { break }
                content.extents.append(extent)
            }
            if content.extents.count < extents.count { throw Unrested() }
        } else {
            content.size = try take(0..<status.size)
        }
        if !open.isEmpty { content.chunks.append(try writer.put(open)) }
        guard content.chunks.count <= BackupChunks.maximumReferences else {
            throw BatonError(
                .resourceExhausted, reason: "file_too_large", "“\(file.path)” is larger than a file in a backup can be."
            )
        }
        return content
    }

    /// The bytes of a directory.
    func put(_ bytes: [UInt8]) throws -> [ChunkReference] {
        var chunker = Chunker(sizes: BackupChunks.sizes, gear: gear)
        var open: [UInt8] = []
        var chunks: [ChunkReference] = []
        try cut(bytes, &chunker, &open, &chunks)
        if !open.isEmpty { chunks.append(try writer.put(open)) }
        return chunks
    }

    private func cut(
        _ piece: [UInt8], _ chunker: inout Chunker, _ open: inout [UInt8], _ chunks: inout [ChunkReference]
    ) throws {
        var rest = piece[...]
        while !rest.isEmpty {
            guard let end = rest.withUnsafeBytes({ chunker.cut($0.bytes) }) else {
                open += rest
                return
            }
            open += rest.prefix(end)
            chunks.append(try writer.put(open))
            open.removeAll(keepingCapacity: true)
            rest = rest.dropFirst(end)
        }
    }

    /// A file that was cut while it was read.
    struct Unrested: Error {}
}
