package import BatonCore
package import Foundation
import RecordMerge
package import Sync

/// Containers of records as zones of the account: an item is a record, its content a message `RecordItem`. One zone of each container
/// lists the others.
package struct RecordZones: ZoneSource {
    private let service: RecordsService

    package init(_ service: RecordsService) { self.service = service }

    package var kind: ZoneName.Kind { .records }

    /// The changes of one transaction of an app are written at once.
    package var policy: ZonePolicy { ZonePolicy(deletions: .kept, hasGroups: true) }

    package func title(of zone: ZoneName) -> String {
        guard let (container, name) = RecordContainer.parse(zone) else { return zone.description }
        return name == .zones ? "Zones of \(container.identifier)" : "Records of \(container.identifier), \(name)"
    }

    package func zones() async throws -> [ZoneName] {
        var zones: [ZoneName] = []
        for replica in service.running {
            let container = replica.container
            zones += try await replica.perform { try $0.zones.map { container.zone($0.name) } }
        }
        return zones
    }

    package func keeps(_ zone: ZoneName) async throws -> Bool { try await read(zone) { _, _ in true } ?? false }

    /// Names the file, not the zone: after a zone was deleted and made again its items are the same ones.
    package func identity(of zone: ZoneName) async throws -> Data {
        try await read(zone) { transaction, _ in transaction.identity } ?? Data([0])
    }

    // MARK: The cloud

    /// Pages that are looked at for one with something to write.
    private static let pages = 20

    /// Records announced by nearby devices wait here too, with contents that only those have. They do not keep complete ones from
    /// being written: a page with only such records comes last.
    package func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] {
        var (first, after): ([OutgoingItem]?, Int64) = (nil, 0)
        for _ in 0..<Self.pages {
            let page = try await read(zone) { [after] in try $0.pending(in: $1, limit: limit, after: after) }
            guard var page, !page.items.isEmpty else { break }
            try await passOverContents(of: page.deletions, of: &page.items, in: zone)
            if try await hasWholeGroup(page.items) { return page.items }
            first = first ?? page.items
            after = page.last
        }
        return first ?? []
    }

    /// Where the account has no room, a deletion goes without the contents that the cloud never had: it would wait for the room
    /// that it is to make.
    private func passOverContents(
        of deletions: Set<String>, of items: inout [OutgoingItem], in zone: ZoneName
    ) async throws {
        guard !deletions.isEmpty, let (replica, name) = find(zone), replica.isFull(name) else { return }
        for index in items.indices where deletions.contains(items[index].name) {
            var blobs: [BlobID] = []
            for blob in items[index].blobs where try await !service.blobs.isOwn(blob) { blobs.append(blob) }
            items[index].blobs = blobs
        }
    }

    /// Whether the contents of one group are all on this device.
    private func hasWholeGroup(_ items: [OutgoingItem]) async throws -> Bool {
        var away: Set<Int?> = []
        for item in items where !away.contains(item.group) {
            for blob in item.blobs where try await !service.blobs.isHere(blob) {
                away.insert(item.group)
                break
            }
        }
        return items.contains { !away.contains($0.group) }
    }

    package func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {
        try await read(zone) { try $0.written(items, in: $1) }
        if let (replica, name) = find(zone) { replica.set(name, full: false) }
    }

    package func refused(_ error: BatonError, in zone: ZoneName) async {
        guard let (replica, name) = find(zone) else { return }
        replica.set(name, full: true)
    }

    package func received(_ items: [IncomingItem], in zone: ZoneName) async throws {
        let unreadable = try await read(zone) { try $0.received(items, in: $1) } ?? []
        for (name, error) in unreadable {
            service.recorder.record(
                "records", "item_unreadable", error.message,
                ["zone": zone.name, "record": name.shortened(toBytes: 80), "reason": error.reason])
        }
    }

    package func connected() { service.contentsMayCome() }

    /// Records that wait for contents, and those that are named.
    private static let (waiting, named) = (1000, 5)

    package func findings(in zone: ZoneName) async throws -> [ZoneFinding] {
        guard service.members.hasCloud() else { return [] }
        var names: [String] = []
        let waiting = try await read(zone) { try $0.waitingBlobs(in: $1, limit: Self.waiting) } ?? []
        for item in waiting where names.last != item.name {
            if try await !service.blobs.isHere(item.blob) { names.append(item.name) }
        }
        guard !names.isEmpty else { return [] }
        let some = names.prefix(Self.named).joined(separator: ", ") + (names.count > Self.named ? " …" : "")
        return [
            ZoneFinding(
                "contents",
                "\(names.count) of what waits came from devices that are near, without its contents: \(some)",
                advice: "A device that has the contents sends them to the cloud, or gives them when it is near. "
                    + "Let it be on once.", isFailure: false)
        ]
    }

    package func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        try await startOver(zone, holding: names)
    }

    package func zoneReset(of zone: ZoneName) async throws {
        try await startOver(zone, holding: [])
    }

    /// The cloud may have lost contents too: what is here of them stays until the records are written.
    private func startOver(_ zone: ZoneName, holding names: Set<String>) async throws {
        let blobs = try await read(zone) { transaction, zone in
            try transaction.startedOver(zone, holding: names)
            return try transaction.waitingBlobs(in: zone)
        }
        try await service.blobs.reuse(blobs ?? [])
    }

    package func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {
        try await read(zone) { try $0.didFinishInitialFetch($1) }
    }

    package func neededBlobs(among blobs: Set<BlobID>) async throws -> Set<BlobID> {
        try await service.checkAllOpen()
        var needed: Set<BlobID> = []
        for replica in service.running { needed.formUnion(try await replica.perform { try $0.needed(among: blobs) }) }
        return needed
    }

    package func namedBlobs(among blobs: Set<BlobID>) async throws -> Set<BlobID> {
        try await service.checkAllOpen()
        var named: Set<BlobID> = []
        for replica in service.running { named.formUnion(try await replica.perform { try $0.named(among: blobs) }) }
        return named
    }

    // MARK: Other devices

    package func digest(of zone: ZoneName) async throws -> Data? {
        guard let (replica, name) = find(zone) else { return nil }
        return try await replica.index(of: name) { $0.digest(of: .all).bytes }
    }

    package func digests(of ranges: [ItemRange], in zone: ZoneName) async throws -> [RangeDigest] {
        guard let (replica, name) = find(zone) else { return ranges.map { _ in RangeDigest() } }
        return try await replica.index(of: name) { index in ranges.map(index.digest) }
            ?? ranges.map { _ in RangeDigest() }
    }

    package func stamps(
        in ranges: [ItemRange], of zone: ZoneName, meeting names: Set<String>
    ) async throws -> [String: Data] {
        guard let (replica, name) = find(zone) else { return [:] }
        return try await replica.index(of: name) { $0.stamps(in: ranges) } ?? [:]
    }

    package func stamps(of contents: [String: Data]) -> [String: Data] {
        var stamps: [String: Data] = [:]
        for (text, content) in contents {
            if RecordGraves.isName(text) { stamps[text] = RecordCodec.digest(content) }
            guard let name = RecordCodec.name(text), let record = try? RecordCodec.decode(name, content),
                let own = try? RecordCodec.encode(record)
            else { continue }
            stamps[text] = RecordCodec.digest(own)
        }
        return stamps
    }

    package func contents(of names: [String], in zone: ZoneName) async throws -> [String: Data] {
        try await read(zone) { try $0.contents(of: names, in: $1) } ?? [:]
    }

    package func exchanged(_ contents: [String: Data], in zone: ZoneName) async throws {
        let small = try await read(zone) { transaction, zone in
            try transaction.exchanged(contents, in: zone)
            return try transaction.assets(
                of: Array(contents.keys), in: zone, upTo: SmallAssets.maximumSize, limit: SmallAssets.limit)
        }
        guard let small, !small.isEmpty, let (container, name) = RecordContainer.parse(zone) else { return }
        service.small.add(small.map { .init(container: container, zone: name, asset: $0) })
    }

    package func wantsMeetings(in zone: ZoneName) async throws -> Bool { !service.members.hasCloud() }

    package func met(_ device: DeviceID, in zone: ZoneName, digest: Data?) async throws {
        guard !service.members.hasCloud() else { return }
        // Read before the digest, so that changes made meanwhile do not count as known there.
        let last = try await read(zone) { transaction, _ in transaction.last }
        if let digest { guard try await self.digest(of: zone) == digest else { return } }
        try await read(zone) { try $0.noteMeeting(device, seen: digest == nil ? nil : last, in: $1) }
    }

    package func isAbsent(_ zone: ZoneName) async throws -> Bool {
        guard service.account != nil, let (container, name) = RecordContainer.parse(zone) else { return false }
        guard let replica = service.replica(of: container) else { return await !service.kept().contains(container) }
        return try await replica.perform { try $0.zone(name) == nil }
    }

    // MARK: Replicas

    private func find(_ zone: ZoneName) -> (RecordReplica, RecordZoneName)? {
        guard let (container, name) = RecordContainer.parse(zone), let replica = service.replica(of: container) else {
            return nil
        }
        return (replica, name)
    }

    /// Nil for a zone that is not here.
    @discardableResult
    private func read<Value: Sendable>(
        _ zone: ZoneName, _ body: @escaping @Sendable (ReplicaTransaction, ReplicaZone) throws -> Value
    ) async throws -> Value? {
        guard let (replica, name) = find(zone) else { return nil }
        return try await replica.perform { transaction in
            guard let zone = try transaction.zone(name) else { return nil }
            return try body(transaction, zone)
        }
    }
}
