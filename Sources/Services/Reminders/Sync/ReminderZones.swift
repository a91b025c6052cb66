import BatonConcurrency
import BatonCore
package import Foundation
package import Sync

/// The reminders as one zone of the account: an item is a reminder behind a colon, its content a message `ReminderItem`.
///
/// Registers merge in any order to the same, so nothing waits for anything. A deletion is an item that says so; the cloud's own
/// deletions are not believed.
package struct ReminderZones: ZoneSource {
    package static let zone = ZoneName(kind: .reminders, name: "all")
    /// Limit of the contents given to the engine at once; one item is always given.
    private static let maximumBytes = 2 << 20

    private let service: Reminders

    package init(_ service: Reminders) { self.service = service }

    package var kind: ZoneName.Kind { .reminders }
    package var policy: ZonePolicy { .sparing }
    package func title(of zone: ZoneName) -> String { "Reminders" }

    /// None while this device has no account.
    package func zones() async throws -> [ZoneName] {
        guard let account = service.presentAccount else { return [] }
        try await perform { try $0.use(account: account) }
        return [Self.zone]
    }

    // MARK: The cloud

    package func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        try await perform { keeper in
            var items: [OutgoingItem] = []
            var bytes = 0
            let waiting = keeper.all.filter { $0.isPending && ReminderWire.isShared($0.record) }
            for kept in waiting.sorted(by: { $0.record.textStamp < $1.record.textStamp }).prefix(limit) {
                let content = try ReminderWire.content(of: kept.record)
                bytes += content.count
                guard items.isEmpty || bytes <= Self.maximumBytes else { break }
                items.append(
                    OutgoingItem(
                        name: ReminderWire.name(kept.record.id), content: content, replaces: kept.version))
            }
            return items
        }
    }

    package func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try await perform { keeper in
            for (item, version) in items {
                guard let id = ReminderWire.id(item.name) else { continue }
                let written = item.content.flatMap { ReminderWire.record(id, $0) }
                try keeper.sync([id]) {
                    $0.version = version
                    // It may have changed meanwhile.
                    $0.isPending = $0.record != written
                }
            }
        }
    }

    package func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        try await merge { keeper in
            var records: [(record: ReminderRecord, version: UInt64?)] = []
            for item in items {
                guard let id = ReminderWire.id(item.name) else { continue }
                if let record = item.content.flatMap({ ReminderWire.received(id, $0) }) {
                    records.append((record, item.version))
                } else {
                    // Deleted or unreadable: what is here is written over it.
                    try keeper.sync([id]) {
                        $0.version = item.version
                        $0.isPending = true
                    }
                }
            }
            return try keeper.merge(records)
        }
    }

    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        try await perform { keeper in
            let missing = keeper.all.map(\.record.id).filter { !names.contains(ReminderWire.name($0)) }
            try keeper.sync(Set(missing)) {
                $0.version = 0
                $0.isPending = true
            }
        }
    }

    package func zoneReset(of zone: ZoneName) async throws {
        try await perform { keeper in
            try keeper.sync(nil) {
                $0.version = 0
                $0.isPending = true
            }
        }
    }

    package func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {}

    // MARK: Other devices

    package func digest(of zone: ZoneName) async throws -> Data? {
        guard service.presentAccount != nil else { return nil }
        return try await perform { Self.index($0).digest(of: .all).bytes }
    }

    package func digests(of ranges: [ItemRange], in zone: ZoneName) async throws -> [RangeDigest] {
        try await perform { keeper in
            let index = Self.index(keeper)
            return ranges.map(index.digest)
        }
    }

    /// People have few reminders, so that this is made when it is needed.
    private static func index(_ keeper: ReminderKeeper) -> ItemIndex { ItemIndex(stamps(keeper)) }

    private static func stamps(_ keeper: ReminderKeeper) -> [String: Data] {
        Dictionary(
            keeper.all.filter { ReminderWire.isShared($0.record) }.map {
                (ReminderWire.name($0.record.id), ReminderWire.stamp(of: $0.record))
            }
        ) { first, _ in first }
    }

    package func stamps(
        in ranges: [ItemRange], of zone: ZoneName, meeting names: Set<String>
    ) async throws -> [String: Data] {
        try await perform { keeper in Self.index(keeper).stamps(in: ranges) }
    }

    package func stamps(of contents: [String: Data]) -> [String: Data] {
        var stamps: [String: Data] = [:]
        for (name, content) in contents {
            guard let id = ReminderWire.id(name), let record = ReminderWire.record(id, content) else { continue }
            stamps[name] = ReminderWire.stamp(of: record)
        }
        return stamps
    }

    package func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] {
        try await perform { keeper in
            var contents: [String: Data] = [:]
            for name in names {
                guard let kept = ReminderWire.id(name).flatMap({ keeper.reminder($0) }),
                    ReminderWire.isShared(kept.record)
                else { continue }
                contents[name] = try ReminderWire.content(of: kept.record)
            }
            return contents
        }
    }

    package func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {
        try await merge { keeper in
            let records = contents.compactMap { name, content in
                ReminderWire.id(name).flatMap { ReminderWire.received($0, content) }.map { ($0, UInt64?.none) }
            }
            return try keeper.merge(records)
        }
    }

    // MARK: Within

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (ReminderKeeper) throws -> Value
    ) async throws -> Value {
        try await service.queue.run { [service] in try body(service.keeper) }
    }

    private func merge(_ body: @escaping @Sendable (ReminderKeeper) throws -> Set<String>) async throws {
        try await service.queue.run { [service] in service.changed(try body(service.keeper)) }
    }
}

extension ZoneName.Kind {
    /// The person's reminders, in one zone.
    package static let reminders = Self("reminders")
}
