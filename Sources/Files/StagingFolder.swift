package import BatonCore
import CLinux
import Glibc

/// A private, hidden folder beside the place where files are to appear, so that moving them there is one step of the
/// file system. It goes with everything in it unless it is delivered. Every function blocks.
///
/// Paths are resolved by the kernel below the folder (`openat2`): no link and no `..` leads out of it.
package struct StagingFolder: ~Copyable {
    static let prefix = ".airdrop-"
    static let suffix = ".part"
    /// Names tried for one item at the destination.
    private static let maximumNumber = 10_000
    private static let maximumSynchronizedFiles = 16
    private static let resolve = UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV)

    private let destination: OwnedDescriptor
    private let folder: OwnedDescriptor
    private let name: String
    private var made: Set<String> = []

    /// - Parameter destination: a folder that exists.
    package init(in destination: String) throws(BatonError) {
        guard let target = OwnedDescriptor(open(destination, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
            throw Self.failure("its folder cannot be opened")
        }
        let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36) + Self.suffix
        guard mkdirat(target.number, name, 0o700) == 0 else { throw Self.failure("its folder cannot be written") }
        guard let folder = OwnedDescriptor(openat(target.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
        else {
            let code = errno
            unlinkat(target.number, name, AT_REMOVEDIR)
            throw Self.failure("its folder cannot be opened", errno: code)
        }
        // Held while this lives: what can be locked is left over.
        flock(folder.number, LOCK_EX | LOCK_NB)
        self.destination = target
        self.folder = folder
        self.name = name
    }

    deinit { FolderRemoval.remove(name, in: destination.number) }

    // MARK: Contents

    /// Makes a folder, with those above it.
    package mutating func makeDirectory(_ path: String) throws(BatonError) {
        guard !made.contains(path) else { return }
        var current = ""
        for component in path.split(separator: "/") {
            let parent = current
            current += (parent.isEmpty ? "" : "/") + component
            guard made.insert(current).inserted else { continue }
            let handle = try self.parent(parent)
            guard mkdirat(handle.number, String(component), 0o700) == 0 else {
                throw Self.failure("the folder “\(SafeName.display(current))”")
            }
        }
    }

    /// An empty file, to be written.
    package mutating func makeFile(_ path: String) throws(BatonError) -> OwnedDescriptor {
        if let slash = path.lastIndex(of: "/") { try makeDirectory(String(path[..<slash])) }
        let flags = UInt64(O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
        guard let file = OwnedDescriptor(baton_openat2(folder.number, path, flags, 0o600, Self.resolve)) else {
            throw Self.failure("“\(SafeName.display(path))”")
        }
        return file
    }

    package mutating func makeLink(_ path: String, to target: String) throws(BatonError) {
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { String(path[..<$0]) } ?? ""
        if !parent.isEmpty { try makeDirectory(parent) }
        let handle = try self.parent(parent)
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        guard symlinkat(target, handle.number, name) == 0 else {
            throw Self.failure("the link “\(SafeName.display(path))”")
        }
    }

    private func parent(_ path: String) throws(BatonError) -> OwnedDescriptor {
        let flags = UInt64(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        let opened = baton_openat2(folder.number, path.isEmpty ? "." : path, flags, 0, Self.resolve)
        guard let handle = OwnedDescriptor(opened) else {
            throw Self.failure("the folder “\(SafeName.display(path))”")
        }
        return handle
    }

    // MARK: Delivery

    /// Moves items into place, each in one step and never over another. If one cannot be moved, those before it go back.
    /// - Parameter names: of items in this folder, safe.
    /// - Returns: their names there.
    package func deliver(_ names: [String]) throws(BatonError) -> [String] {
        // A file that people see must be there after a crash, too.
        try synchronize(names)
        var moved: [(from: String, to: String)] = []
        do throws(BatonError) {
            for name in names { moved.append((name, try move(name))) }
        } catch {
            for (from, to) in moved { baton_rename_exclusively(destination.number, to, folder.number, from) }
            throw error
        }
        fsync(destination.number)
        return moved.map(\.to)
    }

    /// Few files one by one: the other way waits for what all programs have written.
    private func synchronize(_ names: [String]) throws(BatonError) {
        guard made.isEmpty, names.count <= Self.maximumSynchronizedFiles else {
            guard baton_syncfs(folder.number) == 0 else { throw Self.failure("its files") }
            return
        }
        for name in names {
            let flags = UInt64(O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard let file = OwnedDescriptor(baton_openat2(folder.number, name, flags, 0, Self.resolve)),
                fsync(file.number) == 0
            else { throw Self.failure("“\(SafeName.display(name))”") }
        }
    }

    private func move(_ item: String) throws(BatonError) -> String {
        let name = SafeName(item)
        for number in 1...Self.maximumNumber {
            let candidate = name.numbered(number)
            if baton_rename_exclusively(folder.number, item, destination.number, candidate) == 0 { return candidate }
            guard errno == EEXIST else { throw Self.failure("“\(SafeName.display(item))”") }
        }
        throw BatonError(
            .resourceExhausted, reason: "too_many_of_one_name",
            "There are too many files called “\(SafeName.display(item))” already. Move some of them away.")
    }

    // MARK: Destinations

    /// Removes the folders that a crash has left in a destination. Those under way are left alone.
    package static func removeLeftovers(in destination: String) {
        guard let folder = OwnedDescriptor(open(destination, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return }
        for name in FolderRemoval.names(folder.number) where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            guard let leftover = OwnedDescriptor(openat(folder.number, name, flags)),
                flock(leftover.number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            FolderRemoval.remove(name, in: folder.number)
        }
    }

    /// Bytes that this user may still store at a path; nil if that is not known.
    package static func freeBytes(at path: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMany ? .max : bytes
    }

    /// A failed system call while something that comes is stored.
    /// - Parameter what: the item that could not be stored.
    package static func failure(_ what: String, errno code: Int32 = errno) -> BatonError {
        let kind = FileFailure.kind(of: code)
        return BatonError(
            kind.code, reason: kind.reason,
            "The transfer could not be stored, and nothing of it was kept: \(what): \(FileFailure.description(of: code))."
        )
    }
}
