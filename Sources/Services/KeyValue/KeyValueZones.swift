import BatonCore
package import Foundation
package import Sync

/// The key-value stores as zones of the account's cloud: an item is a key behind a colon, its content a message
/// `KeyValueItem`.
package struct KeyValueZones: ZoneSource {
    /// Limit of the contents given to the engine at once; one item is always given.
    private static let maximumBytes = 2 << 20

    private let service: KeyValueService

    package init(_ service: KeyValueService) { self.service = service }

    package var kind: ZoneName.Kind { .keyValue }
    package var policy: ZonePolicy { .sparing }

    /// The team's fingerprint says nothing to a person.
    package func title(of zone: ZoneName) -> String {
        "Key-value store \(zone.name.drop { $0 != "/" }.dropFirst())"
    }

    /// None while this device has no account.
    package func zones() async throws -> [ZoneName] {
        try await service.commitQueue.perform { transaction in
            guard transaction.account != nil else { return [] }
            return try transaction.storage.headers().map(\.name.zone)
        }
    }

    package func keeps(_ zone: ZoneName) async throws -> Bool { try await read(zone) { _ in true } ?? false }

    // MARK: The cloud

    package func identity(of zone: ZoneName) async throws -> Data {
        // Data read for a store that is not here is lost, so a constant stands for its identity: the zone is read anew
        // later.
        try await read(zone) { replica in withUnsafeBytes(of: replica.era.bigEndian) { Data($0) } } ?? Data([0])
    }

    package func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        let wall = service.clock.milliseconds
        return try await read(zone) { replica in
            var items: [OutgoingItem] = []
            var bytes = 0
            for change in replica.pending(limit: limit, wall: wall) {
                let content = try KeyValueWire.content(of: change.entry)
                bytes += content.count
                guard items.isEmpty || bytes <= Self.maximumBytes else { break }
                items.append(
                    OutgoingItem(
                        name: KeyValueWire.name(change.key),
                        state: change.isDeletion ? .deleted(tombstone: content) : .content(content),
                        replaces: change.replaces))
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
            KeyValueWire.key(item.name).map { KeyValueItem(key: $0, version: version, state: item.state) }
        }
        try await change(zone) { $0.written(items) }
    }

    package func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        let items = items.compactMap { item -> KeyValueItem? in
            KeyValueWire.key(item.name).map { KeyValueItem(key: $0, version: item.version, state: item.state) }
        }
        for item in items where !item.isReadable {
            service.recorder.record(
                "key_value", "item_unreadable",
                "A key that another device wrote cannot be read here. Update Baton on this device.",
                ["zone": zone.name])
        }
        for item in items where item.isDeleted && item.entry == nil {
            service.recorder.record(
                "key_value", "deletion_doubted",
                "The cloud reports a deletion that no device made. This device writes the key again.",
                ["zone": zone.name, "version": String(item.version)])
        }
        let wall = service.clock.milliseconds
        try await change(zone) { $0.received(items, wall: wall) }
    }

    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        let keys = Set(names.compactMap(KeyValueWire.key))
        let wall = service.clock.milliseconds
        try await change(zone) { $0.startedOver(holding: keys, wall: wall) }
    }

    package func zoneReset(of zone: ZoneName) async throws {
        try await change(zone) { $0.zoneReset() }
    }

    package func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {
        try await change(zone) { $0.initialDownloadEnded(byCloud: origin == .cloud) }
    }

    // MARK: Other devices

    package func digest(of zone: ZoneName) async throws -> Data? {
        let wall = service.clock.milliseconds
        let found = try await read(zone) { replica -> [String: KeyValueEntry]? in
            guard case .synced = replica.phase else { return nil }
            return replica.exchangeable(wall: wall)
        }
        // A store that is not here (any more) is not exchanged.
        guard let found else { return nil }
        return found.map { Self.index($0).digest(of: .all).bytes } ?? Data()
    }

    package func digests(of ranges: [ItemRange], in zone: ZoneName) async throws -> [RangeDigest] {
        let wall = service.clock.milliseconds
        let index = Self.index(try await read(zone) { $0.exchangeable(wall: wall) } ?? [:])
        return ranges.map(index.digest)
    }

    /// A store has few keys by its limits, so that this is made when it is needed.
    private static func index(_ entries: [String: KeyValueEntry]) -> ItemIndex {
        ItemIndex(stamps(entries))
    }

    private static func stamps(_ entries: [String: KeyValueEntry]) -> [String: Data] {
        Dictionary(
            entries.map { (KeyValueWire.name($0.key), KeyValueWire.bytes(of: $0.value.stamp)) }
        ) { first, _ in first }
    }

    package func stamps(
        in ranges: [ItemRange], of zone: ZoneName, meeting names: Set<String>
    ) async throws -> [String: Data] {
        let wall = service.clock.milliseconds
        let found =
            try await read(zone) { replica -> [String: Data] in
                var entries = replica.exchangeable(wall: wall)
                for key in names.compactMap(KeyValueWire.key) where entries[key] == nil {
                    entries[key] = replica.exchangeable(forKey: key)
                }
                return Self.stamps(entries)
            } ?? [:]
        return ItemIndex(found).stamps(in: ranges)
    }

    package func stamps(of contents: [String: Data]) -> [String: Data] {
        contents.compactMapValues { KeyValueWire.entry($0).map { KeyValueWire.bytes(of: $0.stamp) } }
    }

    package func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] {
        try await read(zone) { replica in
            var contents: [String: Data] = [:]
            for name in names {
                if let entry = KeyValueWire.key(name).flatMap({ replica.exchangeable(forKey: $0) }) {
                    contents[name] = try KeyValueWire.content(of: entry)
                }
            }
            return contents
        } ?? [:]
    }

    package func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {
        var entries: [String: KeyValueEntry] = [:]
        for (name, content) in contents {
            if let key = KeyValueWire.key(name) { entries[key] = KeyValueWire.entry(content) }
        }
        let wall = service.clock.milliseconds
        try await change(zone) { [entries] in $0.exchanged(entries, wall: wall) }
    }

    // MARK: Stores

    /// Nil for a store that is not here (any more).
    private func read<Output: Sendable>(
        _ zone: ZoneName, _ body: @escaping @Sendable (KeyValueReplica) throws -> Output
    ) async throws -> Output? {
        guard let name = KeyValueStoreName(zone) else { return nil }
        return try await service.commitQueue.perform { try $0.find(name).map { try body($0.replica) } }
    }

    /// Changes of a store that is not here (any more) are ignored.
    private func change(
        _ zone: ZoneName, _ body: @escaping @Sendable (inout KeyValueReplica) -> [KeyValueAction]
    ) async throws {
        guard let name = KeyValueStoreName(zone) else { return }
        try await service.commitQueue.perform { transaction in
            guard try transaction.find(name) != nil else { return }
            try transaction.change(name) { replica throws(BatonError) in ((), body(&replica)) }
        }
    }
}

extension ZoneName.Kind {
    /// One app's key-value store.
    package static let keyValue = Self("key-value")
}

extension KeyValueItem {
    /// A deletion counts as a device's own only if its tombstone holds a removal.
    fileprivate init(key: String, version: UInt64, state: ItemState) {
        switch state {
        case .content(let content):
            let entry = KeyValueWire.entry(content)
            self.init(key: key, version: version, entry: entry, isReadable: entry != nil)
        case .deleted(let tombstone):
            let entry = tombstone.flatMap(KeyValueWire.entry)
            self.init(key: key, version: version, entry: entry?.value == nil ? entry : nil, isDeleted: true)
        }
    }
}
