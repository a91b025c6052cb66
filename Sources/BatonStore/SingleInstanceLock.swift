package import BatonCore
import Files
import Glibc

/// Held by the one daemon of a home, from before it opens anything until it ends.
///
/// The kernel releases it when the process ends, however it ends; the file stays. Closing it (`deinit`) releases it too.
package final class SingleInstanceLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// - Throws: `failed_precondition` with reason `already_running`, naming the process that holds it.
    package init(path: String) throws(BatonError) {
        self.path = path
        descriptor = try Self.acquire(path)
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            throw FileFailure.kept("write", path)
        }
    }

    deinit { close(descriptor) }

    /// Removes a socket that a daemon left which did not end in order.
    ///
    /// Only the holder of the lock may: then no daemon can be listening.
    /// - Throws: when something else than a socket is there.
    package func removeStaleSocket(_ socket: String) throws(BatonError) {
        var status = stat()
        guard lstat(socket, &status) == 0 else {
            if errno == ENOENT { return }
            throw FileFailure.kept("examine", socket)
        }
        guard status.st_mode & UInt32(S_IFMT) == UInt32(S_IFSOCK) else {
            throw BatonError(
                .failedPrecondition, reason: "socket_path_taken",
                "“\(socket)”, where the daemon's socket belongs, is something else. Remove it and start again.")
        }
        guard unlink(socket) == 0 || errno == ENOENT else { throw FileFailure.kept("remove", socket) }
    }

    private static func acquire(_ path: String) throws(BatonError) -> Int32 {
        for _ in 0..<10 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileFailure.kept("open", path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                defer { close(descriptor) }
                guard errno == EWOULDBLOCK else { throw FileFailure.kept("lock", path) }
                throw alreadyRunning(descriptor)
            }
            // The file may have been removed between the two calls; a lock on a nameless file keeps out no process.
            if isSameFile(descriptor, path) { return descriptor }
            close(descriptor)
        }
        throw BatonError(.aborted, reason: "lock_unstable", "The lock “\(path)” keeps being removed. Try again.")
    }

    private static func isSameFile(_ descriptor: Int32, _ path: String) -> Bool {
        var held = stat()
        var named = stat()
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }

    private static func alreadyRunning(_ descriptor: Int32) -> BatonError {
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let holder = Int32(String(decoding: buffer.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self))
        return BatonError(
            .failedPrecondition, reason: "already_running",
            "A daemon runs for this home already\(holder.map { " (process \($0))" } ?? ""): use that one, stop it "
                + "first, or name another home with --home.")
    }
}
