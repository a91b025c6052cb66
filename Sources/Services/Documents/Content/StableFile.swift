import BatonCore
import CLinux
import FileSync
import Glibc

/// A file that is read while no process writes to it.
///
/// A lease is refused while anybody has the file open for writing, also by a mapping alone. Where the file system has no leases, a
/// file is at rest that was not changed for two seconds and has the same fingerprint afterwards.
///
/// `@unchecked Sendable`: handed from one thread to the next, and used by one at a time.
final class StableFile: @unchecked Sendable {
    enum UnstableFileError: Error {
        /// A process writes to it: the read is tried again.
        case busy
        /// It is another one, or gone.
        case changed
        /// This user may not read it, or the disk does not give what is in it: it is tried again.
        case unreadable(Int32)
    }

    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025
    static let pieceSize = 1 << 20
    /// A program that wants to write waits for so much at most.
    private static let copiedAtOnce: UInt64 = 16 << 20
    private static let rest: Int64 = 2_000_000_000

    private let node: OpenNode
    private let hasLease: Bool
    let fingerprint: Fingerprint
    private var size: UInt64 = 0

    /// - Parameter handle: of the file that is meant.
    init(_ directory: OpenNode, _ name: [UInt8], _ handle: LocalHandle) throws {
        let path = name.map { CChar(bitPattern: $0) } + [0]
        let node: OpenNode
        do throws(DiskFailure) {
            node = try OpenNode(QuietOpening.open(directory.number, path), "open a file")
        } catch {
            let isGone = [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(error.code)
            throw isGone ? UnstableFileError.changed : UnstableFileError.unreadable(error.code)
        }
        guard let found = try DiskNode.look(directory.number, name), found.handle.file == handle.file,
            found.kind == .file
        else {
            throw UnstableFileError.changed
        }
        self.node = node
        if fcntl(node.number, Self.setLease, F_RDLCK) == 0 {
            hasLease = true
        } else {
            guard errno != EAGAIN else { throw UnstableFileError.busy }
            hasLease = false
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let time = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
            guard time &- found.fingerprint.modified > Self.rest || found.fingerprint.modified > time else {
                throw UnstableFileError.busy
            }
        }
        fingerprint = try Self.fingerprint(of: node)
        guard Self.isOlderThanATick(fingerprint) else { throw UnstableFileError.busy }
    }

    /// Two writes within one tick of the file system's clock leave the same times: a change after the reading would not show.
    static func isOlderThanATick(_ fingerprint: Fingerprint) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        let age = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec) &- fingerprint.changed
        // Whole seconds: a file system that has no others. A clock that was put back makes no file wait.
        let needed = fingerprint.changed % 1_000_000_000 == 0 ? rest : 1
        return age >= needed || age < -rest
    }

    private static func fingerprint(of node: OpenNode) throws(DiskFailure) -> Fingerprint {
        try DiskNode.look(node.number).fingerprint
    }

    /// - Returns: empty at the end.
    func read() throws -> [UInt8] {
        // No more room than the file may need, and a byte by which it shows that it has grown.
        let rest = size <= fingerprint.size ? fingerprint.size - size : UInt64(Self.pieceSize)
        return try read(Int(min(rest, UInt64(Self.pieceSize) - 1)) + 1, all: false)
    }

    /// - Returns: fewer bytes at the end only.
    func read(_ count: Int) throws -> [UInt8] { try read(count, all: true) }

    private func read(_ room: Int, all: Bool) throws -> [UInt8] {
        if hasLease, fcntl(node.number, Self.getLease, 0) != F_RDLCK { throw UnstableFileError.busy }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = 0
            repeat {
                let result = Glibc.read(node.number, buffer.baseAddress?.advanced(by: count), room - count)
                if result < 0 { failure = errno }
                guard result > 0 else { return }
                count += result
            } while all && count < room
        }
        // Not the end: what is left would be taken for all that was saved.
        guard failure == 0 else { throw UnstableFileError.unreadable(failure) }
        size += UInt64(bytes.count)
        return bytes
    }

    func seek(to offset: UInt64) throws -> Bool {
        guard lseek(node.number, off_t(clamping: offset), SEEK_SET) >= 0 else {
            throw UnstableFileError.unreadable(errno)
        }
        size = offset
        return true
    }

    func isUnchanged() throws -> Bool {
        if hasLease, fcntl(node.number, Self.getLease, 0) != F_RDLCK { return false }
        return try Self.fingerprint(of: node) == fingerprint
    }

    /// Gives another file all that is in this one, where the file system lets both share it.
    func clone(to other: Int32) -> Bool { baton_clone(node.number, other) == 0 }

    /// Copies a range to another file, until a program wants to write to this one.
    /// - Throws: ``UnstableFileError/busy``; a failure of the disk.
    func copy(_ range: Range<UInt64>, to other: Int32, at offset: UInt64) throws {
        var done: UInt64 = 0
        while done < UInt64(range.count) {
            if hasLease, fcntl(node.number, Self.getLease, 0) != F_RDLCK { throw UnstableFileError.busy }
            let count = baton_copy_range(
                node.number, Int(range.lowerBound + done), other, Int(offset + done),
                Int(min(Self.copiedAtOnce, UInt64(range.count) - done)))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw DiskFailure("write a content") }
            // Shorter than it was.
            guard count > 0 else { throw UnstableFileError.busy }
            done += UInt64(count)
        }
    }

    /// After the end.
    func check() throws {
        guard try Self.fingerprint(of: node) == fingerprint, size == fingerprint.size else {
            throw UnstableFileError.busy
        }
    }
}
