package import BatonCore
// With Glibc: the C types count as those of the module that includes their header first.
import CoreFoundation
import Files
import Foundation
import Glibc

/// A file that this device has received, on its way to an app: it is put back where the app does not get it. Every function blocks.
package struct ReceivedFile: Sendable {
    package let path: String
    private let file: OpenFile
    private let mode: mode_t
    private let times: [timespec]

    /// - Parameter path: the daemon's own, in a folder of its own.
    package init(_ path: String) throws(BatonError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Inbox.unreadable(path) }
        file = OpenFile(adopting: descriptor, path: path)
        self.path = path
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Inbox.unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Inbox.noFile(path) }
        mode = status.st_mode & 0o777
        times = [status.st_atim, status.st_mtim]
    }

    /// To be copied.
    var content: OpenFile { file }

    /// Gives the file another name.
    /// - Returns: false where this is no file of that file system, or not this file any more.
    func link(_ name: String, in directory: DirectoryHandle) -> Bool {
        guard linkat(AT_FDCWD, path, directory.descriptor, name, 0) == 0 else { return false }
        var (linked, own) = (stat(), stat())
        guard fstatat(directory.descriptor, name, &linked, AT_SYMLINK_NOFOLLOW) == 0,
            fstat(file.descriptor, &own) == 0, linked.st_dev == own.st_dev, linked.st_ino == own.st_ino,
            // The name that it came under, and the new one, and no other.
            own.st_nlink == 2
        else {
            unlinkat(directory.descriptor, name, 0)
            return false
        }
        return true
    }

    /// Removes the name that it came under.
    func removeName() { unlink(path) }

    /// As it came.
    func restoreAttributes() {
        _ = times.withUnsafeBufferPointer { futimens(file.descriptor, $0.baseAddress) }
        _ = fchmod(file.descriptor, mode)
    }

    /// Makes sure that there is a file of this content under the name that it came under. One that was moved is copied: where it is now,
    /// it is an app's.
    package func putBack() throws(BatonError) {
        let url = URL(fileURLWithPath: path)
        let folder = try DirectoryHandle(path: url.deletingLastPathComponent().path)
        guard try folder.stamp(of: url.lastPathComponent) == nil else { return }
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw Inbox.unreadable(path) }
        let copy = try folder.createFile(url.lastPathComponent, mode: 0o600)
        do throws(BatonError) {
            try FileCopy(source: file.descriptor, target: copy, path: path, reserve: 0)
                .run(size: Int64(status.st_size)) { true }
            _ = times.withUnsafeBufferPointer { futimens(copy.descriptor, $0.baseAddress) }
            _ = fchmod(copy.descriptor, mode)
            try copy.synchronize()
        } catch {
            unlinkat(folder.descriptor, url.lastPathComponent, 0)
            throw error
        }
    }
}
