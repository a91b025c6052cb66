import BackupFormat
import BatonCore
import Dispatch
import FileSync
import Synchronization

/// Adds chunks to a repository: in packs of 16 MiB, and each chunk once. See ``BackupIntent`` for why no lock is needed.
final class BackupWriter {
    private let repository: BackupRepository
    private let device: DeviceID
    private let now: () -> UInt64
    private var intent: BackupIntent
    private var reserved: [BackupPack.ID] = []
    private var open: [BackupPack.Chunk] = []
    private var bytes = PackBytes()
    /// Chunks of the pack that is open.
    private var pending: Set<ContentHash> = []
    /// The pack that is being sealed and written while the next one fills. Bound: one; the next waits for it.
    private var inFlight: Flight?
    private let queue = DispatchQueue(label: "baton.backup.writing", qos: .userInitiated)
    private(set) var storedBytes: UInt64 = 0
    private(set) var packs = 0

    /// Writes the intent, then looks what may be used.
    init(_ repository: BackupRepository, now: @escaping () -> UInt64) throws {
        guard let device = repository.keys.device else { throw BackupRepository.readOnly }
        self.repository = repository
        self.device = device
        self.now = now
        intent = BackupIntent(device: device, written: now(), packs: try repository.presentPacks())
        try reserve()
        try repository.refresh()
    }

    /// Names the next packs in the intent, before any of them is written.
    private func reserve() throws {
        while reserved.count < BackupIntent.reserve {
            guard let id = BackupPack.ID(repository.random(BackupPack.ID.size)) else { continue }
            reserved.append(id)
        }
        intent.packs.formUnion(reserved)
        try writeIntent()
    }

    private func writeIntent() throws {
        intent.written = now()
        try repository.write(.intent, device.rawValue, intent.encoded)
    }

    func has(_ hash: ContentHash) throws -> Bool {
        try pending.contains(hash) || inFlight?.hashes.contains(hash) == true || repository.index.isUsable(hash)
    }

    /// Whether all chunks of a content are there.
    func has(all references: [ChunkReference]) throws -> Bool { try references.allSatisfy { try has($0.hash) } }

    /// - Throws: ``TargetFailure``; nothing more may be put then.
    func put(_ chunk: [UInt8]) throws -> ChunkReference {
        do {
            return try stored(chunk)
        } catch {
            throw TargetFailure(cause: error)
        }
    }

    private func stored(_ chunk: [UInt8]) throws -> ChunkReference {
        let reference = ChunkReference(hash: ContentHash(of: chunk), length: UInt32(chunk.count))
        guard try !has(reference.hash) else { return reference }
        let (stored, compression) = repository.compressed(chunk)
        // A larger pack could not be read back.
        if bytes.count + stored.count > BackupPack.maximumBytes { try close() }
        open.append(
            .init(
                reference: reference, offset: UInt32(bytes.count), storedLength: UInt32(stored.count),
                compression: compression))
        bytes.append(stored)
        pending.insert(reference.hash)
        if bytes.count >= BackupPack.targetBytes || open.count >= BackupPack.maximumChunks { try close() }
        return reference
    }

    /// A pack on its way to the target.
    private final class Flight: Sendable {
        let id: BackupPack.ID
        let pack: BackupPack
        let size: UInt64
        let hashes: Set<ContentHash>
        private let failure = Mutex<BatonError?>(nil)
        private let isDone = DispatchSemaphore(value: 0)

        init(_ id: BackupPack.ID, _ pack: BackupPack, size: UInt64, hashes: Set<ContentHash>) {
            (self.id, self.pack, self.size, self.hashes) = (id, pack, size, hashes)
        }

        func end(_ error: BatonError?) {
            failure.withLock { $0 = error }
            isDone.signal()
        }

        func wait() throws(BatonError) {
            isDone.wait()
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    /// Begins to write the pack that is open, once the one before is written.
    private func close() throws {
        try settle()
        guard !open.isEmpty else { return }
        if reserved.isEmpty { try reserve() }
        let id = reserved.removeFirst()
        let pack = BackupPack(open)
        let sealing = try PackFile.Sealing(pack, bytes, id: id, keys: repository.keys, random: repository.random)
        let flight = Flight(id, pack, size: sealing.size, hashes: pending)
        inFlight = flight
        (open, bytes, pending) = ([], PackBytes(), [])
        queue.async { [store = repository.store] in
            do throws(BatonError) {
                try store.write(.pack, "\(id)", size: flight.size, parts: sealing.write)
                flight.end(nil)
            } catch {
                flight.end(error)
            }
        }
    }

    /// Waits for the pack that is being written. The chunks of one that failed are not there, and no snapshot that names them is
    /// written.
    func settle() throws {
        guard let flight = inFlight else { return }
        inFlight = nil
        try flight.wait()
        try repository.index.add(flight.id, flight.pack)
        storedBytes += flight.size
        packs += 1
    }

    /// Writes all that was put.
    func flush() throws {
        try close()
        try settle()
    }

    /// Writes the snapshot, after a last look that all is there that it names, and then ends the intent.
    ///
    /// - Parameter chunks: gives each chunk that the snapshot names.
    /// - Throws: `aborted` (`backup_too_slow`) when something was collected meanwhile: this device slept for longer than its intent
    ///   lives. The next backup stores it again.
    func commit(_ snapshot: BackupSnapshot, needing chunks: Set<ContentHash>) throws {
        try flush()
        try writeIntent()
        try repository.refresh()
        for chunk in chunks {
            guard try repository.index.isUsable(chunk) else {
                throw BatonError(
                    .aborted, reason: "backup_too_slow",
                    "A part of the backup went while it was made. Make it again with “baton backup now”: only that is stored again."
                )
            }
        }
        try repository.commit(snapshot)
        try repository.store.remove(.intent, device.rawValue)
    }
}
