package import AirDropProtocol
package import BatonCore
import Files
import Glibc
import Synchronization

/// Makes the body of an `/Upload` of files and folders, piece by piece as it is sent. Memory is bounded, but for the list of
/// paths. Every function blocks on the disk; safe to call from any thread.
package final class ArchivePacker: Sendable {
    /// Read at once.
    private static let readSize = 256 * 1024

    private struct State: ~Copyable {
        var writer = ArchiveWriter()
        /// Index of the item that comes next.
        var next = 0
        var file: OwnedDescriptor?
        var isFinished = false
        var bytesRead: UInt64 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ArchivePacker.readSize, alignment: 16)

        deinit { buffer.deallocate() }
    }

    private let items: [ArchiveSource.Item]
    private let state = Mutex(State())

    /// To be announced. Items with the same name got different ones.
    package let files: [OfferedFile]
    /// The size of all files together, before they are compressed.
    package let bytes: UInt64

    /// - Parameter paths: absolute ones of files and folders, with their types.
    /// - Throws: `file_unreadable`, `archive_too_large`, `archive_file_too_large`, `archive_special_file`,
    ///   `archive_unsafe_link`, `airdrop_invalid_file_name`.
    package init(_ paths: [(path: String, type: String?)]) throws(BatonError) {
        var source = ArchiveSource()
        for (path, type) in paths { try source.add(path, type: type) }
        items = source.items
        files = source.files
        bytes = source.bytes
    }

    /// Bytes of files that are in the pieces so far.
    package var bytesRead: UInt64 { state.withLock { $0.bytesRead } }

    /// The next piece of the body, not empty; nil when it is over.
    /// - Throws: `file_unreadable`, `archive_source_changed`. The packer is of no use then.
    package func next() throws(BatonError) -> [UInt8]? {
        let result = state.withLock { state -> Result<[UInt8]?, BatonError> in
            do throws(BatonError) {
                var piece: [UInt8] = []
                while piece.isEmpty, !state.isFinished { try step(&state, &piece) }
                return .success(piece.isEmpty ? nil : piece)
            } catch {
                state.isFinished = true
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func step(_ state: inout State, _ piece: inout [UInt8]) throws(BatonError) {
        if let descriptor = state.file?.number {
            let count = try FileIO.read(descriptor, into: UnsafeMutableRawBufferPointer(state.buffer)) { _ in
                ArchiveSource.unreadable(items[state.next - 1].path)
            }
            let data = UnsafeRawBufferPointer(rebasing: state.buffer[..<count])
            try state.writer.write(data) { piece += $0 }
            state.bytesRead += UInt64(count)
            guard count == 0 else { return }
            state.file = nil
            return try state.writer.end()
        }
        guard state.next < items.count else {
            try state.writer.finish { piece += $0 }
            state.isFinished = true
            return
        }
        let item = items[state.next]
        state.next += 1
        try state.writer.begin(item.entry) { piece += $0 }
        switch item.entry.kind {
        case .directory: break
        case .symbolicLink:
            let target = item.target.withUnsafeBytes { buffer -> Result<Void, BatonError> in
                do throws(BatonError) { return .success(try state.writer.write(buffer) { piece += $0 }) } catch {
                    return .failure(error)
                }
            }
            try target.get()
        case .file:
            // A pipe that was put there since would keep us waiting.
            let opened = open(item.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            guard let file = OwnedDescriptor(opened) else { throw ArchiveSource.unreadable(item.path) }
            state.file = consume file
        }
    }
}
