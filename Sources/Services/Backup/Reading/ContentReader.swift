import BackupFormat
import BatonCore
import FileSync
import Packs

/// Cuts a file's bytes and gives them to the writer.
struct ContentReader {
    let writer: BackupWriter
    let gear: GearTable
    var maximumReferences = BackupChunks.maximumReferences
    var maximumDirectory = BackupTree.maximumBytes
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
        var cutter = ChunkCutter(sizes: BackupChunks.sizes, gear: gear)
        func take(_ range: Range<UInt64>) throws -> UInt64 {
            var position = range.lowerBound
            while position < range.upperBound {
                try check()
                let count = Int(min(UInt64(Self.pieceBytes), range.upperBound - position))
                let piece = try file.bytes(from: position, count: count)
                if piece.isEmpty { break }
                position += UInt64(piece.count)
                try cut(piece, &cutter, &content.chunks)
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
        if let chunk = cutter.last() { try put(chunk, &content.chunks) }
        return content
    }

    /// The bytes of a directory.
    /// - Throws: `resource_exhausted` (`too_many_files`) for more than can be read back, ``TargetFailure``.
    func put(_ bytes: [UInt8]) throws -> [ChunkReference] {
        guard bytes.count <= maximumDirectory else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_files",
                "The names, attributes and chunks of a directory are more than a backup can hold.")
        }
        var cutter = ChunkCutter(sizes: BackupChunks.sizes, gear: gear)
        var chunks: [ChunkReference] = []
        try cut(bytes, &cutter, &chunks)
        if let chunk = cutter.last() { try put(chunk, &chunks) }
        return chunks
    }

    private func put(_ chunk: [UInt8], _ chunks: inout [ChunkReference]) throws {
        guard chunks.count < maximumReferences else { throw FileNode.tooLarge }
        chunks.append(try writer.put(chunk))
    }

    private func cut(_ piece: [UInt8], _ cutter: inout ChunkCutter, _ chunks: inout [ChunkReference]) throws {
        var rest = piece[...]
        while let chunk = cutter.next(in: &rest) { try put(chunk, &chunks) }
    }

    /// A file that was cut while it was read.
    struct Unrested: Error {}
}
