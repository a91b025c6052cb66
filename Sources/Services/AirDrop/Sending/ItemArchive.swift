import AirDropProtocol
import BatonCore
import Foundation
import NIOCore
import Transfers

/// Writes files and folders as the archive of an `/Upload`. Blocks; used by one thread.
final class ItemArchive {
    /// Bytes that are sent at once.
    private static let blockSize = 256 << 10

    private let items: LocalItems
    private let send: (ByteBuffer) throws -> Void
    private var block = ByteBuffer()
    /// What `send` threw, which is no ``BatonError``.
    private var failure: (any Error)?

    /// - Parameter send: blocks until the connection can take more.
    init(_ items: LocalItems, send: @escaping (ByteBuffer) throws -> Void) {
        self.items = items
        self.send = send
    }

    /// - Parameter progress: told after each part of a file.
    func write(progress: (TransferPlace) -> Void) throws {
        var archive = ArchiveWriter(level: .fast)
        do {
            let reader = TransferReader(items, from: TransferPlace())
            for index in items.manifest.entries.indices { try write(index, reader, &archive, progress) }
            try archive.finish(take)
        } catch {
            throw failure ?? error
        }
        if block.readableBytes > 0 { try send(block) }
    }

    private func write(
        _ index: Int, _ reader: TransferReader, _ archive: inout ArchiveWriter, _ progress: (TransferPlace) -> Void
    ) throws(BatonError) {
        let entry = items.manifest.entries[index]
        try archive.begin(
            ArchiveEntry(
                path: Array("./\(entry.path)".utf8), kind: entry.kind == .file ? .file : .directory, size: entry.size,
                modified: entry.modified / 1000), take)
        var offset: UInt64 = 0
        while offset < entry.size {
            let wanted = Int(min(UInt64(Self.blockSize), entry.size - offset))
            guard let part = try reader.next(wanted, of: index) else { throw TransferReader.changed(entry.path) }
            let bytes = [UInt8](part)
            let result = bytes.withUnsafeBytes { buffer -> Result<Void, BatonError> in
                do throws(BatonError) {
                    return .success(try archive.write(buffer, take))
                } catch {
                    return .failure(error)
                }
            }
            try result.get()
            offset += UInt64(part.count)
            progress(TransferPlace(entry: index, offset: offset))
        }
        try archive.end()
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(BatonError) {
        block.writeBytes(bytes)
        guard block.readableBytes >= Self.blockSize else { return }
        do {
            try send(block)
        } catch {
            failure = error
            throw error as? BatonError ?? AirDropConnection.lost(error)
        }
        block = ByteBuffer()
    }
}
