import FileSync
import Files
import Glibc

/// Files that are made in staging. They are whole and durable before a step puts them into the tree.
extension ContainerDisk {
    func stageDirectory(_ metadata: [MetadataKey: ByteString]) throws(DiskFailure) -> (LocalHandle, Fingerprint) {
        let name = Self.freshName()
        let path = name.map { CChar(bitPattern: $0) } + [0]
        guard mkdirat(staging.number, path, 0o700) == 0 else { throw DiskFailure("make a directory") }
        let folder = try OpenNode(
            openat(staging.number, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), "open a directory")
        defer { withExtendedLifetime(folder) {} }
        try FileAttributes.write(metadata, to: folder.number)
        return try staged(name)
    }

    func stageLink(
        to target: [UInt8], _ metadata: [MetadataKey: ByteString]
    ) throws(DiskFailure) -> (LocalHandle, Fingerprint) {
        let name = Self.freshName()
        let path = name.map { CChar(bitPattern: $0) } + [0]
        guard symlinkat(target.map { CChar(bitPattern: $0) } + [0], staging.number, path) == 0 else {
            throw DiskFailure("make a symbolic link")
        }
        if let time = metadata[.modified] { try FileAttributes.writeTime(time, to: staging.number, name) }
        return try staged(name)
    }

    /// A file in the making.
    func newFile() throws(DiskFailure) -> StagedFile {
        let name = Self.freshName()
        let path = name.map { CChar(bitPattern: $0) } + [0]
        let file = try OpenNode(
            openat(staging.number, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600), "make a file")
        return StagedFile(name: name, file: file)
    }

    /// A package in the making.
    func newPackage() throws(DiskFailure) -> StagedPackage {
        let name = Self.freshName()
        guard mkdirat(staging.number, name.map { CChar(bitPattern: $0) } + [0], 0o700) == 0 else {
            throw DiskFailure("make a package")
        }
        return StagedPackage(name: name, package: try PackageTree.open(name, in: staging))
    }

    /// - Throws: `ENOSPC` before a byte is written, so that a file which does not fit does not fill the disk again and again.
    func checkRoom(
        for size: UInt64, here: UInt64 = 0, beside others: [ContentRoom.Coming] = []
    ) throws(DiskFailure) {
        var status = statvfs()
        guard fstatvfs(staging.number, &status) == 0 else { return }
        let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        let room = ContentRoom(free: free.overflow ? .max : free.partialValue, others: others)
        guard room.fits(.init(size: size, here: here)) else {
            throw DiskFailure("make room for a file", code: ENOSPC)
        }
    }

    /// Content that comes piece by piece.
    func newContent(_ kind: EntryKind) throws(DiskFailure) -> any StagedContent {
        kind == .package ? try newPackage() : try newFile()
    }

    func finish(
        _ content: any StagedContent, _ metadata: [MetadataKey: ByteString]
    ) throws -> (LocalHandle, Fingerprint) {
        try content.close(metadata)
        // Its fingerprint is that of a package only if it is known as one.
        if content is StagedPackage, let node = try DiskNode.look(staging.number, content.name) {
            packages.insert(node.handle)
        }
        let (handle, fingerprint) = try staged(content.name)
        if let file = content as? StagedFile { noteUnwritten(handle, file.file) }
        return (handle, fingerprint)
    }

    func abandon(_ content: any StagedContent) { remove(content.name, in: staging.number, depth: 0) }

    private func staged(_ name: [UInt8]) throws(DiskFailure) -> (LocalHandle, Fingerprint) {
        guard let node = try look(staging, name) else {
            throw DiskFailure("find a file in staging", code: ENOENT)
        }
        keepStaged(node.handle, as: name)
        return (node.handle, node.fingerprint)
    }
}

/// A file or a package in staging that is being written.
protocol StagedContent: AnyObject, Sendable {
    var name: [UInt8] { get }
    func write(_ bytes: [UInt8]) throws
    /// Whole and with its metadata when it returns. A package is durable then, a file after the next
    /// ``ContainerDisk/synchronize()``.
    func close(_ metadata: [MetadataKey: ByteString]) throws
}

/// A file in staging that is being written.
///
/// `@unchecked Sendable`: used on the queue of its container only.
final class StagedFile: StagedContent, @unchecked Sendable {
    let name: [UInt8]
    let file: OpenNode

    init(name: [UInt8], file: OpenNode) {
        self.name = name
        self.file = file
    }

    func write(_ bytes: [UInt8]) throws { try Self.write(bytes, to: file) }

    func close(_ metadata: [MetadataKey: ByteString]) throws {
        // Attributes first: a mode without the right to write is the last thing but the time.
        try FileAttributes.write(metadata, to: file.number)
    }

    /// Behind what was written before. Long runs of zeros become holes.
    static func write(_ bytes: [UInt8], to file: OpenNode) throws(DiskFailure) {
        var done = 0
        let offset = lseek(file.number, 0, SEEK_CUR)
        guard offset >= 0 else { throw DiskFailure("write a file") }
        for run in ZeroRuns.runs(in: bytes, at: UInt64(offset)) {
            guard ZeroRuns.punch(run, at: UInt64(offset), in: file.number) else { break }
            try put(bytes[done..<run.lowerBound], to: file)
            guard lseek(file.number, off_t(run.count), SEEK_CUR) >= 0 else { throw DiskFailure("write a file") }
            done = run.upperBound
        }
        try put(bytes[done...], to: file)
    }

    private static func put(_ bytes: ArraySlice<UInt8>, to file: OpenNode) throws(DiskFailure) {
        try FileIO.writeAll(bytes, to: file.number) { DiskFailure("write a file", code: $0) }
    }
}
