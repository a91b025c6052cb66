import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A file that only its owner can read (0600, in a directory of 0700) and that is replaced as a whole.
///
/// All of it blocks: not for the cooperative pool.
struct PrivateFile {
    let path: String

    struct Failure: Error, CustomStringConvertible {
        let call: String
        let code: Int32
        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    private var directory: String { (path as NSString).deletingLastPathComponent }

    /// Nil when there is no such file.
    func read(maximumSize: Int) throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if file < 0, errno == ENOENT { return nil }
        guard file >= 0 else { throw Failure(call: "open", code: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(call: "fstat", code: errno) }
        guard status.st_size <= maximumSize else { throw Failure(call: "read", code: EFBIG) }
        if status.st_mode & 0o077 != 0 { fchmod(file, 0o600) }
        return try FileHandle(fileDescriptor: file, closeOnDealloc: false).readToEnd().map(Array.init) ?? []
    }

    /// Returns once the new content survives a crash of the machine. After a crash before that the file is the old one.
    func replace(with bytes: [UInt8]) throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let temporary = path + ".new"
        // Left over from a crash; the lock of the home keeps others out.
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Failure(call: "open", code: errno) }
        do {
            defer { close(file) }
            try FileHandle(fileDescriptor: file, closeOnDealloc: false).write(contentsOf: bytes)
            guard fsync(file) == 0 else { throw Failure(call: "fsync", code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else { throw Failure(call: "rename", code: errno) }
        try synchronizeDirectory()
    }

    private func synchronizeDirectory() throws {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(call: "open", code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(call: "fsync", code: errno) }
    }
}
