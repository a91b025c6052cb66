import FileSync
import Glibc

/// The files of one SQLite database: `X`, and beside it `X-wal`, `X-shm` and `X-journal`. They are one document: what is in the others
/// counts as a part of `X`, and they go where `X` goes.
enum DatabaseFiles {
    static let log = Array("-wal".utf8)
    static let journal = Array("-journal".utf8)
    static let suffixes = [log, journal, Array("-shm".utf8)]
    private static let beginning = Array("SQLite format 3\0".utf8)
    private static let journalBeginning: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// The size of a log with something behind its header.
    private static let leastLog: UInt64 = 33
    /// Where programs lock a database, from the byte for those that wait to the last of those that read.
    private static let lockOffset: off_t = 0x4000_0000
    private static let lockLength: off_t = 512

    // MARK: Which files

    /// The database's name, where a name is one of a file beside it.
    static func database(of name: [UInt8]) -> [UInt8]? {
        suffixes.first { name.count > $0.count && name.suffix($0.count).elementsEqual($0) }.map {
            Array(name.dropLast($0.count))
        }
    }

    /// Whether a file belongs to a database beside it: by its content, since a person's document may have such a name too.
    /// - Parameter moved: where the database stands now, when it went first.
    static func isBeside(
        _ directory: OpenNode, _ name: [UInt8], moved: (directory: OpenNode, name: [UInt8])? = nil
    ) -> Bool {
        guard let database = database(of: name), let bytes = read(directory, name, journalBeginning.count) else {
            return false
        }
        if WriteAheadLog.isBeginning(bytes) || bytes == journalBeginning { return true }
        let place = moved ?? (directory, database)
        guard let own = read(place.directory, place.name, beginning.count) else { return false }
        // One that is being made has nothing in it yet, nor the beginning of its journal.
        return own == beginning || own.isEmpty && bytes.allSatisfy { $0 == 0 }
    }

    static func isDatabase(_ directory: OpenNode, _ name: [UInt8]) -> Bool {
        read(directory, name, beginning.count) == beginning || hasLog(directory, name)
    }

    /// Whether something may be in the log that is not in the database.
    static func hasLog(_ directory: OpenNode, _ name: [UInt8]) -> Bool { logNode(directory, name) != nil }

    private static func logNode(_ directory: OpenNode, _ name: [UInt8]) -> DiskNode? {
        guard name.count + log.count <= 255, let node = try? DiskNode.look(directory.number, name + log),
            node.kind == .file, node.fingerprint.size >= leastLog,
            WriteAheadLog.isBeginning(read(directory, name + log, 4) ?? [])
        else { return nil }
        return node
    }

    /// The first bytes of a file; nil where it cannot be read.
    private static func read(_ directory: OpenNode, _ name: [UInt8], _ count: Int) -> [UInt8]? {
        guard let file = try? open(directory, name), let node = try? DiskNode.look(file.number), node.kind == .file
        else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = withExtendedLifetime(file) { pread(file.number, &bytes, count, 0) }
        return length < 0 ? nil : Array(bytes.prefix(length))
    }

    static func open(_ directory: OpenNode, _ name: [UInt8]) throws(DiskFailure) -> OpenNode {
        let path = name.map { CChar(bitPattern: $0) } + [0]
        return try OpenNode(QuietOpening.open(directory.number, path), "open a file")
    }

    // MARK: Their present state

    /// Another one whenever the database or its log is.
    static func fingerprint(_ own: Fingerprint, _ directory: OpenNode, _ name: [UInt8]) -> Fingerprint {
        guard let log = logNode(directory, name)?.fingerprint else { return own }
        // FNV-1a
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for number in [UInt64(bitPattern: own.changed), log.size, UInt64(bitPattern: log.modified)] {
            for shift in stride(from: 0, to: 64, by: 8) {
                hash = (hash ^ UInt64(UInt8(truncatingIfNeeded: number >> shift))) &* 0x100_0000_01b3
            }
        }
        return Fingerprint(
            size: own.size &+ log.size, modified: max(own.modified, log.modified), changed: Int64(bitPattern: hash))
    }

    /// Whether a program has the database open. One that is taken away from under it is damaged, or what it writes is lost.
    static func isOpen(_ directory: OpenNode, _ name: [UInt8]) -> Bool {
        guard let file = try? open(directory, name) else { return false }
        return withExtendedLifetime(file) {
            // Granted only where no other process has it open; it ends with the descriptor.
            if fcntl(file.number, 1024, F_WRLCK) == 0 { return false }
            if errno == EAGAIN { return true }
            return isLocked(file, F_WRLCK)
        }
    }

    /// Whether a program is changing the database itself, or was when it ended.
    static func isChanging(_ file: OpenNode, _ directory: OpenNode, _ name: [UInt8]) -> Bool {
        if isLocked(file, F_RDLCK) { return true }
        guard read(directory, name + journal, journalBeginning.count) == journalBeginning else { return false }
        // Without a writer's lock the journal is one that an ended program has left to be undone.
        return !isLocked(file, F_WRLCK, offset: lockOffset + 1, length: 1)
    }

    /// - Parameter type: a lock that another process's lock would refuse.
    private static func isLocked(
        _ file: OpenNode, _ type: Int32, offset: off_t = lockOffset, length: off_t = lockLength
    ) -> Bool {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (offset, length)
        // F_OFD_GETLK, of open files and not of processes: closing another descriptor of it here gives up nothing.
        guard withUnsafeMutablePointer(to: &lock, { fcntl(file.number, 36, $0) }) == 0 else { return false }
        return lock.l_type != Int16(F_UNLCK)
    }
}
