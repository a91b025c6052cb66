import BatonCore
import BatonTrust
package import Foundation
import Synchronization

/// Parts of blobs, for a reader that has the rest.
extension BlobService {
    /// Reads a part: from the blob's file where it is here, else from the cloud, and no more than the chunks that hold it. Nothing is kept.
    /// - Throws: as ``get(_:progress:)``.
    package func read(_ range: Range<UInt64>, of reference: BlobReference) async throws -> Data {
        if try await isHere(reference), let file = try? await get(reference) { return try await file.read(range) }
        guard let cloud = cloud else { throw Self.away }
        let range = range.clamped(to: 0..<reference.size)
        guard !range.isEmpty else { return Data() }
        let (chunk, sealed) = (UInt64(BlobCipher.chunkSize), UInt64(BlobCipher.chunkSize + BlobCipher.overhead))
        let start = range.lowerBound / chunk * sealed
        let end = min(reference.sealedSize, ((range.upperBound - 1) / chunk + 1) * sealed)
        var bytes = Data()
        while start + UInt64(bytes.count) < end {
            let next = start + UInt64(bytes.count)
            let part = try await cloud.bytes(next..<min(end, next + UInt64(Self.partSize)), of: reference.id)
            guard !part.isEmpty else { throw Self.damaged }
            bytes += part
        }
        return try BlobFile.open(range, reference) { count, offset in
            guard offset >= start, offset + UInt64(count) <= end else { throw Self.damaged }
            return Data(bytes.dropFirst(Int(offset - start)).prefix(count))
        }
    }
}
