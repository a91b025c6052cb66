import BackupFormat
import BatonCore
import BatonTrust
import FileSync
import Foundation

/// A pack as a file of the target: sealing, and opening any part of it.
struct PackFile {
    let id: BackupPack.ID
    let head: BackupPack.Head
    /// Where the two blobs begin.
    let directoryOffset: UInt64
    let chunksOffset: UInt64

    /// A pack that can be written to a target, in parts: the whole is in memory once only.
    struct Sealing: Sendable {
        private let directory: [UInt8]
        private let chunks: PackBytes
        private let chunksSize: Int
        private let head: BackupPack.Head
        private let sealedHead: [UInt8]

        /// - Parameter random: that many random bytes.
        /// - Throws: `internal` (`pack_too_large`) for one that ``BackupPack/Head`` would refuse.
        init(
            _ pack: BackupPack, _ chunks: PackBytes, id: BackupPack.ID, keys: any BackupKeys, random: (Int) -> [UInt8]
        ) throws(BatonError) {
            guard chunks.count <= BackupPack.maximumBytes, pack.chunks.count <= BackupPack.maximumChunks else {
                throw BatonError(
                    .internal, reason: "pack_too_large",
                    "A pack of the backup became larger than any can be. It was not written.")
            }
            self.chunks = chunks
            chunksSize = chunks.count
            directory = pack.encoded
            head = BackupPack.Head(
                directoryKey: random(BlobCipher.keySize), chunksKey: random(BlobCipher.keySize),
                directorySize: UInt32(clamping: directory.count), chunksSize: UInt32(clamping: chunks.count))
            sealedHead = try keys.seal(head.encoded, name: PackFile.name(id))
        }

        /// Bytes of the file.
        var size: UInt64 {
            UInt64(8 + sealedHead.count) + BlobCipher.sealedSize(of: UInt64(directory.count))
                + BlobCipher.sealedSize(of: UInt64(chunksSize))
        }

        /// Once: what was written is gone from here.
        func write(_ put: (Data) throws(BatonError) -> Void) throws(BatonError) {
            var start = Data(BackupPack.magic)
            withUnsafeBytes(of: UInt32(clamping: sealedHead.count).bigEndian) { start.append(contentsOf: $0) }
            try put(start + sealedHead)
            var sealer = try BlobSealer(key: head.directoryKey)
            try Self.seal(directory, &sealer, isLast: true, put)
            sealer = try BlobSealer(key: head.chunksKey)
            var left = chunksSize
            repeat {
                let segment = chunks.takeFirst()
                left -= segment.count
                try Self.seal(segment, &sealer, isLast: left == 0, put)
            } while left > 0
        }

        private static func seal(
            _ bytes: [UInt8], _ sealer: inout BlobSealer, isLast: Bool, _ put: (Data) throws(BatonError) -> Void
        ) throws(BatonError) {
            var offset = 0
            repeat {
                let end = min(bytes.count, offset + BlobCipher.chunkSize)
                try put(try sealer.seal(Data(bytes[offset..<end]), isLast: isLast && end == bytes.count))
                offset = end
            } while offset < bytes.count
        }
    }

    private static func name(_ id: BackupPack.ID) -> String { "pack/\(id)" }

    /// Reads the head alone.
    init(_ id: BackupPack.ID, in store: any BackupStore, keys: any BackupKeys) throws(BatonError) {
        self.id = id
        let start = try store.read(.pack, "\(id)", from: 0, count: 8)
        let size = start[4...].reduce(0) { $0 << 8 | Int($1) }
        guard Array(start.prefix(4)) == BackupPack.magic, size <= BackupPack.maximumHead else { throw Self.damaged(id) }
        let sealed = try store.read(.pack, "\(id)", from: 8, count: size)
        head = try BackupPack.Head(decoding: try keys.open(sealed, name: Self.name(id)))
        directoryOffset = UInt64(8 + size)
        chunksOffset = directoryOffset + BlobCipher.sealedSize(of: UInt64(head.directorySize))
    }

    func directory(in store: any BackupStore) throws(BatonError) -> BackupPack {
        let bytes = try part(
            0..<Int(head.directorySize), size: Int(head.directorySize), at: directoryOffset, key: head.directoryKey,
            store)
        return try BackupPack(decoding: bytes, size: head.chunksSize)
    }

    /// Whether the file ends before its last chunk does.
    func isCut(in store: any BackupStore) throws(BatonError) -> Bool {
        let end = chunksOffset + BlobCipher.sealedSize(of: UInt64(head.chunksSize))
        do throws(BatonError) {
            _ = try store.read(.pack, "\(id)", from: end - 1, count: 1)
            return false
        } catch {
            guard error.code == .dataLoss else { throw error }
            return true
        }
    }

    /// The stored bytes of a chunk.
    func stored(offset: Int, length: Int, in store: any BackupStore) throws(BatonError) -> [UInt8] {
        guard offset >= 0, length > 0, offset + length <= Int(head.chunksSize) else { throw Self.damaged(id) }
        return try part(
            offset..<(offset + length), size: Int(head.chunksSize), at: chunksOffset, key: head.chunksKey, store)
    }

    /// Opens the blob's pieces that a range is in.
    private func part(
        _ range: Range<Int>, size: Int, at start: UInt64, key: [UInt8], _ store: any BackupStore
    ) throws(BatonError) -> [UInt8] {
        let part = SealedRange(UInt64(range.lowerBound)..<UInt64(range.upperBound), of: UInt64(size))
        // In one call: each may be one of the cloud.
        let sealed = Data(
            try store.read(.pack, "\(id)", from: start + part.sealed.lowerBound, count: part.sealed.count))
        let opened = try part.open(key: key) { place in
            sealed.dropFirst(Int(place.lowerBound - part.sealed.lowerBound)).prefix(place.count)
        }
        return Array(opened)
    }

    static func damaged(_ id: BackupPack.ID) -> BatonError {
        BatonError(
            .dataLoss, reason: "damaged_pack",
            "The pack \(id) of the backup is damaged. “baton backup verify” says what that means, and the next backup stores what is "
                + "still here again.")
    }
}
