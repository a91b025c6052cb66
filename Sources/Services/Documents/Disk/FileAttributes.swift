import CLinux
import FileSync
import Glibc

/// Mode and `user.*` attributes of files, as entries have them.
enum FileAttributes {
    /// The most bytes of all attributes; what is beyond is not synced.
    static let maximumBytes = EntryLimits.attributeBytes
    private static let prefix = Array("user.".utf8)
    /// Marks a file whose file system did not take all of its attributes. It stays on this device.
    private static let leftOut = "user.baton.left-out"

    /// The attributes of an item of a directory.
    /// - Parameter known: what the file is to have; asked for where the file system did not take all of it, so that what is
    ///   missing does not count as removed.
    static func read(
        _ directory: Int32, _ name: [UInt8], known: () -> [MetadataKey: ByteString] = { [:] }
    ) -> [MetadataKey: ByteString] {
        // The path of a directory that is open, since the system calls take no descriptor of one.
        var path: [CChar] = []
        path.reserveCapacity(name.count + 32)
        for byte in "/proc/self/fd/\(directory)/".utf8 { path.append(CChar(bitPattern: byte)) }
        for byte in name { path.append(CChar(bitPattern: byte)) }
        path.append(0)
        let needed = llistxattr(path, nil, 0)
        guard needed > 0 else { return [:] }
        var list = [CChar](repeating: 0, count: needed + 1024)
        let count = llistxattr(path, &list, list.count)
        guard count > 0 else { return [:] }
        var result: [MetadataKey: ByteString] = [:]
        var size = 0
        var isPartial = false
        for part in list.prefix(count).split(separator: 0) {
            let name = part.map { UInt8(bitPattern: $0) }
            guard !name.elementsEqual(leftOut.utf8) else {
                isPartial = true
                continue
            }
            guard name.starts(with: prefix), name.count > prefix.count, result.count < 200 else { continue }
            var value = [UInt8](repeating: 0, count: maximumBytes)
            let length = lgetxattr(path, Array(part) + [0], &value, value.count)
            guard length >= 0, size + name.count + length + 1 <= maximumBytes else { continue }
            size += name.count + length + 1
            // An empty value of a register is one that was removed.
            result[.attribute(ByteString(name))] = ByteString([1] + value.prefix(length))
        }
        if isPartial { result.merge(known()) { own, _ in own } }
        return result
    }

    /// Its owner's permissions of a directory stay on the device: a directory that cannot be opened there could not be synced.
    private static let owner: UInt32 = 0o700

    static func mode(_ mode: UInt32, of kind: EntryKind) -> ByteString {
        let mode = kind == .directory ? mode | owner : mode
        return ByteString([UInt8(truncatingIfNeeded: mode >> 8), UInt8(truncatingIfNeeded: mode)])
    }

    /// Sets what is named, on an open file or folder. An empty value takes an attribute away.
    static func write(_ values: [MetadataKey: ByteString], to descriptor: Int32) throws(DiskFailure) {
        try writeAttributes(values, to: descriptor)
        if let value = values[.mode] {
            var mode = value.bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0o777
            let node = try DiskNode.look(descriptor)
            if node.kind == .directory { mode = mode & ~owner | node.mode & owner }
            guard fchmod(descriptor, mode) == 0 else { throw DiskFailure("set a mode") }
        }
        // Last, since the others change nothing of it.
        if let time = values[.modified].map(nanoseconds) {
            var times = Self.times(time)
            guard futimens(descriptor, &times) == 0 else { throw DiskFailure("set a time") }
        }
    }

    /// Before the mode: a file's owner, too, sets attributes only where the mode lets them write.
    private static func writeAttributes(
        _ values: [MetadataKey: ByteString], to descriptor: Int32
    ) throws(DiskFailure) {
        var (removed, set): ([[UInt8]], [(name: [UInt8], value: ArraySlice<UInt8>)]) = ([], [])
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard case .attribute(let name) = key, !name.bytes.elementsEqual(leftOut.utf8) else { continue }
            if value.bytes.isEmpty {
                removed.append(name.bytes)
            } else {
                set.append((name.bytes, value.bytes.dropFirst()))
            }
        }
        guard !removed.isEmpty || !set.isEmpty else { return }
        let mode = try DiskNode.look(descriptor).mode
        let isClosed = mode & 0o200 == 0 && fchmod(descriptor, mode | 0o200) == 0
        defer { if isClosed { fchmod(descriptor, mode) } }
        // First, which makes room.
        for name in removed { _ = fremovexattr(descriptor, name.cString) }
        for (name, value) in set {
            let bytes = Array(value)
            // A file system without attributes holds the file without them.
            guard fsetxattr(descriptor, name.cString, bytes, bytes.count, 0) != 0, errno != ENOTSUP else { continue }
            let failure = DiskFailure("set an attribute")
            // Some hold 4 KB of a file. Rather the file comes without one than not at all.
            guard [ENOSPC, E2BIG].contains(failure.code) else { throw failure }
            _ = fremovexattr(descriptor, name.cString)
            guard fsetxattr(descriptor, leftOut, "1", 1, 0) == 0 else { throw failure }
        }
    }

    /// The time of a symbolic link, which has nothing else.
    static func writeTime(_ value: ByteString, to directory: Int32, _ name: [UInt8]) throws(DiskFailure) {
        var times = Self.times(nanoseconds(value))
        guard utimensat(directory, name.map { CChar(bitPattern: $0) } + [0], &times, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw DiskFailure("set a time")
        }
    }

    static func nanoseconds(_ value: ByteString) -> Int64 {
        Int64(bitPattern: value.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func times(_ nanoseconds: Int64) -> [timespec] {
        var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        return [time, time]
    }
}

extension [UInt8] {
    fileprivate var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
