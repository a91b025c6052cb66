import BatonCore
import Files
import Foundation
import Glibc
import Synchronization

/// The file of an ``EventLog``. Every method blocks; `write` is only called from the log's own thread.
final class EventLogFile: Sendable {
    private let path: String
    private let limit: Int
    /// The open file and its size; nil until the first write, and after one that failed.
    private let open = Mutex<(descriptor: Int32, size: Int)?>(nil)

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    deinit {
        open.withLock { if let file = $0 { close(file.descriptor) } }
    }

    private var olderPath: String { path + ".1" }

    /// Writes a batch. A disk that is full or gone costs the batch and nothing else: the next one tries again.
    func write(_ records: [EventRecord]) {
        var bytes: [UInt8] = []
        for record in records { EventLogLine.append(record, to: &bytes) }
        open.withLock { open in
            if let file = open, file.size + bytes.count > limit {
                close(file.descriptor)
                open = nil
                rename(path, olderPath)
            }
            guard var file = open ?? openFile() else { return }
            open = nil
            guard writeAll(bytes, to: file.descriptor) else {
                close(file.descriptor)
                return
            }
            file.size += bytes.count
            open = file
        }
    }

    /// The newest records, oldest first. Unreadable lines, such as one cut short by a crash, are skipped.
    func newest(_ count: Int) -> [EventRecord] {
        var records: [EventRecord] = []
        let decoder = JSONDecoder()
        for path in [path, olderPath] where records.count < count {
            // Twice the limit: a single batch may exceed it.
            guard let bytes = try? AtomicFile.read(path, limit: max(limit * 2, 1 << 20)) else { continue }
            let lines = bytes.split(separator: 0x0A).suffix(count - records.count)
            records = lines.compactMap { try? decoder.decode(EventRecord.self, from: Data($0)) } + records
        }
        return records
    }

    private func openFile() -> (descriptor: Int32, size: Int)? {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            return nil
        }
        // A crash may have cut the last line short: the next record begins on a line of its own.
        let size = Int(status.st_size)
        if size > limit {
            close(descriptor)
            rename(path, olderPath)
            let fresh = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
            return fresh >= 0 ? (fresh, 0) : nil
        }
        if size > 0 { _ = writeAll([0x0A], to: descriptor) }
        return (descriptor, size + 1)
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        (try? FileIO.writeAll(bytes, to: descriptor) { FileFailure.kept("write", path, errno: $0) }) != nil
    }
}
