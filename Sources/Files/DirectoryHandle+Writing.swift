package import BatonCore
import Glibc

extension DirectoryHandle {
    /// Makes a directory; one that is there already is kept as it is.
    /// - Returns: the directory, open.
    @discardableResult
    package func makeDirectory(_ name: String, mode: UInt32) throws(BatonError) -> DirectoryHandle {
        guard mkdirat(descriptor, name, mode) == 0 || errno == EEXIST else {
            throw FileFailure.error("make", joined(name))
        }
        return try directory(name)
    }

    /// Makes a directory that must not have been there.
    package func makeNewDirectory(_ name: String, mode: UInt32) throws(BatonError) -> DirectoryHandle {
        guard mkdirat(descriptor, name, mode) == 0 else { throw FileFailure.error("make", joined(name)) }
        return try directory(name)
    }

    /// Makes a file that must not have been there, for writing, with exactly this mode whatever the umask.
    package func createFile(_ name: String, mode: UInt32) throws(BatonError) -> OpenFile {
        let child = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard child >= 0 else { throw FileFailure.error("make", joined(name)) }
        let file = OpenFile(descriptor: child, path: joined(name))
        guard fchmod(child, mode) == 0 else { throw FileFailure.error("make", joined(name)) }
        return file
    }

    /// Opens a file for appending, made if need be.
    package func appendableFile(_ name: String, mode: UInt32) throws(BatonError) -> OpenFile {
        let child = openat(
            descriptor, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
        guard child >= 0 else { throw FileFailure.error("open", joined(name)) }
        let file = OpenFile(descriptor: child, path: joined(name))
        guard try file.stamp().kind == .file, fcntl(child, F_SETFL, O_APPEND) == 0 else {
            throw BatonError(
                .failedPrecondition, reason: "not_a_file", "“\(PrintableName.escaped(file.path))” is not a file.")
        }
        return file
    }

    package func makeLink(_ name: String, to target: String) throws(BatonError) {
        guard symlinkat(target, descriptor, name) == 0 else { throw FileFailure.error("make", joined(name)) }
    }

    /// Writes a whole file so that at each moment either the old or the new contents are there, and returns once the
    /// new ones would survive a loss of power.
    package func replaceFile(_ name: String, with bytes: [UInt8], mode: UInt32) throws(BatonError) {
        let temporary = ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let file = try createFile(temporary, mode: mode)
        do throws(BatonError) {
            try file.write(bytes)
            try file.synchronize()
            try rename(temporary, to: name)
            try synchronize()
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
    }

    package func rename(_ name: String, to newName: String) throws(BatonError) {
        guard renameat(descriptor, name, descriptor, newName) == 0 else {
            throw FileFailure.error("rename", joined(name))
        }
    }

    /// Returns once the entries of this directory would survive a loss of power.
    package func synchronize() throws(BatonError) {
        guard fsync(descriptor) == 0 else { throw FileFailure.error("write", path) }
    }

    /// Removes a file, link, or empty directory; one that is not there is as good as removed.
    package func remove(_ name: String, isDirectory: Bool = false) throws(BatonError) {
        guard unlinkat(descriptor, name, isDirectory ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT else {
            throw FileFailure.error("remove", joined(name))
        }
    }

    /// Removes an entry with everything below it, however deep. Links are removed, never followed.
    package func removeTree(_ name: String) throws(BatonError) {
        try removeTree(Array(name.utf8), depth: 0, top: nil)
    }

    /// Each level below the first holds a descriptor and a frame of the stack; what is deeper than this is moved up.
    private static let heldDepth = 64
    /// Limit of passes, each of which moves 64 levels up. A process that keeps adding files is not raced for ever.
    private static let maximumPasses = 10_000

    /// - Parameter top: the directory that is being removed, at its first level.
    private func removeTree(_ bytes: [UInt8], depth: Int, top: DirectoryHandle?) throws(BatonError) {
        // Raw bytes: what is removed may have been given any name.
        let name = bytes.map(CChar.init(bitPattern:)) + [0]
        if unlinkat(descriptor, name, 0) == 0 || errno == ENOENT { return }
        let childPath = joined(String(decoding: bytes, as: UTF8.self))
        guard errno == EISDIR || errno == EPERM else { throw FileFailure.error("remove", childPath) }
        // A directory that an app made unreadable can still be removed by its owner.
        fchmodat(descriptor, name, 0o700, 0)
        if let top, depth >= Self.heldDepth {
            let unique = ".\(String(UInt64.random(in: .min ... .max), radix: 36))"
            guard renameat(descriptor, name, top.descriptor, unique) == 0 else {
                throw FileFailure.error("remove", childPath)
            }
            return
        }
        let child = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard child >= 0 else { throw FileFailure.error("remove", childPath) }
        let directory = DirectoryHandle(adopting: child, path: childPath)
        var pass = 0
        while case let entries = try directory.names(limit: .max), !entries.isEmpty, pass < Self.maximumPasses {
            for entry in entries { try directory.removeTree(entry, depth: depth + 1, top: top ?? directory) }
            // Only to the top is anything moved while this goes on.
            guard top == nil else { break }
            pass += 1
        }
        guard unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw FileFailure.error("remove", childPath)
        }
    }
}
