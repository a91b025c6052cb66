import BackupFormat
import BatonCore
import CLinux
import Files
import Glibc

/// The file system's word of one file, taken without opening it.
struct NodeStatus: Hashable {
    enum Kind: Hashable { case file, directory, link, special }
    var kind: Kind
    var mode: UInt16
    var size: UInt64
    /// Bytes on the disk: fewer than the size where there are holes.
    var allocated: UInt64
    /// Nanoseconds since 1970.
    var modified: Int64
    var changed: Int64
    var inode: UInt64
    var device: UInt64
    var links: UInt64

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .special
            }
        mode = UInt16(status.st_mode & Self.keptBits(status))
        size = UInt64(max(0, status.st_size))
        allocated = UInt64(max(0, status.st_blocks)) * 512
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        links = UInt64(status.st_nlink)
    }

    /// A restored file belongs to the person who restores it. A program that ran as its owner, or as its group, would run as that
    /// person then, so these bits are kept only where it does so already.
    private static func keptBits(_ status: stat) -> mode_t {
        guard status.st_mode & S_IFMT == S_IFREG else { return 0o7777 }
        return 0o1777 | (status.st_uid == geteuid() ? S_ISUID : 0)
            | (status.st_uid == geteuid() && status.st_gid == getegid() ? S_ISGID : 0)
    }

    /// The first or last moment that there is for one that is before or after all of them: file systems know later years than 2262.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let (whole, isTooLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLate) = whole.addingReportingOverflow(Int64(time.tv_nsec))
        return !isTooLarge && !isTooLate ? sum : time.tv_sec < 0 ? .min : .max
    }

    /// Another one shows that the file was written to, replaced, or had its mode or attributes changed.
    var fingerprint: [UInt8] {
        var bytes: [UInt8] = []
        for value in [size, UInt64(bitPattern: modified), UInt64(bitPattern: changed), inode, device, UInt64(mode)] {
            withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

/// A file or directory held open, whose entries are reached relative to it and never through a link. Names are bytes: a file system
/// knows no text.
final class FileNode {
    let descriptor: Int32
    /// For messages only.
    let path: String

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// - Throws: when a directory's last component is a link.
    convenience init(directory path: String) throws(BatonError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = FileFailure.error("open", path)
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { throw error }
            throw BatonError(
                .failedPrecondition, reason: "unexpected_symlink",
                "“\(PrintableName.escaped(path))” is a symbolic link. Name the directory that it leads to.",
                cause: error)
        }
        self.init(descriptor: descriptor, path: path)
    }

    func joined(_ name: [UInt8]) -> String { path + "/" + String(decoding: name, as: UTF8.self) }

    static func terminated(_ name: [UInt8]) -> [CChar] { name.map(CChar.init(bitPattern:)) + [0] }

    /// Opens an entry for reading. Nothing blocks: neither a named pipe nor a terminal.
    func child(_ name: [UInt8], isDirectory: Bool) throws(BatonError) -> FileNode {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (isDirectory ? O_DIRECTORY : 0)
        let child = openat(descriptor, Self.terminated(name), flags)
        guard child >= 0 else { throw FileFailure.error("open", joined(name)) }
        return FileNode(descriptor: child, path: joined(name))
    }

    func status() throws(BatonError) -> NodeStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure.error("examine", path) }
        return NodeStatus(status)
    }

    /// The entry's own, not that of a link's target; nil for none.
    func status(of name: [UInt8]) throws(BatonError) -> NodeStatus? {
        var status = stat()
        guard fstatat(descriptor, Self.terminated(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            // No entry has a name that is too long, as that of a log beside a database with the longest one.
            if errno == ENOENT || errno == ENAMETOOLONG { return nil }
            throw FileFailure.error("examine", joined(name))
        }
        return NodeStatus(status)
    }

    /// In the order of their bytes.
    func names() throws(BatonError) -> [[UInt8]] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw FileFailure.error("list", path) }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw FileFailure.error("list", path) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            guard names.count < BackupTree.maximumEntries else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_files",
                    "“\(PrintableName.escaped(path))” holds more entries than a backup can.")
            }
            names.append(name)
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    func target(of name: [UInt8]) throws(BatonError) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: BackupEntry.maximumTarget + 1)
        let count = readlinkat(descriptor, Self.terminated(name), &buffer, buffer.count)
        guard count > 0, count <= BackupEntry.maximumTarget else { throw FileFailure.error("read", joined(name)) }
        return buffer.prefix(count).map(UInt8.init(bitPattern:))
    }

    /// At most so many bytes from an offset.
    func bytes(from offset: UInt64 = 0, count: Int) throws(BatonError) -> [UInt8] {
        try FileIO.readAll(descriptor, count: count, at: offset) { FileFailure.error("read", path, errno: $0) }
    }

    // MARK: Attributes

    /// Those of the person: `user.*`. A file system without attributes has none.
    func attributes() -> [BackupEntry.Attribute] {
        var list = [CChar](repeating: 0, count: 64 << 10)
        let size = flistxattr(descriptor, &list, list.count)
        guard size > 0 else { return [] }
        let names = list.prefix(size).map(UInt8.init(bitPattern:)).split(separator: 0).map(Array.init)
        return names.filter { $0.starts(with: Array("user.".utf8)) }
            .sorted { $0.lexicographicallyPrecedes($1) }
            .prefix(BackupEntry.maximumAttributes)
            .compactMap { name in attribute(name).map { BackupEntry.Attribute(name: name, value: $0) } }
    }

    func attribute(_ name: [UInt8]) -> [UInt8]? {
        let name = Self.terminated(name)
        let size = fgetxattr(descriptor, name, nil, 0)
        guard size >= 0, size <= BackupEntry.maximumAttributeBytes else { return nil }
        if size == 0 { return [] }
        var value = [UInt8](repeating: 0, count: size)
        let count = fgetxattr(descriptor, name, &value, value.count)
        return count >= 0 ? Array(value.prefix(count)) : nil
    }

    /// Whether a directory says by `CACHEDIR.TAG` that it can be made again.
    func hasCacheTag() -> Bool {
        guard let tag = try? child(Array(BackupRules.cacheTagName.utf8), isDirectory: false),
            (try? tag.status())?.kind == .file,
            let head = try? tag.bytes(count: BackupRules.cacheTag.count)
        else { return false }
        return head == BackupRules.cacheTag
    }

    /// The parts of a file that are no hole; nil for a file without holes, and where the file system does not report them.
    /// - Throws: `resource_exhausted` (`file_too_large`) for more parts than a backup can hold: to read the holes could take for
    ///   ever.
    func extents(_ status: NodeStatus) throws(BatonError) -> [BackupEntry.Extent]? {
        guard status.allocated < status.size else { return nil }
        var extents: [BackupEntry.Extent] = []
        var position: off_t = 0
        let end = off_t(clamping: status.size)
        while position < end {
            let data = lseek(descriptor, position, 3)  // SEEK_DATA
            if data < 0 { return errno == ENXIO ? extents : nil }
            let hole = lseek(descriptor, data, 4)  // SEEK_HOLE
            guard hole > data else { return nil }
            guard extents.count < BackupEntry.maximumExtents else { throw Self.tooLarge }
            extents.append(.init(offset: UInt64(data), length: UInt64(min(hole, end) - data)))
            position = hole
        }
        return extents
    }

    static let tooLarge = BatonError(
        .resourceExhausted, reason: "file_too_large",
        "A file is larger than one in a backup can be, or has more holes.")
}
