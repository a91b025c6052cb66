import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

@testable import Sync

/// The blobs of a ``TestCloud``, which may cut a transfer.
final class BlobVault: Sendable {
    struct State {
        var blobs: [BlobID: Data] = [:]
        var sizes: [BlobID: UInt64] = [:]
        /// So many more calls succeed.
        var left = Int.max
        var puts = 0
        var gets = 0
    }

    let state = Mutex(State())

    func isWhole(_ blob: BlobID) -> Bool {
        state.withLock { state in state.blobs[blob].map { UInt64($0.count) == state.sizes[blob] } ?? false }
    }
}

/// Counts what goes over the wire.
struct CountedCloud: ZoneCloud, BlobCloud {
    let cloud: TestCloud
    let vault: BlobVault
    let bytes = Counter()

    final class Counter: Sendable {
        private let value = Mutex(0)
        var total: Int { value.withLock { $0 } }
        func add(_ count: Int) { value.withLock { $0 += count } }
    }

    var server: String { cloud.server }

    private func counted<Request: Message, Response: Message>(
        _ request: Request, _ call: (Request) async throws -> Response
    ) async throws -> Response {
        let answer = try await call(request)
        bytes.add(try request.serializedData().count + answer.serializedData().count)
        return answer
    }

    func head(of zone: Data) async throws -> Baton_Cloud_V1_ZoneHead? { try await cloud.head(of: zone) }

    func changes(_ request: Baton_Cloud_V1_FetchChangesRequest) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        try await counted(request, cloud.changes)
    }

    func items(_ request: Baton_Cloud_V1_FetchItemsRequest) async throws -> Baton_Cloud_V1_FetchItemsResponse {
        try await counted(request, cloud.items)
    }

    func write(_ request: Baton_Cloud_V1_WriteItemsRequest) async throws -> Baton_Cloud_V1_WriteItemsResponse {
        for blob in request.writes.flatMap(\.put.blobs) {
            guard let id = BlobID(blob), vault.isWhole(id) else {
                throw BatonError(.failedPrecondition, reason: "blob_missing", "It is not there.")
            }
        }
        return try await counted(request, cloud.write)
    }

    private func cut() throws {
        try vault.state.withLock { state in
            guard state.left > 0 else { throw SimulatedCall.interrupted }
            state.left -= 1
        }
    }

    func missing(_ blobs: [BlobID]) async throws -> [BlobID: UInt64] {
        blobs.reduce(into: [:]) { missing, blob in
            guard !vault.isWhole(blob) else { return }
            missing[blob] = vault.state.withLock { UInt64($0.blobs[blob]?.count ?? 0) }
        }
    }

    func put(_ bytes: Data, at offset: UInt64, of blob: BlobID, size: UInt64) async throws {
        try cut()
        self.bytes.add(bytes.count)
        try vault.state.withLock { state in
            guard UInt64(state.blobs[blob]?.count ?? 0) == offset else {
                throw BatonError(.failedPrecondition, reason: "wrong_offset", "It does not go on there.")
            }
            state.blobs[blob, default: Data()] += bytes
            state.sizes[blob] = size
            state.puts += 1
        }
    }

    func release(_ blobs: [BlobID]) async throws -> UInt64 {
        try cut()
        return vault.state.withLock { state in
            blobs.reduce(0) { $0 + UInt64(state.blobs.removeValue(forKey: $1)?.count ?? 0) }
        }
    }

    func bytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data {
        try cut()
        guard
            let all = vault.state.withLock({ state in
                state.gets += 1
                return state.blobs[blob]
            })
        else { throw BatonError(.notFound, reason: "unknown_blob", "There is no such blob.") }
        let part = all.dropFirst(Int(range.lowerBound)).prefix(range.count)
        bytes.add(part.count)
        return Data(part)
    }
}
