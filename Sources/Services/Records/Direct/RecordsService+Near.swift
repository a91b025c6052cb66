import BatonConcurrency
import BatonCore
import BatonWire
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf
import Sync
import Synchronization

/// Contents of assets from devices of the account that are near.
extension RecordsService {
    /// For an answer that says who has what.
    private static let askTimeout = Duration.seconds(10)
    /// So long all of them together are waited for. One that has gone silent still counts as connected for some seconds.
    private static let patience = Duration.seconds(3)
    /// For a MiB.
    private static let readTimeout = Duration.seconds(20)

    /// An asset's blobs that are not here, and the devices that say that they have them.
    struct NearAsset: Sendable {
        var holders: [BlobID: [DeviceID]] = [:]
        /// A zone that names the asset; nil: none does yet.
        var zone: ZoneName?
        /// A received asset would be lost if it were removed here.
        var isOnlyHere = false
        let silent = SilentDevices()
    }

    /// Devices that did not answer while an asset was read: they are not waited for again.
    final class SilentDevices: Sendable {
        private let devices = Mutex<Set<DeviceID>>([])

        func contains(_ device: DeviceID) -> Bool { devices.withLock { $0.contains(device) } }
        func add(_ device: DeviceID) { devices.withLock { _ = $0.insert(device) } }
    }

    /// Asks the devices that are near for what is missing. Those that do not answer have nothing.
    func near(_ asset: RecordAsset, in replica: RecordReplica) async throws -> NearAsset {
        var missing: [BlobID] = []
        for part in asset.parts {
            let reference = try part.reference
            if try await !blobs.isHere(reference) { missing.append(reference.id) }
        }
        let devices = peers.nearby().sorted().prefix(RecordsBounds.nearDevices)
        guard !missing.isEmpty, !devices.isEmpty else { return NearAsset() }
        let id = AssetID.of(asset)
        let use = try await replica.perform { try $0.use(ofAsset: id) }
        guard let use else { return NearAsset() }
        let zone = replica.container.zone(use.zone)
        let found = await ask(Array(devices), for: missing, in: zone)
        var near = NearAsset(zone: zone, isOnlyHere: use.waits)
        for blob in missing { near.holders[blob] = devices.filter { found[$0]?.contains(blob) == true } }
        return near
    }

    /// Until each blob has a holder, all have answered, or patience is at its end.
    private func ask(
        _ devices: [DeviceID], for missing: [BlobID], in zone: ZoneName
    ) async -> [DeviceID: Set<BlobID>] {
        let (answers, answer) = AsyncStream.makeStream(of: (device: DeviceID, blobs: Set<BlobID>).self)
        // Unstructured: one that hangs while it connects would be awaited beyond its deadline. Each ends by that, and they are as many as
        // devices and readings.
        let tasks = devices.map { device in
            Task { answer.yield((device, await held(missing, in: zone, by: device))) }
        }
        let timer = DeadlineTimer.shared.schedule(after: Self.patience) { answer.finish() }
        defer {
            DeadlineTimer.shared.cancel(timer)
            for task in tasks { task.cancel() }
        }
        var found: [DeviceID: Set<BlobID>] = [:]
        var rest = Set(missing)
        for await (device, blobs) in answers {
            found[device] = blobs
            rest.subtract(blobs)
            if rest.isEmpty || found.count == devices.count { break }
        }
        return found
    }

    private func held(_ blobs: [BlobID], in zone: ZoneName, by device: DeviceID) async -> Set<BlobID> {
        var held: Set<BlobID> = []
        for start in stride(from: 0, to: blobs.count, by: RecordLinkHarness.blobsAtOnce) {
            let some = Array(blobs[start..<min(start + RecordLinkHarness.blobsAtOnce, blobs.count)])
            let answer = try? await askings.withPermit(device) {
                // Others may have answered while this one waited.
                try Task.checkCancellation()
                return try await peers.call(
                    RecordLinkMethods.findAssetBlobs,
                    .with {
                        $0.zone = zone.message
                        $0.blobs = some.map(\.bytes)
                    }, device, Self.askTimeout)
            }
            guard let answer else { break }
            held.formUnion(zip(some, answer.whole).filter(\.1).map(\.0))
        }
        return held
    }

    func sources(of blob: BlobID, _ near: NearAsset) -> NearBlobs {
        guard let zone = near.zone else { return NearBlobs() }
        return NearBlobs(
            holders: (near.holders[blob] ?? []).map { device in
                Holder(service: self, zone: zone, device: device, silent: near.silent)
            }, isOnlyHere: near.isOnlyHere)
    }

    private struct Holder: BlobHolder {
        let service: RecordsService
        let zone: ZoneName
        let device: DeviceID
        let silent: SilentDevices

        func bytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data {
            guard !silent.contains(device) else { throw Self.isSilent }
            do {
                return try await read(range, of: blob)
            } catch {
                let code = (error as? BatonError)?.code
                if code == .unavailable || code == .deadlineExceeded { silent.add(device) }
                throw error
            }
        }

        private static let isSilent = BatonError(
            .unavailable, reason: "not_connected", "The device has not answered.")

        private func read(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data {
            try await service.readings.withPermit {
                try await service.peers.call(
                    RecordLinkMethods.readAssetBlob,
                    .with {
                        $0.zone = zone.message
                        $0.blob = blob.bytes
                        $0.offset = range.lowerBound
                        $0.length = UInt32(clamping: range.count)
                    }, device, RecordsService.readTimeout
                ).bytes
            }
        }
    }

    // MARK: Small ones

    /// Small assets that a device announced while no cloud is there: that device may be gone when an app wants them. The rest
    /// comes when it is asked for.
    func bringSmall() async {
        for await _ in small.signals {
            var containers: Set<RecordContainer> = []
            while !Task.isCancelled, let next = small.next() {
                guard !blobs.isConnected, let replica = replica(of: next.container) else { continue }
                do {
                    if try await bring(next.asset, in: replica) { containers.insert(next.container) }
                } catch {
                    // It was not lost: it is asked for again when an app reads it.
                    continue
                }
            }
            // Rows of tables that lacked a content are tried again.
            for replica in containers.compactMap({ replica(of: $0) }) { try? await retryContents(of: replica) }
        }
    }

    /// - Returns: whether something came.
    private func bring(_ asset: RecordAsset, in replica: RecordReplica) async throws -> Bool {
        let near = try await near(asset, in: replica)
        guard near.holders.values.contains(where: { !$0.isEmpty }) else { return false }
        for part in asset.parts {
            let reference = try part.reference
            _ = try await blobs.get(reference, near: sources(of: reference.id, near))
        }
        return true
    }
}

extension ReplicaTransaction {
    /// A zone with a record that names an asset; and whether one of its records waits, so that the cloud may not have the asset.
    func use(ofAsset id: Data) throws -> (zone: RecordZoneName, waits: Bool)? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT z.name AS zone, r.pending > 0 AS waits FROM asset_use u
                        JOIN zone z ON z.id = u.zone JOIN record r ON r.zone = u.zone AND r.name = u.name
                        WHERE u.asset = ? ORDER BY waits DESC LIMIT 1
                    """), arguments: [id])
        guard let row, let zone = RecordZoneName(synced: row["zone"]) else { return nil }
        return (zone, row["waits"])
    }

    /// Those of these blobs that records of a zone name.
    func named(among blobs: [BlobID], in zone: ReplicaZone) throws -> Set<BlobID> {
        try Set(
            blobs.filter { blob in
                try Bool.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT EXISTS (SELECT 1 FROM asset_blob b JOIN asset_use u ON u.asset = b.asset
                                WHERE b.blob = ? AND u.zone = ?)
                            """), arguments: [blob.bytes, zone.id]) == true
            })
    }

    /// Assets of records of these names with at most so many bytes.
    func assets(of names: [String], in zone: ReplicaZone, upTo size: UInt64, limit: Int) throws -> [RecordAsset] {
        var assets: [RecordAsset] = []
        for name in names where assets.count < limit {
            let contents = try Data.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT a.content FROM asset_use u JOIN asset a ON a.id = u.asset WHERE u.zone = ? AND u.name = ?
                        """), arguments: [zone.id, name])
            assets += try contents.map(AssetID.asset).filter { $0.size <= size }
        }
        return Array(assets.prefix(limit))
    }
}
