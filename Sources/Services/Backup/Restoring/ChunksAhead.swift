import BackupFormat
import BatonCore
import Dispatch
import FileSync
import Synchronization

/// Opens the chunks that a restore needs next, on other threads, while one file is written. Used by one thread.
final class ChunksAhead {
    /// Bounds of what is being opened, or waits to be written. Beyond them nothing is begun; a chunk that is not begun is opened
    /// when it is needed.
    private static let maximumBytes = 6 << 20
    private static let maximumCount = 64

    /// The place of a chunk to come.
    private final class Slot: Sendable {
        private let result = Mutex<Result<[UInt8], any Error>?>(nil)
        private let isDone = DispatchSemaphore(value: 0)

        func fill(_ result: Result<[UInt8], any Error>) {
            self.result.withLock { $0 = result }
            isDone.signal()
        }

        func wait() throws -> [UInt8] {
            isDone.wait()
            return try result.withLock { $0 }?.get() ?? []
        }
    }

    private let repository: BackupRepository
    private let queue: DispatchQueue
    private let running = DispatchGroup()
    private var slots: [ChunkReference: Slot] = [:]
    private var bytes = 0

    init(_ repository: BackupRepository) {
        self.repository = repository
        queue = DispatchQueue(
            label: "baton.backup.reading", qos: .userInitiated,
            attributes: repository.store.isReadInParallel ? .concurrent : [])
    }

    // Nothing is read any more when the work has ended, however it did.
    deinit { running.wait() }

    /// - Returns: false when nothing more is begun now.
    func begin(_ reference: ChunkReference) throws -> Bool {
        guard slots[reference] == nil else { return true }
        guard slots.count < Self.maximumCount, bytes + Int(reference.length) <= Self.maximumBytes else { return false }
        let locations = try repository.index.locations(of: reference.hash)
        let slot = Slot()
        slots[reference] = slot
        bytes += Int(reference.length)
        queue.async(group: running) { [reader = repository.reader] in
            slot.fill(Result { try reader.chunk(reference, at: locations) })
        }
        return true
    }

    /// A chunk, whether it was begun or not.
    func chunk(_ reference: ChunkReference) throws -> [UInt8] {
        guard let slot = slots[reference] else { return try repository.chunk(reference) }
        drop(reference)
        return try slot.wait()
    }

    /// One that is not needed after all.
    func drop(_ reference: ChunkReference) {
        if slots.removeValue(forKey: reference) != nil { bytes -= Int(reference.length) }
    }
}
