import BatonCore
import Crypto
import Files
import Foundation
import Glibc

/// An open file of ``DirectoryBlobStore``. Every function blocks.
final class BlobFile {
    private let descriptor: Int32

    /// Makes the file (0600) if need be.
    init(writing path: String) throws(BatonError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open") }
    }

    /// Nil when there is none.
    init?(reading path: String) throws(BatonError) {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("open")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: Data, at offset: UInt64) throws(BatonError) {
        try FileIO.writeAll(bytes, to: descriptor, at: offset) { Self.failure("write", errno: $0) }
    }

    func size() throws(BatonError) -> UInt64 {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw Self.failure("examine") }
        return UInt64(end)
    }

    func truncate(to size: UInt64) { ftruncate(descriptor, Int(size)) }

    func read(_ range: Range<UInt64>) throws(BatonError) -> Data {
        var bytes = Data(count: range.count)
        let got = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(BatonError) in
                try FileIO.readAll(descriptor, into: buffer, at: range.lowerBound) { Self.failure("read", errno: $0) }
            }
        }
        guard try got.get() == bytes.count else {
            throw BatonError(.dataLoss, reason: "blob_damaged", "A blob is shorter than it was when it came.")
        }
        return bytes
    }

    func hash() throws(BatonError) -> BlobHash {
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var offset: UInt64 = 0
        while true {
            let read = buffer.withUnsafeMutableBytes { buffer in
                Result { () throws(BatonError) in
                    try FileIO.read(descriptor, into: buffer, at: offset) { Self.failure("read", errno: $0) }
                }
            }
            let got = try read.get()
            if got == 0 { return BlobHash(unchecked: Data(hash.finalize())) }
            buffer.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<got])) }
            offset += UInt64(got)
        }
    }

    func synchronize() throws(BatonError) {
        guard fsync(descriptor) == 0 else { throw Self.failure("write") }
    }

    static func synchronize(directory: String) throws(BatonError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("write") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("write") }
    }

    /// The system's message without the path, since it is sent to devices.
    static func failure(_ action: String, errno number: Int32 = errno) -> BatonError {
        if number == ENOSPC || number == EDQUOT {
            return BatonError(
                .resourceExhausted, reason: "disk_full", "The server's disk is full; nothing was changed. Try later.")
        }
        return BatonError(
            .unavailable, reason: "blob_storage_failed",
            "The server could not \(action) a blob: \(String(cString: strerror(number))). Try again.")
    }
}
