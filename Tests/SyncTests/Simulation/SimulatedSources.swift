import BatonCore
import Foundation
import KeyValue
import Sync

/// The replicas of a device as zones.
struct SimulatedStores: ZoneSource {
    let device: SimulatedDevice
    let life: Int

    var kind: ZoneName.Kind { .keyValue }

    func zones() async throws -> [ZoneName] { device.world.zones }

    func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        let world = device.world
        return (device.replicas[zone]?.pending(limit: min(limit, world.batchItems), wall: device.wall) ?? []).map {
            let content = world.content($0.entry)
            return OutgoingItem(
                name: $0.key, state: $0.isDeletion ? .deleted(tombstone: content) : .content(content),
                replaces: $0.replaces)
        }
    }

    func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        let items = items.map { item, version in
            device.world.item(item.name, version, item.state)
        }
        device.world.statistics.written += items.count
        try device.change(zone, life) { $0.written(items) }
    }

    func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        let items = items.map { device.world.item($0.name, $0.version, $0.state) }
        try device.change(zone, life) { $0.received(items, wall: device.wall) }
    }

    func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        device.world.statistics.startedOver += 1
        try device.change(zone, life) { $0.startedOver(holding: names, wall: device.wall) }
    }

    func zoneReset(of zone: ZoneName) async throws {
        try device.change(zone, life) { $0.zoneReset() }
    }

    func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {
        try device.change(zone, life) { $0.initialDownloadEnded(byCloud: origin == .cloud) }
    }
}

/// The account's content keys, one item for each generation and member, by the rules of ``KeyZone``.
struct SimulatedKeys: ZoneSource {
    struct Entry {
        var version: UInt64
        /// Nil: deleted.
        var content: Data?
    }

    let device: SimulatedDevice
    let life: Int

    var kind: ZoneName.Kind { .contentKeys }

    func zones() async throws -> [ZoneName] { [KeyZone.zone] }

    func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        guard device.isMember else { return [] }
        try device.makeKeyIfNeeded(life)
        let entries = device.disk.envelopes
        var items: [OutgoingItem] = []
        for generation in device.knownGenerations.sorted() {
            for member in device.disk.membership.present.sorted() {
                let name = "\(generation).\(member)"
                guard entries[name]?.content == nil else { continue }
                items.append(
                    OutgoingItem(
                        name: name, content: Data([generation, member]), replaces: entries[name]?.version ?? 0))
            }
        }
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let member = entry.content?.last, device.disk.membership.revoked.contains(member) else { continue }
            items.append(OutgoingItem(name: name, content: nil, replaces: entry.version))
        }
        return Array(items.prefix(limit))
    }

    func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try keep(items.map { IncomingItem(name: $0.item.name, version: $0.version, content: $0.item.content) })
    }

    func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        try keep(items)
        let own = items.compactMap(\.content).filter { $0.last == device.disk.member }.compactMap(\.first)
        try device.learn(device.disk.membership, generations: Set(own), life)
    }

    private func keep(_ items: [IncomingItem]) throws {
        try device.write(life) { disk in
            for item in items {
                if let known = disk.envelopes[item.name]?.version, item.version > 0, known > item.version { continue }
                disk.envelopes[item.name] =
                    item.version > 0 ? Entry(version: item.version, content: item.content) : nil
            }
        }
    }

    func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        let gone = device.disk.envelopes.keys.filter { !names.contains($0) }
        try keep(gone.map { IncomingItem(name: $0, version: 0, content: nil) })
    }

    func zoneReset(of zone: ZoneName) async throws { try await startedOver(zone, holding: []) }

    func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {}
}
