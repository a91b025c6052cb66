import Glibc

/// Shows whether a file was changed: enough to see a write, a replacement and a change of attributes.
struct FileFingerprint: Equatable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let modified: [Int]
    private let changed: [Int]
    let isDirectory: Bool

    /// Nil if there is no file. A link is not followed.
    init?(path: String) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        device = UInt(information.st_dev)
        inode = UInt(information.st_ino)
        size = Int(information.st_size)
        modified = [information.st_mtim.tv_sec, information.st_mtim.tv_nsec]
        changed = [information.st_ctim.tv_sec, information.st_ctim.tv_nsec]
        isDirectory = information.st_mode & S_IFMT == S_IFDIR
    }
}
