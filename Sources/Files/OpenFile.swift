package import BatonCore
import Glibc

/// A regular file held open. Closed when the last reference goes.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    /// For messages only: the descriptor stays with its file whatever happens to the path.
    package let path: String

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Takes over a descriptor that may be of a pipe.
    package convenience init(adopting descriptor: Int32, path: String) { self.init(descriptor: descriptor, path: path) }

    deinit { Glibc.close(descriptor) }

    package func stamp() throws(BatonError) -> FileStamp {
        var status = Glibc.stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure.error("examine", path) }
        return FileStamp(status)
    }

    /// Calls `body` with each piece until the end, or until it returns false.
    package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(BatonError) -> Bool) throws(BatonError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try FileIO.read(descriptor, into: buffer) { FileFailure.error("read", path, errno: $0) }
            if count == 0 { return }
            guard try body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
        }
    }

    /// - Throws: `resource_exhausted` when the file has more than `limit` bytes.
    package func contents(limit: Int) throws(BatonError) -> [UInt8] {
        var bytes: [UInt8] = []
        try forEachPiece { piece throws(BatonError) in
            guard bytes.count + piece.count <= limit else {
                throw BatonError(
                    .resourceExhausted, reason: "file_too_large",
                    "“\(PrintableName.escaped(path))” has more than the \(ByteSize.text(limit)) that are allowed for it."
                )
            }
            bytes.append(contentsOf: piece)
            return true
        }
        return bytes
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(BatonError) {
        try FileIO.writeAll(bytes, to: descriptor) { FileFailure.error("write", path, errno: $0) }
    }

    package func write(_ bytes: [UInt8]) throws(BatonError) {
        try FileIO.writeAll(bytes, to: descriptor) { FileFailure.error("write", path, errno: $0) }
    }

    /// Returns once the contents would survive a loss of power.
    package func synchronize() throws(BatonError) {
        guard fsync(descriptor) == 0 else { throw FileFailure.error("write", path) }
    }
}
