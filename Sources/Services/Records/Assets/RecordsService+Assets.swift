import BatonCore
import Crypto
import Foundation
import RecordMerge
import Sync

/// The contents of assets.
extension RecordsService {
    /// Bytes of one part of an asset that is read.
    private static let readSize: UInt64 = 1 << 20

    /// Keeps what was handed over, until a record names it. The same content is sent once, if it is there: what another device's record
    /// says of a content is its claim.
    /// - Returns: the asset to be named.
    func keep(_ asset: RecordAsset, in replica: RecordReplica) async throws -> RecordAsset {
        for known in try await replica.perform({ try $0.assets(like: asset) })
        where try await isWhole(known, in: replica) {
            try await blobs.reuse(known.parts.compactMap { BlobID($0.blob) })
            try await replica.perform { _ = try $0.keep(known) }
            return known
        }
        try await replica.perform { _ = try $0.keep(asset) }
        return asset
    }

    /// Whether all of it is on this device, and is what it says.
    private func isWhole(_ asset: RecordAsset, in replica: RecordReplica) async throws -> Bool {
        for part in asset.parts {
            guard let reference = try? part.reference, try await blobs.isHere(reference) else { return false }
        }
        do {
            try await read(asset, in: replica) { _ in }
            return true
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return false
        }
    }

    /// An asset that is not here comes from nearby devices, else from the cloud.
    /// - Throws: `unavailable` (`asset_not_available`), `data_loss` (`asset_damaged`).
    func read(
        _ asset: RecordAsset, in replica: RecordReplica, _ take: (Data) async throws -> Void
    ) async throws {
        let near = try await near(asset, in: replica)
        var (hash, size) = (SHA256(), UInt64(0))
        for part in asset.parts {
            let reference = try part.reference
            let file: BlobFile
            do {
                file = try await blobs.get(reference, near: sources(of: reference.id, near))
            } catch let error as BatonError where error.reason == "cloud_away" || error.reason == "unknown_blob" {
                throw BatonError(
                    .unavailable, reason: "asset_not_available",
                    "The asset is not on this device nor on one that is near, and there is no cloud, or it cannot be reached or does "
                        + "not have it yet."
                )
            }
            var offset: UInt64 = 0
            while offset < file.size {
                let bytes = try await file.read(offset..<min(offset + Self.readSize, file.size))
                guard !bytes.isEmpty else { break }
                hash.update(data: bytes)
                offset += UInt64(bytes.count)
                try await take(bytes)
            }
            size += offset
        }
        guard size == asset.size, Data(hash.finalize()) == asset.digest else {
            throw BatonError(
                .dataLoss, reason: "asset_damaged", "The asset is not what the record says, and cannot be read.")
        }
    }
}
