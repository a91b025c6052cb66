import BatonCore
import CLinux
public import Foundation
import Glibc

extension URL {
    /// The attribute that backups of Baton, and other programs that follow freedesktop's convention, look at.
    private static let backupAttribute = "user.xdg.robots.backup"

    /// Leaves a file out of backups, or a directory with everything in it; or takes that back.
    ///
    /// It stands in for `URLResourceValues.isExcludedFromBackup`, which succeeds on Linux and stores nothing. Use it for what is large
    /// and can be made again, but must not go when the disk is short: what may go belongs into `Library/Caches`, which is in no backup.
    ///
    /// The flag belongs to the file, and not to its path. Saving a document often replaces its file, and the flag is gone then: set it
    /// again after each save, or put the file into a directory that is flagged. The file system must have attributes, as ext4, Btrfs,
    /// XFS and, in Linux 6.6 and later, tmpfs do.
    ///
    /// Blocks for as long as the file system does. Any thread may call it.
    /// - Parameter isExcluded: whether it is to be left out.
    /// - Throws: `CocoaError` with `fileNoSuchFile`, `fileWriteNoPermission`, `fileWriteUnsupportedScheme` for a URL that names no file,
    ///   or `featureUnsupported` where the file system has no attributes.
    public func setExcludedFromBackup(_ isExcluded: Bool) throws {
        guard isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: [NSURLErrorKey: self]) }
        let result = withUnsafeFileSystemRepresentation { path -> Int32 in
            guard let path else { return -1 }
            if isExcluded { return setxattr(path, Self.backupAttribute, "false", 5, 0) }
            return removexattr(path, Self.backupAttribute) == 0 || errno == ENODATA ? 0 : -1
        }
        guard result == 0 else { throw Self.backupFailure(errno, self) }
    }

    /// Whether the file or directory itself is flagged to be left out of backups; false where there is none.
    ///
    /// A file in a flagged directory is left out too, and its own value is false all the same: “baton backup why PATH” names the
    /// rule that counts. Blocks for as long as the file system does. Any thread may ask.
    public var isExcludedFromBackupValue: Bool {
        guard isFileURL else { return false }
        return withUnsafeFileSystemRepresentation { path in
            guard let path else { return false }
            var value = [UInt8](repeating: 0, count: 16)
            let count = getxattr(path, Self.backupAttribute, &value, value.count)
            return count == 5 && value.prefix(5).elementsEqual("false".utf8)
        }
    }

    private static func backupFailure(_ code: Int32, _ url: URL) -> CocoaError {
        let cocoa: CocoaError.Code =
            switch code {
            case ENOENT, ENOTDIR: .fileNoSuchFile
            case EACCES, EPERM, EROFS: .fileWriteNoPermission
            case ENOTSUP: .featureUnsupported
            case ENOSPC, EDQUOT: .fileWriteOutOfSpace
            default: .fileWriteUnknown
            }
        return CocoaError(cocoa, userInfo: [NSURLErrorKey: url])
    }
}
