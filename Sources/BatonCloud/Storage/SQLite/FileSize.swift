import Glibc

/// How large a file is, by its end: in files that import GRDB the compiler does not always find the same `stat`.
enum FileSize {
    /// In bytes; 0 for one that is not there.
    static func of(_ path: String) -> Int {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        return of(descriptor)
    }

    static func of(_ descriptor: Int32) -> Int { Int(max(0, lseek(descriptor, 0, SEEK_END))) }
}
