package import BatonCore
import Glibc
import SystemPackage

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
        do throws(Errno) {
            return FileStamp(try Stat(FileDescriptor(rawValue: descriptor)))
        } catch {
            throw SystemFailure.error("examine", path, errno: error.rawValue)
        }
    }

    /// Calls `body` with each piece until the end, or until it returns false.
    package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(BatonError) -> Bool) throws(BatonError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemFailure.error("read", path)
            }
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
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemFailure.error("write", path)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    package func write(_ bytes: [UInt8]) throws(BatonError) {
        let result = bytes.withUnsafeBytes { buffer -> BatonError? in
            do throws(BatonError) {
                try write(buffer)
                return nil
            } catch {
                return error
            }
        }
        if let result { throw result }
    }

    /// Returns once the contents would survive a loss of power.
    package func synchronize() throws(BatonError) {
        guard fsync(descriptor) == 0 else { throw SystemFailure.error("write", path) }
    }
}
