import BatonCore
import Foundation
import Sync
import Synchronization

/// One account's zones in memory, by the rules of docs/cloud.md, unsealed.
final class MemoryCloud: Sendable {
    private struct Zone {
        var items: [String: IncomingItem] = [:]
        var head: UInt64 = 0
    }

    private let zones = Mutex<[ZoneName: Zone]>([:])

    /// - Returns: the versions, or the items that stand in the way; then nothing was written.
    func write(_ batch: [OutgoingItem], in zone: ZoneName) -> Result<[UInt64], Conflict> {
        zones.withLock { zones in
            var present = zones[zone] ?? Zone()
            let conflicts = batch.compactMap { item in
                let held = present.items[item.name] ?? IncomingItem(name: item.name, version: 0, content: nil)
                return held.version == item.replaces ? nil : held
            }
            guard conflicts.isEmpty else { return .failure(Conflict(items: conflicts)) }
            let versions = batch.map { item in
                present.head += 1
                present.items[item.name] = IncomingItem(name: item.name, version: present.head, state: item.state)
                return present.head
            }
            zones[zone] = present
            return .success(versions)
        }
    }

    func changes(in zone: ZoneName, since cursor: UInt64, limit: Int) -> [IncomingItem] {
        zones.withLock { zones in
            Array(
                (zones[zone]?.items.values.filter { $0.version > cursor } ?? [])
                    .sorted { $0.version < $1.version }.prefix(limit))
        }
    }

    /// Items that are there.
    func contents(of zone: ZoneName) -> [String: Data] {
        zones.withLock { $0[zone]?.items.compactMapValues(\.content) ?? [:] }
    }

    /// As a device of another version of Baton would.
    func put(_ content: Data, as name: String, in zone: ZoneName) {
        let version = zones.withLock { $0[zone]?.items[name]?.version ?? 0 }
        _ = write([OutgoingItem(name: name, content: content, replaces: version)], in: zone)
    }
}

struct Conflict: Error { var items: [IncomingItem] }

/// Does the work of a sync engine, when the test says so.
final class MemoryEngine: SyncTrigger {
    private let source: any ZoneSource
    let cloud: MemoryCloud
    private let cursors = Mutex<[ZoneName: UInt64]>([:])
    private let triggered = Mutex<Set<ZoneName>>([])

    init(_ source: any ZoneSource, _ cloud: MemoryCloud) {
        self.source = source
        self.cloud = cloud
    }

    func changed(_ zone: ZoneName) { triggered.withLock { _ = $0.insert(zone) } }

    func takeTriggered() -> Set<ZoneName> {
        triggered.withLock { triggered in
            defer { triggered = [] }
            return triggered
        }
    }

    /// Brings all zones and the cloud together.
    func sync(batch: Int = 100) async throws {
        for zone in try await source.zones() {
            try await pull(zone, batch)
            try await push(zone, batch)
            try await pull(zone, batch)
        }
    }

    private func pull(_ zone: ZoneName, _ limit: Int) async throws {
        while true {
            let cursor = cursors.withLock { $0[zone] ?? 0 }
            let items = cloud.changes(in: zone, since: cursor, limit: limit)
            // Twice, as after a crash.
            try await source.received(items, in: zone)
            try await source.received(items, in: zone)
            guard let last = items.last else { break }
            cursors.withLock { $0[zone] = last.version }
        }
        try await source.didFinishInitialFetch(zone, by: .cloud)
    }

    private func push(_ zone: ZoneName, _ limit: Int) async throws {
        for _ in 0..<10_000 {
            let items = try await source.pending(in: zone, limit: limit)
            if items.isEmpty { return }
            switch cloud.write(items, in: zone) {
            case .success(let versions): try await source.written(Array(zip(items, versions)), in: zone)
            case .failure(let conflict): try await source.received(conflict.items, in: zone)
            }
        }
        throw Conflict(items: [])
    }
}

/// Two devices that hear each other, without the cloud.
func exchange(_ one: any ZoneSource, _ other: any ZoneSource, _ zone: ZoneName) async throws {
    for (from, to) in [(one, other), (other, one)] {
        let (mine, theirs) = (try await from.stamps(in: zone), try await to.stamps(in: zone))
        let names = mine.filter { theirs[$0.key] != $0.value }.map(\.key)
        try await to.exchanged(try await from.contents(of: names, in: zone), in: zone)
    }
}
