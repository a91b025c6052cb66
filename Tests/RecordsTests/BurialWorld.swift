import BatonCore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import GRDB
import RecordMerge
import Sync
import Synchronization
import Testing

@testable import Records

/// One account's zones in memory, by the rules of docs/cloud.md, unsealed; and the account's time.
final class RecordsCloud: SyncTrigger {
    private struct Zone {
        var items: [String: IncomingItem] = [:]
        var head: UInt64 = 0
    }

    private let zones = Mutex<[ZoneName: Zone]>([:])
    private let time = Mutex<UInt64>(1_700_000_000_000)

    var accountTime: UInt64? { time.withLock { $0 } }
    func changed(_ zone: ZoneName) {}
    func pass(days: Double) { time.withLock { $0 += UInt64(days * 24 * 60 * 60 * 1000) } }

    /// - Returns: the versions, or what stands in the way. Then nothing was written.
    func write(_ batch: [OutgoingItem], in zone: ZoneName) -> (versions: [UInt64], conflicts: [IncomingItem]) {
        zones.withLock { zones in
            var present = zones[zone] ?? Zone()
            let conflicts = batch.compactMap { item in
                let held = present.items[item.name] ?? IncomingItem(name: item.name, version: 0, content: nil)
                return held.version == item.replaces ? nil : held
            }
            guard conflicts.isEmpty else { return ([], conflicts) }
            let versions = batch.map { item in
                present.head += 1
                present.items[item.name] = IncomingItem(name: item.name, version: present.head, state: item.state)
                return present.head
            }
            zones[zone] = present
            return (versions, [])
        }
    }

    func changes(in zone: ZoneName, since cursor: UInt64) -> [IncomingItem] {
        zones.withLock {
            ($0[zone]?.items.values.filter { $0.version > cursor } ?? []).sorted { $0.version < $1.version }
        }
    }

    func contents(of zone: ZoneName) -> [String: Data] {
        zones.withLock { $0[zone]?.items.compactMapValues(\.content) ?? [:] }
    }
}

/// A device with as much of a sync engine as is needed.
final class BuryingDevice {
    let device: RecordsDevice
    private let cloud: RecordsCloud
    private var cursors: [ZoneName: UInt64] = [:]

    /// - Parameter lead: of its clock, in days.
    init(_ directory: TemporaryDirectory, _ name: String, _ cloud: RecordsCloud, lead: Double = 0) async throws {
        self.cloud = cloud
        device = try await RecordsDevice(
            directory, name,
            clock: WallClock {
                Date(timeIntervalSince1970: Double(cloud.accountTime ?? 0) / 1000 + lead * 24 * 60 * 60)
            })
        device.service.connect(to: cloud)
        _ = try await device.replica
    }

    func sync() async throws {
        for _ in 0..<2 {
            for zone in try await device.zones.zones() {
                try await pull(zone)
                try await push(zone)
                try await pull(zone)
            }
        }
    }

    /// The cloud no longer knows what it sent: all is read from the start.
    func resync() async throws {
        for zone in try await device.zones.zones() {
            let items = cloud.changes(in: zone, since: 0).filter { $0.content != nil }
            try await device.zones.received(items, in: zone)
            try await device.zones.startedOver(zone, holding: Set(items.map(\.name)))
            try await device.zones.didFinishInitialFetch(zone, by: .cloud)
        }
    }

    private func pull(_ zone: ZoneName) async throws {
        let items = cloud.changes(in: zone, since: cursors[zone] ?? 0)
        // Twice, as after a crash.
        for _ in 0..<2 where !items.isEmpty { try await device.zones.received(items, in: zone) }
        if let last = items.last { cursors[zone] = last.version }
        try await device.zones.didFinishInitialFetch(zone, by: .cloud)
    }

    private func push(_ zone: ZoneName) async throws {
        for _ in 0..<100 {
            let items = try await device.zones.pending(in: zone, limit: 100)
            if items.isEmpty { return }
            let answer = cloud.write(items, in: zone)
            if answer.conflicts.isEmpty {
                try await device.zones.written(Array(zip(items, answer.versions)), in: zone)
            } else {
                try await pull(zone)
                try await device.zones.received(answer.conflicts, in: zone)
            }
        }
        Issue.record("It never has nothing to write.")
    }

    /// Looks for what is old enough.
    func look() async throws {
        let time = try #require(cloud.accountTime)
        try await device.replica.perform { try $0.lookForOld(time: time) }
        while try await device.replica.perform({ try $0.lookForFolds() }) {}
    }

    /// Whether it has all that another one has of a record.
    func knows(_ name: String, as other: BuryingDevice) async throws -> Bool {
        let (mine, theirs) = (try await context(of: name), try await other.context(of: name))
        return mine.joined(theirs) == mine
    }

    private func context(of name: String) async throws -> DotContext {
        let zone = try #require(RecordZoneName("Z"))
        return try await device.replica.perform { transaction in
            guard let zone = try transaction.zone(zone) else { return DotContext() }
            return try transaction.record(RecordName(name), in: zone.id)?.record.context ?? DotContext()
        }
    }

    func count(_ sql: String, _ arguments: StatementArguments = []) async throws -> Int {
        try await device.replica.perform { try Int.fetchOne($0.db, sql: sql, arguments: arguments) ?? 0 }
    }
}

extension RecordsCloud {
    /// Time passes, while these devices are connected.
    func pass(days: Int, _ devices: [BuryingDevice]) async throws {
        for _ in 0..<(days + 4) / 5 {
            pass(days: 5)
            for device in devices { try await device.look() }
        }
        for device in devices { try await device.sync() }
    }
}
