import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Sync

/// Answers `RecordLinkService` of the link plane: blobs that records name, to devices of the account.
package struct RecordLinkHarness: Sendable {
    static let blobsAtOnce = 512
    static let partBytes: UInt32 = 1 << 20
    /// Parts that one device reads at once. Policy: more are refused.
    static let readings = 8
    /// Calls that ask what is here, which one device has under way. As above.
    static let askings = 16

    private let service: RecordsService
    private let underWay = CallLimit<DeviceID>(Self.readings)
    private let asking = CallLimit<DeviceID>(Self.askings)

    package init(_ service: RecordsService) { self.service = service }

    /// - Parameter router: one that serves members of the account only.
    package func register(on router: inout ConnectRouter) {
        router.unary(RecordLinkMethods.findAssetBlobs) { request, context in
            try await find(request, for: try context.device)
        }
        router.unary(RecordLinkMethods.readAssetBlob) { request, context in
            try await read(request, for: try context.device)
        }
    }

    func find(
        _ request: Baton_Link_V1_FindAssetBlobsRequest, for device: DeviceID
    ) async throws -> Baton_Link_V1_FindAssetBlobsResponse {
        guard request.blobs.count <= Self.blobsAtOnce else {
            throw BatonError(
                .invalidArgument, reason: "too_many_blobs", "More was asked for at once than is allowed.")
        }
        let asked = request.blobs.map(BlobID.init)
        let whole = try await asking.run(for: device) { try await areWhole(asked, in: request.zone) }
        guard let whole else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_calls",
                "This device has as many such calls under way as one device may have. Ask again when one is answered.")
        }
        return .with { $0.whole = whole }
    }

    private func areWhole(_ asked: [BlobID?], in zone: Baton_Link_V1_ZoneName) async throws -> [Bool] {
        let named = try await named(asked.compactMap(\.self), in: zone)
        var whole: [Bool] = []
        for blob in asked {
            guard let blob, named.contains(blob) else {
                whole.append(false)
                continue
            }
            whole.append(try await service.blobs.isHere(blob))
        }
        return whole
    }

    func read(
        _ request: Baton_Link_V1_ReadAssetBlobRequest, for device: DeviceID
    ) async throws -> Baton_Link_V1_ReadAssetBlobResponse {
        let (end, isTooFar) = request.offset.addingReportingOverflow(UInt64(request.length))
        guard let blob = BlobID(request.blob), (1...Self.partBytes).contains(request.length), !isTooFar,
            end <= UInt64(Int64.max)
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_blob", "A part of an asset that cannot be was asked for.")
        }
        let bytes = try await underWay.run(for: device) {
            guard try await named([blob], in: request.zone).contains(blob) else {
                throw BatonError(
                    .notFound, reason: "blob_not_here", "No record of the zone names these contents on this device.")
            }
            return try await service.blobs.sealedBytes(request.offset..<end, of: blob)
        }
        guard let bytes else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_readings",
                "This device reads \(Self.readings) parts of assets already. Ask again when one has come.")
        }
        return .with { $0.bytes = bytes }
    }

    /// Those that records of the zone name. A member sees but what the account's zones name, whatever else lies in the folder.
    private func named(_ blobs: [BlobID], in zone: Baton_Link_V1_ZoneName) async throws -> Set<BlobID> {
        guard let zone = ZoneName(zone), let (container, name) = RecordContainer.parse(zone),
            let replica = service.replica(of: container)
        else { throw Self.unknownZone }
        let named = try await replica.perform { transaction -> Set<BlobID>? in
            guard let zone = try transaction.zone(name) else { return nil }
            return try transaction.named(among: blobs, in: zone)
        }
        guard let named else { throw Self.unknownZone }
        return named
    }

    private static let unknownZone = BatonError(
        .notFound, reason: "unknown_zone", "This device does not keep that zone of records.")
}
