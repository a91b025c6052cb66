package import BatonCore
import Glibc

/// Small files that must be whole and survive: settings, keys, state. Every function blocks.
package enum AtomicFile {
    /// Writes a file (0600) so that, whatever happens, either the old or the new contents are there. When it returns,
    /// the new contents survive a loss of power.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(BatonError) {
        let directory = path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
        let temporary = path + "." + String(UInt64.random(in: .min ... .max), radix: 36) + ".new"
        do throws(BatonError) {
            try writeNew(bytes, to: temporary, mode: mode)
            guard rename(temporary, path) == 0 else { throw FileFailure.kept("write", path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try synchronizeDirectory(directory.isEmpty ? "/" : directory)
    }

    /// - Returns: nil if there is no such file.
    /// - Throws: `resource_exhausted` if it has more than `limit` bytes; `failed_precondition` if it is no plain file.
    package static func read(_ path: String, limit: Int) throws(BatonError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFailure.kept("read", path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure.kept("read", path) }
        guard status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
            throw BatonError(.failedPrecondition, reason: "not_a_file", "“\(path)” is not a file. Remove it.")
        }
        // One byte more than allowed, to notice that there is more.
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), limit) + 1)
        var count = 0
        while true {
            if count == bytes.count {
                guard count <= limit else { break }
                bytes.append(contentsOf: repeatElement(0, count: min(65_536, limit + 1 - count)))
            }
            let got = try bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(BatonError) in
                    try FileIO.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])) {
                        FileFailure.kept("read", path, errno: $0)
                    }
                }
            }.get()
            if got == 0 { break }
            count += got
        }
        guard count <= limit else {
            throw BatonError(
                .resourceExhausted, reason: "file_too_large", "“\(path)” has more than \(ByteSize.text(limit)).")
        }
        return Array(bytes.prefix(count))
    }

    private static func writeNew(_ bytes: [UInt8], to path: String, mode: UInt32) throws(BatonError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileFailure.kept("write", path) }
        defer { close(descriptor) }
        try FileIO.writeAll(bytes, to: descriptor) { FileFailure.kept("write", path, errno: $0) }
        guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else { throw FileFailure.kept("write", path) }
    }

    private static func synchronizeDirectory(_ path: String) throws(BatonError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure.kept("write", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFailure.kept("write", path) }
    }
}
