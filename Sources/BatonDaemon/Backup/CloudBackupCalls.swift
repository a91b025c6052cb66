import Backup
import BatonCore
import BatonWire
import CloudClient
import Foundation
import SwiftProtobuf
import Synchronization

/// A session of the cloud. Its right to call ends after an hour, and is got again then.
final class CloudBackupCalls: BackupCloudCalls {
    private let session: CloudSession
    private let isAuthenticated = Mutex(false)

    init(_ session: CloudSession) { self.session = session }

    private func perform<Value>(_ body: (CloudSession) async throws -> Value) async throws -> Value {
        if !isAuthenticated.withLock({ $0 }) { try await authenticate() }
        do {
            return try await body(session)
        } catch let error as BatonError where error.code == .unauthenticated {
            try await authenticate()
            return try await body(session)
        }
    }

    private func authenticate() async throws {
        _ = try await session.authenticate()
        isAuthenticated.withLock { $0 = true }
    }

    func heads(of zones: [Data]) async throws -> [Baton_Cloud_V1_ZoneHead] {
        try await perform { try await $0.call(ZoneMethods.listZones, .with { $0.zoneIds = zones }).zones }
    }

    func changes(
        _ request: Baton_Cloud_V1_FetchChangesRequest
    ) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        try await perform { try await $0.call(ZoneMethods.fetchChanges, request) }
    }

    func write(
        _ request: Baton_Cloud_V1_WriteItemsRequest
    ) async throws -> Baton_Cloud_V1_WriteItemsResponse {
        try await perform { try await $0.call(ZoneMethods.writeItems, request) }
    }

    func missing(_ blobs: [Data]) async throws -> [Data: UInt64] {
        let answer = try await perform {
            try await $0.call(BlobMethods.findMissingBlobs, .with { $0.hashes = blobs })
        }
        return Dictionary(answer.missing.map { ($0.hash, $0.received) }) { first, _ in first }
    }

    func put(_ bytes: Data, at offset: UInt64, of blob: Data, size: UInt64) async throws {
        try await perform { try await $0.putBlob(blob, bytes, at: offset, of: size) }
    }

    func bytes(_ range: Range<UInt64>, of blob: Data) async throws -> Data {
        try await perform { try await $0.getBlob(blob, range) }
    }

    func close() { session.close() }
}
