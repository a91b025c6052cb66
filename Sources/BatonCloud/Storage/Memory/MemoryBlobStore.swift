import BatonCore
package import Foundation
import Synchronization

/// Keeps blobs in memory, by the same rules as the drivers that keep them for good: for simulations.
package final class MemoryBlobStore: BlobStore {
    private struct State {
        var blobs: [BlobAddress: Data] = [:]
        var uploads: [BlobAddress: Data] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package func received(_ address: BlobAddress) async throws -> UInt64 {
        state.withLock { UInt64($0.uploads[address]?.count ?? 0) }
    }

    package func append(_ bytes: Data, to address: BlobAddress, at offset: UInt64) async throws {
        try state.withLock { state in
            let received = UInt64(state.uploads[address]?.count ?? 0)
            guard offset == received else { throw BlobFailure.wrongOffset(received) }
            state.uploads[address, default: Data()].append(bytes)
        }
    }

    package func finish(_ address: BlobAddress) async throws {
        try state.withLock { state in
            let bytes = state.uploads.removeValue(forKey: address)
            guard state.blobs[address] == nil else { return }
            let content = bytes ?? Data()
            guard BlobHash(of: content) == address.hash else { throw BlobFailure.mismatch }
            state.blobs[address] = content
        }
    }

    package func dropUpload(_ address: BlobAddress) async throws { state.withLock { $0.uploads[address] = nil } }

    package func size(of address: BlobAddress) async throws -> UInt64? {
        state.withLock { $0.blobs[address].map { UInt64($0.count) } }
    }

    package func read(_ address: BlobAddress, range: Range<UInt64>) async throws -> Data {
        try state.withLock { state in
            guard let blob = state.blobs[address], range.upperBound <= blob.count else { throw BlobFailure.unknown }
            return blob.subdata(in: Int(range.lowerBound)..<Int(range.upperBound))
        }
    }

    package func remove(_ address: BlobAddress) async throws {
        state.withLock { state in
            state.blobs[address] = nil
            state.uploads[address] = nil
        }
    }
}
