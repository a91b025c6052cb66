import CLinux
import Files
import Glibc

/// Writes files so that a loss of power leaves the old content or the new one.
enum DurableFile {
    /// Why a call of the system failed.
    struct Failure: Error, Hashable {
        let code: Int32
        let path: String
    }

    /// Writes a new file whole, down to the disk. The file must not exist.
    static func create(_ path: String, mode: mode_t, _ bytes: UnsafeRawBufferPointer) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode & 0o777)
        guard descriptor >= 0 else { throw Failure(code: errno, path: path) }
        defer { close(descriptor) }
        try FileIO.writeAll(bytes, to: descriptor) { Failure(code: $0, path: path) }
        guard fsync(descriptor) == 0 else { throw Failure(code: errno, path: path) }
    }

    /// Puts an item in the place of another, which may be missing. The path is never missing and never half written.
    ///
    /// The replaced item is then at the first path if either is a directory; the caller removes it. A crash leaves it
    /// there.
    /// - Returns: whether something is left at the first path.
    static func replace(_ path: String, with new: String) throws(Failure) -> Bool {
        if rename(new, path) == 0 {
            syncDirectory(of: path)
            return false
        }
        // A directory is in the way, or is what comes: rename would want it empty.
        guard [EISDIR, ENOTDIR, ENOTEMPTY, EEXIST].contains(errno) else { throw Failure(code: errno, path: path) }
        guard baton_rename_exchanging(AT_FDCWD, new, AT_FDCWD, path) == 0 else {
            throw Failure(code: errno, path: path)
        }
        syncDirectory(of: path)
        return true
    }

    /// Has the names in the directory of a path written down. Some file systems cannot; nothing can be done about it.
    static func syncDirectory(of path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(parent.isEmpty ? "/" : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
