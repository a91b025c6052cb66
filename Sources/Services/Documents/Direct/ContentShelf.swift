import BatonCore
import CLinux
import Crypto
import FileSync
import Files
import Glibc

/// Whole contents by their hashes, beside a container's staged files: those that come from devices that are near, until they are in the
/// tree, and those that this device keeps for others. Contents there are durable. Pieces were verified as they came; a file that
/// was in the tree is when it goes back there, since a program may have had it open. Until then its mode is ``unverified``.
///
/// Every method blocks.
final class ContentShelf: Sendable {
    /// In the staging folder.
    static let name = Array("contents".utf8)
    private static let suffix = ".part"
    private static let pieceSize = 1 << 20
    private static let unverified: mode_t = 0o400

    private let staging: OpenNode
    let directory: OpenNode

    init(staging: OpenNode) throws(DiskFailure) {
        let path = Self.name.map { CChar(bitPattern: $0) } + [0]
        guard mkdirat(staging.number, path, 0o700) == 0 || errno == EEXIST else {
            throw DiskFailure("make a folder for contents")
        }
        self.staging = staging
        let (flags, action) = (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, "open a folder for contents")
        directory =
            staging.mayRest
            ? try OpenNode(resting: { openat(staging.number, path, flags) }, action)
            : try OpenNode(openat(staging.number, path, flags), action)
    }

    private static func fileName(_ hash: ContentHash) -> String {
        hash.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func hash(_ name: [UInt8]) -> ContentHash? {
        let text = String(decoding: name, as: UTF8.self)
        let digits = (text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text).utf8
            .compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64 else { return nil }
        return ContentHash(stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// All that is there, also what has not come whole.
    var hashes: Set<ContentHash> {
        Set(((try? ContainerDisk.names(in: directory.number)) ?? []).compactMap(Self.hash))
    }

    func has(_ hash: ContentHash) -> Bool { faccessat(directory.number, Self.fileName(hash), F_OK, 0) == 0 }

    func hasPart(_ hash: ContentHash) -> Bool {
        faccessat(directory.number, Self.fileName(hash) + Self.suffix, F_OK, 0) == 0
    }

    /// The bytes of all contents that are there but these.
    func size(without isExcepted: (ContentHash) -> Bool) -> UInt64 {
        var sum: UInt64 = 0
        for name in (try? ContainerDisk.names(in: directory.number)) ?? [] {
            guard let hash = Self.hash(name), !isExcepted(hash) else { continue }
            sum &+= min((try? DiskNode.look(directory.number, name))??.fingerprint.size ?? 0, 1 << 50)
        }
        return sum
    }

    /// The room that those pieces of a content take that have come.
    func partBytes(_ hash: ContentHash) -> UInt64 {
        UInt64(max(0, baton_stored_bytes(directory.number, Self.fileName(hash) + Self.suffix)))
    }

    func removePart(_ hash: ContentHash) { unlinkat(directory.number, Self.fileName(hash) + Self.suffix, 0) }

    /// Whether it has been there for a week.
    func isOld(_ hash: ContentHash) -> Bool {
        let names = [Self.fileName(hash), Self.fileName(hash) + Self.suffix]
        let found = names.lazy.compactMap { try? DiskNode.look(self.directory.number, Array($0.utf8)) }.first
        guard let found else { return true }
        return Int64(time(nil)) - found.fingerprint.changed / 1_000_000_000 > 7 * 24 * 60 * 60
    }

    func remove(_ hash: ContentHash) {
        unlinkat(directory.number, Self.fileName(hash), 0)
        unlinkat(directory.number, Self.fileName(hash) + Self.suffix, 0)
    }

    /// Takes a file of the staging folder whose content is known, and which has no other name.
    /// - Parameter isFlushed: it is durable at once. Otherwise ``flush()`` follows, for many.
    func keep(_ staged: [UInt8], as hash: ContentHash, isFlushed: Bool = true) throws(DiskFailure) {
        let attributes = FileAttributes.read(staging.number, staged).mapValues { _ in ByteString([UInt8]()) }
        let path = staged.map { CChar(bitPattern: $0) } + [0]
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        fchmodat(staging.number, path, 0o600, 0)
        let file = try OpenNode(openat(staging.number, path, flags), "keep a content")
        defer { withExtendedLifetime(file) {} }
        // It is a content now, and gets the attributes of what it will be.
        if !attributes.isEmpty { try FileAttributes.write(attributes, to: file.number) }
        guard fchmod(file.number, Self.unverified) == 0, !isFlushed || fsync(file.number) == 0,
            renameat(staging.number, path, directory.number, Self.fileName(hash)) == 0
        else { throw DiskFailure("keep a content") }
        if isFlushed { fsync(directory.number) }
    }

    /// All that it has is durable.
    func flush() { _ = baton_syncfs(directory.number) }

    /// Reads a file that was in the tree, unless that was done.
    /// - Returns: false where it is not the content; then nothing is left of it.
    func verify(_ hash: ContentHash) throws(DiskFailure) -> Bool {
        let content = try open(hash)
        defer { withExtendedLifetime(content) {} }
        let node = try DiskNode.look(content.file.number)
        guard node.mode == Self.unverified else { return true }
        guard try Self.isWhole(content, hash, size: node.fingerprint.size) else {
            unlinkat(directory.number, Self.fileName(hash), 0)
            return false
        }
        guard fchmod(content.file.number, 0o600) == 0 else { throw DiskFailure("keep a content") }
        return true
    }

    /// A content becomes a file of the staging folder, after ``verify(_:)``.
    func give(_ hash: ContentHash) throws(DiskFailure) -> StagedFile {
        let name = ContainerDisk.freshName()
        let path = name.map { CChar(bitPattern: $0) } + [0]
        guard renameat(directory.number, Self.fileName(hash), staging.number, path) == 0 else {
            throw DiskFailure("stage a content")
        }
        return StagedFile(
            name: name,
            file: try OpenNode(openat(staging.number, path, O_RDWR | O_NOFOLLOW | O_CLOEXEC), "open a content"))
    }

    /// Another file of the staging folder with a content, after ``verify(_:)``: shared with it where the file system does so.
    func copy(_ hash: ContentHash) throws(DiskFailure) -> StagedFile {
        let content = try open(hash)
        let name = ContainerDisk.freshName()
        let path = name.map { CChar(bitPattern: $0) } + [0]
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = try OpenNode(openat(staging.number, path, flags, 0o600), "make a file")
        do throws(DiskFailure) {
            let isShared = withExtendedLifetime((content, file)) {
                baton_clone(content.file.number, file.number) == 0
            }
            if !isShared { try Self.copy(content, to: file) }
        } catch {
            unlinkat(staging.number, path, 0)
            throw error
        }
        return StagedFile(name: name, file: file)
    }

    private static func copy(_ content: OpenContent, to file: OpenNode) throws(DiskFailure) {
        var offset: UInt64 = 0
        while true {
            let bytes = try content.read(pieceSize, at: offset)
            guard !bytes.isEmpty else { return }
            try StagedFile.write(bytes, to: file)
            offset += UInt64(bytes.count)
        }
    }

    func open(_ hash: ContentHash) throws(DiskFailure) -> OpenContent {
        OpenContent(
            try OpenNode(
                openat(directory.number, Self.fileName(hash), O_RDONLY | O_NOFOLLOW | O_CLOEXEC), "open a content"))
    }

    /// A content that comes piece by piece, in any order. Pieces from before an interruption are still there.
    func part(_ hash: ContentHash) throws(DiskFailure) -> OpenContent {
        OpenContent(
            try OpenNode(
                openat(
                    directory.number, Self.fileName(hash) + Self.suffix,
                    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600), "make a file for a content"))
    }

    /// All pieces have come.
    /// - Returns: false where that is not the content; then nothing is left of it.
    func finish(_ part: OpenContent, _ hash: ContentHash, size: UInt64) throws(DiskFailure) -> Bool {
        try cut(part, to: size)
        // A run of zeros may have come in several pieces.
        guard try Self.isWhole(part, hash, size: size, makesHoles: true) else {
            removePart(hash)
            return false
        }
        try keep(part, hash)
        return true
    }

    /// An earlier try may have left more.
    func cut(_ part: OpenContent, to size: UInt64) throws(DiskFailure) {
        guard ftruncate(part.file.number, off_t(clamping: size)) == 0 else { throw DiskFailure("write a content") }
    }

    /// All pieces have come, and have the hash.
    func keep(_ part: OpenContent, _ hash: ContentHash) throws(DiskFailure) {
        let name = Self.fileName(hash)
        guard fsync(part.file.number) == 0,
            renameat(directory.number, name + Self.suffix, directory.number, name) == 0
        else { throw DiskFailure("keep a content") }
        fsync(directory.number)
    }

    /// - Parameter makesHoles: no other process has the file open.
    private static func isWhole(
        _ content: OpenContent, _ hash: ContentHash, size: UInt64, makesHoles: Bool = false
    ) throws(DiskFailure) -> Bool {
        var whole = SHA256()
        var offset: UInt64 = 0
        while offset < size {
            let bytes = try content.read(Int(min(UInt64(pieceSize), size - offset)), at: offset)
            guard !bytes.isEmpty else { break }
            whole.update(data: bytes)
            if makesHoles { content.makeHoles(in: bytes, at: offset) }
            offset += UInt64(bytes.count)
        }
        return offset == size && ContentHash(whole.finalize()) == hash
    }
}

/// A file of the shelf. Reads and writes say where.
final class OpenContent: Sendable {
    let file: OpenNode

    init(_ file: OpenNode) { self.file = file }

    /// Fewer bytes at the end.
    func read(_ count: Int, at offset: UInt64) throws(DiskFailure) -> [UInt8] {
        try FileIO.readAll(file.number, count: count, at: offset) { DiskFailure("read a content", code: $0) }
    }

    /// Long runs of zeros become holes.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(DiskFailure) {
        var done = 0
        for run in ZeroRuns.runs(in: bytes, at: offset) {
            guard ZeroRuns.punch(run, at: offset, in: file.number) else { break }
            try put(bytes, done..<run.lowerBound, at: offset)
            done = run.upperBound
        }
        try put(bytes, done..<bytes.count, at: offset)
    }

    /// - Parameter bytes: what the file has there.
    func makeHoles(in bytes: [UInt8], at offset: UInt64) {
        for run in ZeroRuns.runs(in: bytes, at: offset) {
            guard ZeroRuns.punch(run, at: offset, in: file.number) else { return }
        }
    }

    private func put(_ bytes: [UInt8], _ range: Range<Int>, at offset: UInt64) throws(DiskFailure) {
        try FileIO.writeAll(bytes[range], to: file.number, at: offset + UInt64(range.lowerBound)) {
            DiskFailure("write a content", code: $0)
        }
    }
}
