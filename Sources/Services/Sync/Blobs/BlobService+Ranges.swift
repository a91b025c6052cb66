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
        let sealed = SealedRange(range, of: reference.paddedSize).sealed
        var bytes = Data()
        while bytes.count < sealed.count {
            let next = sealed.lowerBound + UInt64(bytes.count)
            let part = try await cloud.bytes(
                next..<min(sealed.upperBound, next + UInt64(Self.partSize)), of: reference.id)
            guard !part.isEmpty else { throw Self.damaged }
            bytes += part
        }
        let all = bytes
        return try BlobFile.open(range, reference) { place in
            all.dropFirst(Int(place.lowerBound - sealed.lowerBound)).prefix(place.count)
        }
    }
}
