import BackupFormat
import BatonCore
import CLinux
import Files
import Glibc

/// A directory that is restored into. All is reached by descriptors: a link in the way is refused, and no name of a tree has a slash.
struct RestoreTarget {
    /// Files are written under such a name, and get their own when they are whole.
    static let prefix = Array(".baton-restore-".utf8)

    let node: FileNode
    let way: RestorePlace
    private let there: NamesThere

    /// - Parameters:
    ///   - way: nil for the top of a restore.
    ///   - list: the names in it.
    init(node: FileNode, way: RestorePlace? = nil, list: @escaping (FileNode) throws -> [[UInt8]] = { try $0.names() })
    {
        self.node = node
        self.way = way ?? RestorePlace(top: node)
        there = NamesThere { try list(node) }
    }

    /// The item that has a name; nil for none.
    /// - Throws: `failed_precondition` (`not_taken`) where the file system finds one of another name by it.
    func found(_ name: [UInt8]) throws(BatonError) -> NodeStatus? {
        guard let status = try node.status(of: name) else { return nil }
        guard there.contains(name) else { throw NamesThere.taken(node.joined(name)) }
        return status
    }

    func temporaryName() -> [UInt8] { Self.prefix + Array(String(UInt64.random(in: .min ... .max), radix: 36).utf8) }

    /// Removes what a restore that was cut left behind.
    func clean() {
        for name in (try? node.names()) ?? [] where name.starts(with: Self.prefix) {
            unlinkat(node.descriptor, FileNode.terminated(name), 0)
        }
    }

    /// A directory that is filled.
    struct Directory {
        var node: FileNode
        /// A restore made it, this one or one that was cut: it gets its mode, times and attributes from the snapshot.
        var isRestored: Bool
        /// The mode that one that was there had.
        var mode: UInt16?
    }

    /// On a directory that a restore made, until it is whole.
    fileprivate static let mark = Array("user.baton.restoring".utf8)

    /// Makes a directory, or opens the one that is there.
    /// - Returns: nil where something else has the name.
    func directory(_ name: [UInt8]) throws(BatonError) -> Directory? {
        let made = mkdirat(node.descriptor, FileNode.terminated(name), 0o700)
        guard made == 0 || errno == EEXIST else { throw Self.failure("make", node.joined(name)) }
        if made == 0 {
            // Some file systems list it by another form of its name.
            there.insert(name)
        } else {
            guard try found(name)?.kind == .directory else { return nil }
        }
        return try Self.opened(try node.child(name, isDirectory: true), isMade: made == 0)
    }

    /// Makes the directory at a path that is to become one of the snapshot, or opens the one that is there.
    static func directory(at path: String) throws(BatonError) -> Directory {
        if let node = try? FileNode(directory: path) { return try opened(node, isMade: false) }
        try make(path.split(separator: "/").dropLast())
        let isMade = mkdir(path, 0o700) == 0
        guard isMade || errno == EEXIST else { throw failure("make", path) }
        return try opened(try FileNode(directory: path), isMade: isMade)
    }

    /// Makes those directories of a path that are not there, as a person would make them.
    static func make(_ parts: some Sequence<Substring>) throws(BatonError) {
        var path = ""
        for part in parts {
            path += "/" + part
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure("make", path) }
        }
    }

    private static func opened(_ node: FileNode, isMade: Bool) throws(BatonError) -> Directory {
        let mark = FileNode.terminated(Self.mark)
        if isMade {
            // Where the file system takes no attributes, a restore that goes on leaves such a directory to its owner.
            fsetxattr(node.descriptor, mark, [1], 1, 0)
            return Directory(node: node, isRestored: true)
        }
        let isRestored = fgetxattr(node.descriptor, mark, nil, 0) >= 0
        // One that its owner made unwritable is filled all the same, and gets its mode at the end.
        let mode = try node.status().mode
        if mode & 0o300 != 0o300 { fchmod(node.descriptor, mode_t(mode | 0o700)) }
        return Directory(node: node, isRestored: isRestored, mode: mode)
    }

    /// Gives a directory that was filled what belongs to it.
    /// - Returns: how many attributes, times and modes the file system did not take.
    static func finish(_ directory: Directory, as entry: BackupEntry, replaces: Bool) -> Int {
        let node = directory.node
        if directory.isRestored { fremovexattr(node.descriptor, FileNode.terminated(mark)) }
        if directory.isRestored || replaces { return node.setMetadata(entry) }
        // It is the person's own, as are the rights to it.
        if let mode = directory.mode, mode & 0o300 != 0o300 { fchmod(node.descriptor, mode_t(mode)) }
        return 0
    }

    func createFile(_ name: [UInt8]) throws(BatonError) -> FileNode {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(node.descriptor, FileNode.terminated(name), flags, 0o600)
        guard file >= 0 else { throw Self.failure("make", node.joined(name)) }
        return FileNode(descriptor: file, path: node.joined(name))
    }

    func makeLink(_ name: [UInt8], to target: [UInt8]) throws(BatonError) {
        guard symlinkat(FileNode.terminated(target), node.descriptor, FileNode.terminated(name)) == 0 else {
            throw Self.failure("make", node.joined(name))
        }
    }

    /// Gives a finished item its name. Without `replaces` it replaces no other item.
    /// - Returns: false where something has the name.
    func place(_ temporary: [UInt8], as name: [UInt8], replaces: Bool) throws(BatonError) -> Bool {
        let (from, to) = (FileNode.terminated(temporary), FileNode.terminated(name))
        let done =
            replaces
            ? renameat(node.descriptor, from, node.descriptor, to)
            : baton_rename_exclusively(node.descriptor, from, node.descriptor, to)
        if done == 0 {
            there.insert(name)
            return true
        }
        var code = errno
        // Shares and file systems of programs may know no such rename.
        if !replaces, [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) { code = link(from, as: to) }
        unlinkat(node.descriptor, from, 0)
        if code == 0 {
            there.insert(name)
            return true
        }
        if !replaces, code == EEXIST { return false }
        throw Self.failure("make", node.joined(name), errno: code)
    }

    /// Gives an item a second name, or where there are no such names its only one. Replaces nothing that is there.
    /// - Returns: 0, or the code of the failure.
    func link(_ from: [CChar], as to: [CChar]) -> Int32 {
        if linkat(node.descriptor, from, node.descriptor, to, 0) == 0 { return 0 }
        guard [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(errno) else { return errno }
        if faccessat(node.descriptor, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
        guard errno == ENOENT else { return errno }
        return renameat(node.descriptor, from, node.descriptor, to) == 0 ? 0 : errno
    }

    /// A failure as an error. A name or a size that the file system does not take concerns one item alone.
    static func failure(_ action: String, _ path: String, errno code: Int32 = errno) -> BatonError {
        let error = FileFailure.error(action, path, errno: code)
        guard [EINVAL, EILSEQ, EFBIG, EOVERFLOW, EOPNOTSUPP, ENOSYS, EMLINK, EBUSY, EISDIR].contains(code) else {
            return error
        }
        return BatonError(
            .failedPrecondition, reason: "not_taken",
            "\(error.message) The file system does not take it: restore it to a place on another one.", cause: error)
    }

    func remove(_ name: [UInt8]) { unlinkat(node.descriptor, FileNode.terminated(name), 0) }

    /// - Throws: when a file of that name is there, and stays.
    func removeFile(_ name: [UInt8]) throws(BatonError) {
        guard unlinkat(node.descriptor, FileNode.terminated(name), 0) == 0 || errno == ENOENT else {
            throw FileFailure.error("remove", node.joined(name))
        }
    }
}

extension FileNode {
    func write(_ bytes: ArraySlice<UInt8>, at offset: UInt64) throws(BatonError) {
        try FileIO.writeAll(bytes, to: descriptor, at: offset) { RestoreTarget.failure("write", path, errno: $0) }
    }

    func setSize(_ size: UInt64) throws(BatonError) {
        guard ftruncate(descriptor, off_t(clamping: size)) == 0 else { throw RestoreTarget.failure("write", path) }
    }

    /// Attributes, mode and time, in this order: each could change the later ones.
    /// - Returns: how many of them the file system did not take.
    func setMetadata(_ entry: BackupEntry) -> Int {
        var refused = 0
        for attribute in entry.attributes
        where attribute.name.starts(with: Array("user.".utf8)) && attribute.name != RestoreTarget.mark {
            let done = fsetxattr(
                descriptor, Self.terminated(attribute.name), attribute.value, attribute.value.count, 0)
            if done != 0 { refused += 1 }
        }
        if fchmod(descriptor, mode_t(entry.mode)) != 0 { refused += 1 }
        if futimens(descriptor, Self.times(entry.modified)) != 0 { refused += 1 }
        return refused
    }

    static func times(_ modified: Int64) -> [timespec] {
        let seconds = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        let isNegative = seconds.remainder < 0
        let time = timespec(
            tv_sec: time_t(seconds.quotient - (isNegative ? 1 : 0)),
            tv_nsec: Int(seconds.remainder + (isNegative ? 1_000_000_000 : 0)))
        return [time, time]
    }
}
