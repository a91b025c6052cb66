import BatonCore
import BatonWire
import CloudClient
import Foundation
import SwiftProtobuf

/// The calls to the cloud that moving blobs needs.
protocol BlobCloud: Sendable {
    /// Those of these that are not there as a whole, and how many bytes of each are.
    func missing(_ blobs: [BlobID]) async throws -> [BlobID: UInt64]
    func put(_ bytes: Data, at offset: UInt64, of blob: BlobID, size: UInt64) async throws
    /// Removes those of these that no item names.
    /// - Returns: how many bytes they have there.
    func release(_ blobs: [BlobID]) async throws -> UInt64
    /// - Parameter range: not empty.
    func bytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data
}

extension CloudSession: BlobCloud {
    func missing(_ blobs: [BlobID]) async throws -> [BlobID: UInt64] {
        let answer = try await call(BlobMethods.findMissingBlobs, .with { $0.hashes = blobs.map(\.bytes) })
        return answer.missing.reduce(into: [:]) { missing, blob in
            if let id = BlobID(blob.hash) { missing[id] = blob.received }
        }
    }

    func put(_ bytes: Data, at offset: UInt64, of blob: BlobID, size: UInt64) async throws {
        try await putBlob(blob.bytes, bytes, at: offset, of: size)
    }

    func release(_ blobs: [BlobID]) async throws -> UInt64 {
        try await call(BlobMethods.releaseBlobs, .with { $0.hashes = blobs.map(\.bytes) }).bytes
    }

    func bytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data { try await getBlob(blob.bytes, range) }
}
