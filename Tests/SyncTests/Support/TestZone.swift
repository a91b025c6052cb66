import BatonCloud
import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import KeyValue
import SwiftProtobuf
import Synchronization

@testable import Sync

/// One zone of one device, its records on a disk, and a cloud by the rules of the memory driver.
final class TestZone: Sendable {
    struct Told: Sendable {
        var received: [IncomingItem] = []
        var written: [String] = []
        var startedOver: Set<String>?
        var pending: [OutgoingItem] = []
        var identity = Data([1])
    }

    let cloud: TestCloud
    let codec = TestCodec()
    let told = Mutex(Told())
    let records: any ZoneRecords
    private let held = ResyncNames()
    private let time = TestTime()
    private let database: DaemonDatabase

    init(cloud: TestCloud, in directory: TemporaryDirectory) throws {
        self.cloud = cloud
        database = try DaemonDatabase(path: directory.file("daemon.sqlite"), migrations: SyncStore.migrations)
        records = SyncStore(database: database, clock: time.clock).records(
            of: .init(
                account: AccountID(unchecked: String(repeating: "A", count: 26)),
                device: DeviceID(unchecked: String(repeating: "B", count: 26))))
    }

    func advance(by milliseconds: UInt64) { time.milliseconds.withLock { $0 += milliseconds } }

    var transfer: ZoneTransfer {
        ZoneTransfer(
            cloud: cloud,
            limits: .with {
                $0.itemBytes = 1 << 18
                $0.itemsPerBatch = 3
            },
            records: records, codec: codec, recorder: NullEventRecorder(),
            clock: time.clock,
            prepare: { _ in }, blobs: nil, held: held)
    }

    func pull(_ resync: SyncStateMachine.Resync? = nil) async throws -> SyncStateMachine.Pulled {
        try await transfer.pull(.data, resync, head: nil, into: TestSource(zone: self))
    }

    /// To the end.
    func pullAll(_ resync: SyncStateMachine.Resync? = nil) async throws {
        var pulled = try await pull(resync)
        while case .page(_, more: true, _) = pulled { pulled = try await pull() }
    }

    func push() async throws -> SyncStateMachine.Pushed {
        try await transfer.push(.data, head: nil, from: TestSource(zone: self))
    }

    func take() -> [IncomingItem] {
        told.withLock { told in
            defer { told.received = [] }
            return told.received
        }
    }
}

/// A clock that the test moves.
private final class TestTime: Sendable {
    let milliseconds = Mutex<UInt64>(1_800_000_000_000)

    var clock: WallClock {
        WallClock { [self] in Date(timeIntervalSince1970: Double(milliseconds.withLock { $0 }) / 1000) }
    }
}

/// Keeps only its notifications.
private struct TestSource: ZoneSource {
    let zone: TestZone
    var kind: ZoneName.Kind { .keyValue }

    func zones() async throws -> [ZoneName] { [.data] }
    func identity(of zone: ZoneName) async throws -> Data { self.zone.told.withLock { $0.identity } }

    func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        self.zone.told.withLock { Array($0.pending.prefix(limit)) }
    }

    func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        self.zone.told.withLock { told in
            told.written += items.map(\.item.name)
            told.pending.removeAll { pending in items.contains { $0.item == pending } }
        }
    }

    /// Merged items are written over the present ones.
    func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        self.zone.told.withLock { told in
            told.received += items
            for item in items {
                for index in told.pending.indices where told.pending[index].name == item.name {
                    told.pending[index].replaces = item.version
                }
            }
        }
    }

    func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        self.zone.told.withLock { $0.startedOver = names }
    }

    func zoneReset(of zone: ZoneName) async throws {}
    func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {}
}

/// Seals nothing: the first byte names the key.
final class TestCodec: ZoneCodec {
    let keys = Mutex<Set<UInt8>>([1])

    func zoneID(of zone: ZoneName) -> Data { Data(zone.name.utf8) }
    func itemID(of name: String, in zone: ZoneName) -> Data { Data(name.utf8) }
    func seal(_ content: Data, name: String, in zone: ZoneName) throws -> Data { [1] + content }

    func open(_ sealed: Data, itemID: Data, in zone: ZoneName) throws -> (name: String, content: Data) {
        guard let key = sealed.first, key < 9 else {
            throw BatonError(.dataLoss, reason: "item_damaged", "It is damaged.")
        }
        guard keys.withLock({ $0.contains(key) }) else {
            throw BatonError(.failedPrecondition, reason: "unknown_content_key", "The key has not come.")
        }
        return (String(decoding: itemID, as: UTF8.self), Data(sealed.dropFirst()))
    }
}

final class TestCloud: ZoneCloud {
    private let cloud: Mutex<SimulatedCloud>
    private let time: SimulatedTime
    let server = "https://cloud"

    /// Items of a page, and of a batch.
    let pageItems: Int

    init(pageItems: Int = 3) throws {
        self.pageItems = pageItems
        time = SimulatedTime()
        cloud = Mutex(try SimulatedCloud(time: time, pageItems: pageItems, conflictBytes: 1 << 20))
    }

    /// The false answer that it gives instead of the true one.
    let lie = Mutex<(@Sendable (inout SimulatedCloud.Answer) -> Void)?>(nil)

    func head(of zone: Data) async throws -> Baton_Cloud_V1_ZoneHead? {
        guard case .head(let head) = try answer(.head(zone)) else { throw SimulatedCall.interrupted }
        return head
    }

    func changes(_ request: Baton_Cloud_V1_FetchChangesRequest) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        guard case .changes(let answer) = try told(.changes(request)) else { throw SimulatedCall.interrupted }
        return answer
    }

    func items(_ request: Baton_Cloud_V1_FetchItemsRequest) async throws -> Baton_Cloud_V1_FetchItemsResponse {
        guard case .items(let answer) = try told(.items(request)) else { throw SimulatedCall.interrupted }
        return answer
    }

    func write(_ request: Baton_Cloud_V1_WriteItemsRequest) async throws -> Baton_Cloud_V1_WriteItemsResponse {
        guard case .write(let answer) = try told(.write(request)) else { throw SimulatedCall.interrupted }
        return answer
    }

    private func told(_ request: SimulatedCloud.Request) throws -> SimulatedCloud.Answer {
        var answer = try answer(request)
        lie.withLock { $0 }?(&answer)
        return answer
    }

    var copy: SimulatedCloud.Kept { cloud.withLock { $0.kept } }

    func putBack(_ copy: SimulatedCloud.Kept) { cloud.withLock { $0.putBack(copy) } }

    private func answer(_ request: SimulatedCloud.Request) throws -> SimulatedCloud.Answer {
        try cloud.withLock { try $0.answer(request) }
    }

    /// As another device, or a cloud that lies, would.
    func put(_ name: String, _ sealed: [UInt8]) async throws {
        try await change(name) { $0.put.sealed = Data(sealed) }
    }

    func delete(_ name: String, _ sealed: [UInt8]) async throws {
        try await change(name) { $0.delete.sealed = Data(sealed) }
    }

    private func change(_ name: String, _ body: (inout Baton_Cloud_V1_ItemWrite) -> Void) async throws {
        let id = Data(name.utf8)
        let zone = Data(ZoneName.data.name.utf8)
        let known = cloud.withLock { $0.items(of: zone) }.first { $0.id.bytes == id }
        var write = Baton_Cloud_V1_ItemWrite.with {
            $0.itemID = id
            $0.replaces = known?.version ?? 0
        }
        body(&write)
        let request = Baton_Cloud_V1_WriteItemsRequest.with {
            $0.zoneID = zone
            $0.idempotencyKey = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
            $0.writes = [write]
        }
        _ = try answer(.write(request))
    }

    func forgetDeletions() {
        time.now += 1
        cloud.withLock { $0.forgetDeletions() }
    }
}
