import BatonCore
import Crypto
package import Foundation
package import Sync

/// The key-value stores as zones of the account's cloud: an item is a key behind a colon, its content a message
/// `KeyValueItem`.
package struct KeyValueZones: ZoneSource {
    /// Of the contents that are given to the engine at once; one is given in any case.
    private static let maximumBytes = 2 << 20

    private let service: KeyValueService

    package init(_ service: KeyValueService) { self.service = service }

    package var kind: ZoneName.Kind { .keyValue }

    /// None while nobody is signed in.
    package func zones() async throws -> [ZoneName] {
        try await service.ledger.perform { round in
            guard round.account != nil else { return [] }
            return try round.storage.headers().map(\.name.zone)
        }
    }

    // MARK: The cloud

    package func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        let wall = service.clock.milliseconds
        return try await read(zone) { replica in
            var items: [OutgoingItem] = []
            var bytes = 0
            for change in replica.pending(limit: limit, wall: wall) {
                let content = try change.entry.map(KeyValueWire.content)
                bytes += content?.count ?? 0
                guard items.isEmpty || bytes <= Self.maximumBytes else { break }
                items.append(
                    OutgoingItem(name: KeyValueWire.name(change.key), content: content, replaces: change.replaces))
            }
            return items
        } ?? []
    }

    package func early(in zone: ZoneName) async throws -> EarlyItems? {
        let early = try await read(zone) { replica -> EarlyItems? in
            replica.early.map { EarlyItems(count: $0.count, since: $0.since) }
        }
        return early ?? nil
    }

    package func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        let items = items.compactMap { item, version in
            KeyValueWire.key(item.name).map {
                KeyValueItem(key: $0, version: version, entry: item.content.flatMap(KeyValueWire.entry))
            }
        }
        try await change(zone) { $0.written(items) }
    }

    package func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        let items = items.compactMap { item -> KeyValueItem? in
            guard let key = KeyValueWire.key(item.name) else { return nil }
            let entry = item.content.flatMap(KeyValueWire.entry)
            return KeyValueItem(
                key: key, version: item.version, entry: entry, isReadable: item.content == nil || entry != nil)
        }
        for item in items where !item.isReadable {
            service.recorder.record(
                "key_value", "item_unreadable",
                "A key that another device wrote cannot be read here. Update Baton on this device.",
                ["zone": zone.name])
        }
        try await change(zone) { $0.received(items) }
    }

    package func itemNames(in zone: ZoneName) async throws -> Set<String> {
        try await read(zone) { replica in
            Set(replica.slots.filter { $0.value.cloud != nil }.keys.map(KeyValueWire.name))
        } ?? []
    }

    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        let keys = Set(names.compactMap(KeyValueWire.key))
        try await change(zone) { $0.startedOver(holding: keys) }
    }

    package func orderReplaced(of zone: ZoneName) async throws {
        try await change(zone) { $0.orderReplaced() }
    }

    package func caughtUp(_ zone: ZoneName, by teller: ZoneTeller) async throws {
        try await change(zone) { $0.initialDownloadEnded(byCloud: teller == .cloud) }
    }

    // MARK: Other devices

    package func digest(of zone: ZoneName) async throws -> Data? {
        let wall = service.clock.milliseconds
        let entries = try await read(zone) { replica -> [String: KeyValueEntry]? in
            guard case .synced = replica.phase else { return nil }
            return replica.exchangeable(wall: wall)
        }
        guard let entries = entries ?? nil else { return Data() }
        var hash = SHA256()
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            withUnsafeBytes(of: UInt32(key.utf8.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: Data(key.utf8))
            hash.update(data: KeyValueWire.bytes(of: entry.stamp))
        }
        return Data(hash.finalize())
    }

    package func stamps(in zone: ZoneName) async throws -> [String: Data] {
        let entries = try await exchangeable(zone)
        return Dictionary(
            uniqueKeysWithValues: entries.map { (KeyValueWire.name($0.key), KeyValueWire.bytes(of: $0.value.stamp)) })
    }

    package func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] {
        let entries = try await exchangeable(zone)
        var contents: [String: Data] = [:]
        for name in names {
            if let entry = KeyValueWire.key(name).flatMap({ entries[$0] }) {
                contents[name] = try KeyValueWire.content(of: entry)
            }
        }
        return contents
    }

    package func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {
        var entries: [String: KeyValueEntry] = [:]
        for (name, content) in contents {
            if let key = KeyValueWire.key(name) { entries[key] = KeyValueWire.entry(content) }
        }
        let wall = service.clock.milliseconds
        try await change(zone) { [entries] in $0.exchanged(entries, wall: wall) }
    }

    private func exchangeable(_ zone: ZoneName) async throws -> [String: KeyValueEntry] {
        let wall = service.clock.milliseconds
        return try await read(zone) { $0.exchangeable(wall: wall) } ?? [:]
    }

    // MARK: Stores

    /// Nil for a store that is not here (any more).
    private func read<Output: Sendable>(
        _ zone: ZoneName, _ body: @escaping @Sendable (KeyValueReplica) throws -> Output
    ) async throws -> Output? {
        guard let name = KeyValueStoreName(zone) else { return nil }
        return try await service.ledger.perform { round in try round.find(name).map { try body($0.replica) } }
    }

    /// What is told of a store that is not here (any more) is nobody's.
    private func change(
        _ zone: ZoneName, _ body: @escaping @Sendable (inout KeyValueReplica) -> [KeyValueAction]
    ) async throws {
        guard let name = KeyValueStoreName(zone) else { return }
        try await service.ledger.perform { round in
            guard try round.find(name) != nil else { return }
            try round.change(name) { replica throws(BatonError) in ((), body(&replica)) }
        }
    }
}
