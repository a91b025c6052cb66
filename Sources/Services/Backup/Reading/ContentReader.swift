import BackupFormat
import BatonCore
import FileSync

/// Cuts a file's bytes and gives them to the writer.
struct ContentReader {
    let writer: BackupWriter
    let gear: GearTable
    var maximumReferences = BackupChunks.maximumReferences
    private static let pieceBytes = 1 << 20
    /// No content of more bytes has few enough chunks.
    private var maximumBytes: UInt64 { UInt64(maximumReferences) * UInt64(BackupChunks.sizes.maximum) }

    struct Content {
        var chunks: [ChunkReference] = []
        var size: UInt64 = 0
        var extents: [BackupEntry.Extent] = []
    }

    /// - Parameters:
    ///   - status: as the file was when it was opened; what grows meanwhile is read to the end.
    ///   - takesCut: a file that is cut meanwhile is taken up to there.
    ///   - check: called before each piece; ends the work with what it throws.
    /// - Throws: `resource_exhausted` (`file_too_large`), ``Unrested``, ``TargetFailure``, and what the file system says.
    func read(
        _ file: FileNode, _ status: NodeStatus, takesCut: Bool = false, check: () throws -> Void = {}
    ) throws -> Content {
        var content = Content(size: status.size)
        var chunker = Chunker(sizes: BackupChunks.sizes, gear: gear)
        var open: [UInt8] = []
        func take(_ range: Range<UInt64>) throws -> UInt64 {
            var position = range.lowerBound
            while position < range.upperBound {
                try check()
                let count = Int(min(UInt64(Self.pieceBytes), range.upperBound - position))
                let piece = try file.bytes(from: position, count: count)
                if piece.isEmpty { break }
                position += UInt64(piece.count)
                try cut(piece, &chunker, &open, &content.chunks)
            }
            return position
        }
        let extents = try file.extents(status)
        // Nothing is read of a file that cannot fit: its bytes may be holes that the file system does not report.
        guard extents.map({ $0.reduce(0) { $0 + $1.length } }) ?? status.size <= maximumBytes else {
            throw FileNode.tooLarge
        }
        if let extents {
            for extent in extents {
                let end = try take(extent.offset..<(extent.offset + extent.length))
                if end == extent.offset + extent.length {
                    content.extents.append(extent)
                    continue
                }
                guard takesCut else { throw Unrested() }
                if end > extent.offset {
                    content.extents.append(.init(offset: extent.offset, length: end - extent.offset))
                }
                content.size = end
                break
            }
        } else {
            content.size = try take(0..<status.size)
        }
        if !open.isEmpty { try put(open, &content.chunks) }
        return content
    }

    /// The bytes of a directory.
    func put(_ bytes: [UInt8]) throws -> [ChunkReference] {
        var chunker = Chunker(sizes: BackupChunks.sizes, gear: gear)
        var open: [UInt8] = []
        var chunks: [ChunkReference] = []
        try cut(bytes, &chunker, &open, &chunks)
        if !open.isEmpty { try put(open, &chunks) }
        return chunks
    }

    private func put(_ chunk: [UInt8], _ chunks: inout [ChunkReference]) throws {
        guard chunks.count < maximumReferences else { throw FileNode.tooLarge }
        chunks.append(try writer.put(chunk))
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
            try put(open, &chunks)
            open.removeAll(keepingCapacity: true)
            rest = rest.dropFirst(end)
        }
    }

    /// A file that was cut while it was read.
    struct Unrested: Error {}
}
