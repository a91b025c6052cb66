import BackupFormat
import BatonCore
import FileSync
import Synchronization

/// Opens chunks of packs. May be used by several threads at a time; every call blocks.
final class PackReader: Sendable {
    private let store: any BackupStore
    private let keys: any BackupKeys
    /// Heads of packs that are being read, in no order. Bound: ``maximumHeads``; then all are dropped.
    private let heads = Mutex<[BackupPack.ID: PackFile]>([:])
    private static let maximumHeads = 256
    /// Those that are not in use now. Bound: as many as threads that read.
    private let decompressors = Mutex<[Zstandard]>([])

    init(store: any BackupStore, keys: any BackupKeys) {
        self.store = store
        self.keys = keys
    }

    /// A chunk, checked; from any of the packs that have it.
    /// - Throws: `data_loss` when none has it whole.
    func chunk(_ reference: ChunkReference, at locations: [BackupIndex.Location]) throws -> [UInt8] {
        for location in locations where location.chunk.reference == reference {
            if let bytes = try? read(location) { return bytes }
        }
        throw BatonError(
            .dataLoss, reason: "missing_chunk",
            "A part of the backup is missing or damaged. Everything else can be restored; “baton backup verify --read” names it."
        )
    }

    func read(_ location: BackupIndex.Location) throws -> [UInt8] {
        let file = try packFile(location.pack)
        let chunk = location.chunk
        let stored = try file.stored(offset: Int(chunk.offset), length: Int(chunk.storedLength), in: store)
        let bytes =
            switch chunk.compression {
            case .none: stored
            case .zstd: decompressed(stored, size: Int(chunk.reference.length)) ?? []
            }
        guard chunk.reference.matches(bytes) else { throw PackFile.damaged(location.pack) }
        return bytes
    }

    private func decompressed(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        let decompressor = decompressors.withLock { $0.popLast() } ?? Zstandard()
        defer { decompressors.withLock { $0.append(decompressor) } }
        return decompressor.decompressed(bytes, size: size)
    }

    private func packFile(_ id: BackupPack.ID) throws -> PackFile {
        if let known = heads.withLock({ $0[id] }) { return known }
        let file = try PackFile(id, in: store, keys: keys)
        heads.withLock { heads in
            if heads.count >= Self.maximumHeads { heads = [:] }
            heads[id] = file
        }
        return file
    }
}
