import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

@testable import Sync

/// One device's way to a ``TestCloud``: a source, its records, its blobs, and how many bytes went each way.
final class TestReplica: Sendable {
    let source: ItemSource
    let blobs: BlobService
    let records: any ZoneRecords
    let cloud: CountedCloud
    let gathering = Mutex(ZoneTransfer.Gathering.none)
    private let held = Mutex(ResyncNames())

    init(
        _ name: String, _ cloud: TestCloud, _ vault: BlobVault, in folder: TemporaryDirectory,
        source: ItemSource = ItemSource(), cacheBytes: UInt64 = 1 << 30, clock: WallClock = .system
    ) async throws {
        self.source = source
        self.cloud = CountedCloud(cloud: cloud, vault: vault)
        let database = try DaemonDatabase(path: folder.file(name + ".sqlite"), migrations: SyncStore.migrations)
        records = SyncStore(database: database).records(
            of: .init(
                account: AccountID(unchecked: String(repeating: "A", count: 26)),
                device: DeviceID(unchecked: String(repeating: "B", count: 26))))
        blobs = try await BlobService(
            database: database, path: folder.file(name + "-blobs"), cacheBytes: cacheBytes, clock: clock)
        blobs.connected(to: self.cloud)
    }

    var transfer: ZoneTransfer { transfer(cloud) }

    func transfer(_ zones: any ZoneCloud) -> ZoneTransfer {
        ZoneTransfer(
            cloud: zones,
            limits: .with {
                $0.itemBytes = 1 << 18
                $0.itemsPerBatch = UInt32(cloud.cloud.pageItems)
            },
            records: records, codec: TestCodec(), recorder: NullEventRecorder(), clock: .system, prepare: { _ in },
            blobs: (blobs, cloud), held: held.withLock { $0 }, gathering: gathering.withLock { $0 })
    }

    @discardableResult
    func pull(_ resync: SyncStateMachine.Resync? = nil) async throws -> SyncStateMachine.Pulled {
        try await transfer.pull(ItemSource.zone, resync, head: nil, into: source)
    }

    func pullAll(_ resync: SyncStateMachine.Resync? = nil) async throws {
        var pulled = try await pull(resync)
        while case .page(_, more: true, _) = pulled { pulled = try await pull() }
    }

    @discardableResult
    func push() async throws -> SyncStateMachine.Pushed {
        try await transfer.push(ItemSource.zone, head: nil, from: source)
    }

    /// Another process: what was only in memory is gone.
    func restart() {
        held.withLock { $0 = ResyncNames() }
        blobs.connected(to: cloud)
    }

    /// Until nothing waits.
    func sync() async throws {
        for _ in 0..<10_000 {
            try await pullAll()
            var pushed = try await push()
            while case .written = pushed { pushed = try await push() }
            if pushed == .nothing { return }
        }
        throw CancellationError()
    }
}
