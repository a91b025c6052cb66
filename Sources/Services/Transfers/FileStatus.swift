import Crypto
import Foundation
import Glibc

/// The kind, size and times of a file.
struct FileStatus {
    /// Equal as long as a file is the same and was not written to: as far as the clock of its file system shows.
    struct Version: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        /// For other devices: says nothing but whether it is the same.
        var digest: Data {
            let numbers = [
                device, inode, UInt64(bitPattern: size), UInt64(bitPattern: seconds), UInt64(bitPattern: nanoseconds),
            ]
            let bytes = numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
            return Data(SHA256.hash(data: bytes).prefix(16))
        }
    }

    private let status: stat

    init(_ status: stat) { self.status = status }

    /// - Parameter followsLink: whether a symbolic link stands for what it points to.
    /// - Returns: nil with `errno` set.
    init?(_ path: String, followsLink: Bool) {
        var status = stat()
        guard fstatat(AT_FDCWD, path, &status, followsLink ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.status = status
    }

    /// - Returns: nil with `errno` set.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.status = status
    }

    var version: Version {
        Version(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    }

    var isFile: Bool { status.st_mode & S_IFMT == S_IFREG }
    var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var isLink: Bool { status.st_mode & S_IFMT == S_IFLNK }
    var isExecutable: Bool { status.st_mode & 0o100 != 0 }
    var size: UInt64 { UInt64(max(0, status.st_size)) }
    /// Milliseconds since 1970. Some file systems keep any time that a program sets.
    var modified: UInt64 { min(UInt64(max(0, status.st_mtim.tv_sec)), .max / 1000) * 1000 }
}
