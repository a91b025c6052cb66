import BackupFormat
package import BatonCore
import Files
package import Foundation
import Glibc

/// A target that is a directory: a disk, a mounted share.
///
/// All is in `DIR/baton-backup`. Its file `target` names the account. A backup never makes that file: where it is missing, the disk is
/// not there, whatever directory its place is now.
package struct DirectoryBackupStore: BackupStore {
    package static let folder = "baton-backup"
    private static let file = "target"
    private static let heading = "baton-backup 1"
    /// Room that is given up where the disk is full: before anything can go, stones and marks must be written.
    private static let reserve = "reserve"
    private static let reserveBytes: off_t = 1 << 20
    /// Limit of objects of a kind.
    private static let maximumNames = 4_000_000

    package let path: String
    private let account: AccountID

    package init(path: String, account: AccountID) {
        self.path = path
        self.account = account
    }

    // MARK: The target

    /// Makes a directory a target of the account; one that is it already stays.
    /// - Throws: `failed_precondition` (`target_of_other_account`), and what the file system says.
    package static func prepare(_ path: String, account: AccountID) throws(BatonError) -> DirectoryBackupStore {
        let top = try DirectoryHandle(path: path)
        let folder = try top.makeDirectory(folder, mode: 0o700)
        if let owner = try owner(of: path) {
            guard owner == account.rawValue else { throw foreign(path, owner) }
        }
        for kind in BackupObject.allCases { try folder.makeDirectory(kind.rawValue, mode: 0o700) }
        let store = DirectoryBackupStore(path: path, account: account)
        try store.write(in: folder, file, Array("\(heading)\n\(account.rawValue)\n".utf8))
        store.keepReserve()
        return store
    }

    /// The account whose backups are in a directory; nil for none.
    package static func owner(of path: String) throws(BatonError) -> String? {
        guard let folder = try? DirectoryHandle(path: path).directory(folder), let found = try folder.stamp(of: file),
            found.kind == .file
        else { return nil }
        let text = String(decoding: try folder.file(file).contents(limit: 1024), as: UTF8.self)
        let lines = text.split(separator: "\n")
        guard lines.count == 2, lines[0] == heading else {
            throw BatonError(
                .failedPrecondition, reason: "unknown_target",
                "“\(PrintableName.escaped(path))” holds a backup in a form that this version of Baton does not know. Update Baton."
            )
        }
        return String(lines[1].prefix(100))
    }

    package func check() throws(BatonError) {
        guard let owner = try Self.owner(of: path) else { throw away }
        guard owner == account.rawValue else { throw Self.foreign(path, owner) }
    }

    private var away: BatonError {
        BatonError(
            .unavailable, reason: "target_away",
            "The target “\(PrintableName.escaped(path))” is not there. Connect the disk or mount the share, and try again."
        )
    }

    private var full: BatonError {
        BatonError(
            .resourceExhausted, reason: "disk_full",
            "The target “\(PrintableName.escaped(path))” has no room left. Forget old backups (“baton backup forget”; their room is free a day "
                + "or two later), leave out what is large (“baton backup list --large”, “baton backup exclude PATH”), free room there, or "
                + "choose another one (“baton backup target DIR”).")
    }

    private func failure(_ path: String, errno code: Int32 = errno) -> BatonError {
        let error = FileFailure.error("write", path, errno: code)
        guard code != EROFS else {
            // Its owner and its permissions, which the usual sentence is about, are no help.
            return BatonError(
                error.code, reason: error.reason,
                "The target “\(PrintableName.escaped(self.path))” is mounted read-only, as a disk is that failed or was not taken out properly. Check "
                    + "it, and mount it for writing; what is there can be restored meanwhile.", cause: error)
        }
        return error.reason == "disk_full" ? full : error
    }

    private static func foreign(_ path: String, _ owner: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "target_of_other_account",
            "“\(PrintableName.escaped(path))” holds backups of another account, \(owner). Choose another directory."
        )
    }

    private func folder(_ kind: BackupObject) throws(BatonError) -> DirectoryHandle {
        guard let folder = try folderIfThere(kind) else { throw away }
        return folder
    }

    /// Folders that are often empty. Many tools that copy a directory leave such ones out.
    private static let oftenEmpty: Set<BackupObject> = [.forgotten, .intent, .mark]

    /// - Returns: nil where a target lacks one of those that are often empty.
    /// - Throws: `unavailable` (`target_away`) where it is no target, or lacks another one.
    private func folderIfThere(_ kind: BackupObject) throws(BatonError) -> DirectoryHandle? {
        do throws(BatonError) {
            return try DirectoryHandle(path: path).directory(Self.folder).directory(kind.rawValue)
        } catch {
            guard error.code == .notFound else { throw error }
        }
        guard Self.oftenEmpty.contains(kind) else { throw away }
        try check()
        return nil
    }

    /// The folder, made where the target lacks it.
    private func folderForWriting(_ kind: BackupObject) throws(BatonError) -> DirectoryHandle {
        if let folder = try folderIfThere(kind) { return folder }
        return try DirectoryHandle(path: path).directory(Self.folder).makeDirectory(kind.rawValue, mode: 0o700)
    }

    // MARK: Objects

    package var isReadInParallel: Bool { true }

    package func names(_ kind: BackupObject) throws(BatonError) -> [String] {
        try folderIfThere(kind)?.names(limit: Self.maximumNames).compactMap { bytes in
            String(validating: bytes, as: UTF8.self).flatMap { Self.isName($0) ? $0 : nil }
        } ?? []
    }

    package func read(_ kind: BackupObject, _ name: String, limit: Int) throws(BatonError) -> [UInt8] {
        do throws(BatonError) {
            return try folder(kind).file(try Self.checked(name)).contents(limit: limit)
        } catch {
            if error.reason == "file_too_large" { throw damaged(kind, name) }
            throw error
        }
    }

    package func read(
        _ kind: BackupObject, _ name: String, from offset: UInt64, count: Int
    ) throws(BatonError) -> [UInt8] {
        let file = try folder(kind).file(try Self.checked(name))
        let bytes = try FileIO.readAll(file.descriptor, count: count, at: offset) { code in
            // A bad sector is a damage of this object alone.
            code == EIO ? damaged(kind, name) : FileFailure.error("read", file.path, errno: code)
        }
        guard bytes.count == count else { throw damaged(kind, name) }
        return bytes
    }

    package func write(_ kind: BackupObject, _ name: String, _ bytes: [UInt8]) throws(BatonError) {
        let folder = try folderForWriting(kind)
        let name = try Self.checked(name)
        do throws(BatonError) {
            try write(in: folder, name, bytes)
        } catch {
            guard error.reason == "disk_full", [.forgotten, .mark].contains(kind), try giveUpReserve() else {
                throw error
            }
            try write(in: folder, name, bytes)
        }
    }

    /// - Returns: false where there is none.
    private func giveUpReserve() throws(BatonError) -> Bool {
        let top = try DirectoryHandle(path: path).directory(Self.folder)
        guard try top.stamp(of: Self.reserve) != nil else { return false }
        try top.remove(Self.reserve)
        try top.synchronize()
        return true
    }

    /// Where there is no room for it now, it is tried again after the next collecting.
    private func keepReserve() {
        guard let top = try? DirectoryHandle(path: path).directory(Self.folder) else { return }
        var there = Glibc.stat()
        if fstatat(top.descriptor, Self.reserve, &there, AT_SYMLINK_NOFOLLOW) == 0 {
            let isFile = there.st_mode & S_IFMT == S_IFREG
            guard !isFile || min(there.st_size, there.st_blocks * 512) < Self.reserveBytes else { return }
            // A process that ended while it made the reserve left it too small, and a copy of it may be all hole.
            try? top.remove(Self.reserve)
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(top.descriptor, Self.reserve, flags, 0o600)
        guard file >= 0 else { return }
        defer { Glibc.close(file) }
        // Random bytes, so that neither a file system that compresses nor a tool that copies makes holes of them.
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Int(Self.reserveBytes / 8)).map { _ in generator.next() }
        let isWritten = bytes.withUnsafeBytes { bytes in
            (try? FileIO.writeAll(bytes, to: file) { FileFailure.error("write", top.path, errno: $0) }) != nil
        }
        if !isWritten || fsync(file) != 0 { unlinkat(top.descriptor, Self.reserve, 0) }
    }

    package func write(
        _ kind: BackupObject, _ name: String, size: UInt64,
        parts: (_ put: (Data) throws(BatonError) -> Void) throws(BatonError) -> Void
    ) throws(BatonError) {
        try write(in: folderForWriting(kind), try Self.checked(name), parts: parts)
    }

    private func write(in folder: DirectoryHandle, _ name: String, _ bytes: [UInt8]) throws(BatonError) {
        try write(in: folder, name) { (put: (Data) throws(BatonError) -> Void) throws(BatonError) in
            try put(Data(bytes))
        }
    }

    /// Under another name, synchronized, and renamed. The file systems of disks that one carries around have no modes, so none is
    /// demanded.
    private func write(
        in folder: DirectoryHandle, _ name: String,
        parts: (_ put: (Data) throws(BatonError) -> Void) throws(BatonError) -> Void
    ) throws(BatonError) {
        let temporary = ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let whole = "\(folder.path)/\(name)"
        let file = openat(folder.descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(whole) }
        defer { Glibc.close(file) }
        do throws(BatonError) {
            try parts { (bytes: Data) throws(BatonError) in
                try FileIO.writeAll(bytes, to: file) { failure(whole, errno: $0) }
            }
            guard fsync(file) == 0, renameat(folder.descriptor, temporary, folder.descriptor, name) == 0 else {
                throw failure(whole)
            }
        } catch {
            unlinkat(folder.descriptor, temporary, 0)
            throw error
        }
        try folder.synchronize()
    }

    package func remove(_ kind: BackupObject, _ name: String) throws(BatonError) {
        try folderIfThere(kind)?.remove(try Self.checked(name))
    }

    /// Another device may be writing a younger one.
    package func removeRemains(now: UInt64) {
        let oldest = Int64(clamping: now) - Int64(BackupSchedule.day)
        for kind in BackupObject.allCases {
            guard let folder = try? folder(kind), let names = try? folder.names(limit: Self.maximumNames) else {
                continue
            }
            for bytes in names where bytes.first == 0x2E {
                guard let name = String(validating: bytes, as: UTF8.self), let found = try? folder.stamp(of: name),
                    found.kind == .file, found.changed / 1_000_000 < oldest
                else { continue }
                try? folder.remove(name)
            }
        }
        keepReserve()
    }

    private static func checked(_ name: String) throws(BatonError) -> String {
        guard isName(name) else {
            throw BatonError(.invalidArgument, reason: "bad_object_name", "A part of a backup has an invalid name.")
        }
        return name
    }

    private func damaged(_ kind: BackupObject, _ name: String) -> BatonError {
        BatonError(
            .dataLoss, reason: "damaged_backup_object",
            "“\(Self.folder)/\(kind.rawValue)/\(name)” at the target is damaged. “baton backup verify” says what that means."
        )
    }
}
