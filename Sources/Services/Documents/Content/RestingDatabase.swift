import FileSync
import Files
import Glibc

/// A SQLite database that programs may have open, as one whole file: its pages, and those of its log that are newer.
///
/// Nothing is locked, so no program waits for the sync. Where the database itself was changed meanwhile, or its log began anew, what was
/// read counts for nothing.
///
/// `@unchecked Sendable`: handed from one thread to the next, and used by one at a time.
final class RestingDatabase: RestingContent, @unchecked Sendable {
    /// A state that can be read again while more is written to the log.
    struct Point: Hashable, Sendable {
        fileprivate var own: Fingerprint
        fileprivate var log: WriteAheadLog.Point?
    }

    let fingerprint: Fingerprint
    let point: Point
    private let directory: OpenNode
    private let name: [UInt8]
    private let file: OpenNode
    private let logFile: OpenNode?
    private let log: WriteAheadLog?
    /// Held while no process may write: files that have left the tree.
    private let rests: [StableFile]
    private var offset = 0

    /// - Parameters:
    ///   - handle: of the file that is meant.
    ///   - point: a state to be read once more, as long as that can be.
    ///   - isClosed: whether no process may have it open for writing.
    init(
        _ directory: OpenNode, _ name: [UInt8], _ handle: LocalHandle, at point: Point? = nil, isClosed: Bool = false
    ) throws {
        (self.directory, self.name) = (directory, name)
        do throws(DiskFailure) {
            file = try DatabaseFiles.open(directory, name)
        } catch {
            let isGone = [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(error.code)
            throw isGone ? StableFile.UnstableFileError.changed : StableFile.UnstableFileError.unreadable(error.code)
        }
        let own = try DiskNode.look(file.number)
        guard let found = try DiskNode.look(directory.number, name), found.handle.file == handle.file,
            own.handle.file == handle.file, found.kind == .file
        else { throw StableFile.UnstableFileError.changed }
        fingerprint = DatabaseFiles.fingerprint(own.fingerprint, directory, name)
        let logName = name + DatabaseFiles.log
        logFile = DatabaseFiles.hasLog(directory, name) ? try? DatabaseFiles.open(directory, logName) : nil
        var rests: [StableFile] = []
        if isClosed {
            rests.append(try StableFile(directory, name, handle))
            if logFile != nil, let node = try DiskNode.look(directory.number, logName) {
                rests.append(try StableFile(directory, logName, node.handle))
            }
        }
        self.rests = rests
        let known = point.flatMap { $0.own == own.fingerprint ? $0.log : nil }
        let read = { [logFile] in try Self.read(logFile, $0, $1) }
        var log = try logFile == nil ? nil : WriteAheadLog(limit: known?.frames ?? .max, read: read)
        if let known, log?.header != known.header { log = try WriteAheadLog(read: read) }
        self.log = log
        self.point = Point(own: own.fingerprint, log: log?.point)
        guard StableFile.isOlderThanATick(own.fingerprint), !DatabaseFiles.isChanging(file, directory, name) else {
            throw StableFile.UnstableFileError.busy
        }
    }

    /// How long ago something was written, in nanoseconds: a program that writes one thing after the other is let alone for a while.
    var age: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec) &- fingerprint.modified
    }

    private var size: Int { log.map { $0.pages * $0.pageSize } ?? Int(clamping: point.own.size) }

    func read() throws -> [UInt8] {
        let end = min(offset + StableFile.pieceSize, size)
        guard offset < end else { return [] }
        defer { offset = end }
        guard let log else { return try whole(file, offset, end - offset) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end - offset)
        // Pieces are whole numbers of pages.
        for start in stride(from: offset, to: end, by: log.pageSize) {
            if let place = log.place(ofPage: start / log.pageSize + 1) {
                bytes += try whole(logFile, place, log.pageSize)
            } else {
                bytes += try whole(file, start, log.pageSize)
            }
        }
        return bytes
    }

    private func whole(_ file: OpenNode?, _ offset: Int, _ count: Int) throws -> [UInt8] {
        let bytes = try Self.read(file, offset, count)
        guard bytes.count == count else { throw StableFile.UnstableFileError.busy }
        return bytes
    }

    private static func read(_ file: OpenNode?, _ offset: Int, _ count: Int) throws -> [UInt8] {
        guard let file else { return [] }
        return try FileIO.readAll(file.number, count: count, at: UInt64(offset)) {
            StableFile.UnstableFileError.unreadable($0)
        }
    }

    func check() throws {
        guard try DiskNode.look(file.number).fingerprint == point.own, !DatabaseFiles.isChanging(file, directory, name)
        else { throw StableFile.UnstableFileError.busy }
        if let log, try Self.read(logFile, 0, WriteAheadLog.headerSize) != log.header {
            throw StableFile.UnstableFileError.busy
        }
        if log == nil, DatabaseFiles.fingerprint(point.own, directory, name) != fingerprint {
            throw StableFile.UnstableFileError.busy
        }
    }
}
