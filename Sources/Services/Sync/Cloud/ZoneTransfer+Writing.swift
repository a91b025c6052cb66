import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// From what a source wants written to a batch of the cloud.
extension ZoneTransfer {
    /// Items in one batch, if they fit, and if the cloud accepts as many.
    static let batchItems = 500
    /// Bytes of their contents; the same.
    static let batchBytes = 3 << 20

    /// Items that are written together or not at all.
    private struct Group {
        var items: [OutgoingItem] = []
        var writes: [Baton_Cloud_V1_ItemWrite] = []
        var bytes = 0

        mutating func add(_ other: Group) {
            items += other.items
            writes += other.writes
            bytes += other.bytes
        }
    }

    /// Writes one batch.
    /// - Parameter head: as for ``pull(_:_:head:into:)``.
    func push(
        _ zone: ZoneName, head: SyncStateMachine.ZoneHead?, from source: any ZoneSource
    ) async throws -> SyncStateMachine.Pushed {
        let pending = try await writable(zone, source)
        guard !pending.isEmpty else { return .nothing }
        try await prepare(zone)
        let batch = try await batch(try await delivered(pending), zone, source.policy)
        try await records.remember(
            Dictionary(zip(batch.writes.map(\.itemID), batch.items.map(\.name))) { first, _ in first }, in: zone)
        let answer: Baton_Cloud_V1_WriteItemsResponse
        do {
            answer = try await cloud.write(
                .with {
                    $0.zoneID = codec.zoneID(of: zone)
                    $0.idempotencyKey = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
                    $0.writes = batch.writes
                })
        } catch let error as BatonError where error.reason == "blob_missing" {
            // The cloud has removed it meanwhile, since nothing named it: it is uploaded again.
            blobs?.service.doubt()
            throw error
        }
        guard answer.conflicts.isEmpty else {
            guard !Self.areOlder(answer.conflicts, than: batch.writes) else { return .otherOrder }
            let newest = answer.conflicts.map(\.version).max() ?? 0
            try await check(newest, zone, head)
            try await keep(newest, zone)
            // Some items of a group would stand in the way, and others arrive later.
            let read = try await records.record(of: zone)?.position ?? 0
            if source.policy.hasGroups, newest > read { return .behind }
            try await source.received(try await conflicts(answer.conflicts, batch.items, zone, source.policy), in: zone)
            return .conflict
        }
        guard answer.versions.count == batch.items.count, let first = answer.versions.first,
            let newest = answer.versions.last,
            zip(answer.versions, answer.versions.dropFirst()).allSatisfy(<)
        else { throw Self.malformed("does not match the request") }
        // No other device has written, which is the rule: it is as it must be.
        let isNext = first > 0 && first - 1 == head?.version && newest - first == UInt64(batch.items.count - 1)
        if !isNext { try await check(newest, zone, head) }
        try await keep(newest, zone)
        try await source.written(zip(batch.items, answer.versions).map { (item: $0, version: $1) }, in: zone)
        try await blobs?.service.shared(Set(batch.items.flatMap(\.blobs)))
        return .written(newest: newest, count: batch.items.count)
    }

    /// As many groups as fit, one at least.
    private func batch(_ groups: [[OutgoingItem]], _ zone: ZoneName, _ policy: ZonePolicy) async throws -> Group {
        let mostItems = Self.fitting(Self.batchItems, Int(limits.itemsPerBatch))
        let mostBytes = Self.fitting(Self.batchBytes, Int(clamping: limits.batchBytes))
        var batch = Group()
        var names: Set<String> = []
        for group in groups {
            // A batch has an item once.
            guard group.allSatisfy({ names.insert($0.name).inserted }) else { break }
            guard batch.items.isEmpty || batch.items.count + group.count <= mostItems else { break }
            guard let count = UInt16(exactly: group.count), group.count <= mostItems else {
                throw Self.tooLarge("\(group.count) items are to be written together; \(mostItems) may be.")
            }
            var sealed = Group(items: group)
            for (index, item) in group.enumerated() {
                let frame = ItemFrame(index: UInt16(clamping: index), count: count)
                let write = try write(item, policy.isFramed ? frame : nil, zone, policy)
                sealed.bytes += write.put.sealed.count + 32 * write.put.blobs.count + write.delete.sealed.count
                sealed.writes.append(write)
            }
            guard batch.items.isEmpty || batch.bytes + sealed.bytes <= mostBytes else { break }
            guard group.count == 1 || sealed.bytes <= mostBytes else {
                throw Self.tooLarge("Items to be written together are over \(ByteSize.text(mostBytes)).")
            }
            batch.add(sealed)
        }
        return batch
    }

    private static func tooLarge(_ message: String) -> BatonError {
        BatonError(.resourceExhausted, reason: "group_too_large", message + " It is not written.")
    }

    /// Versions of a zone only grow. One that was less than it had been would stay in the way for ever: the zone was deleted and
    /// made again, or what the cloud reported before was wrong.
    private static func areOlder(_ items: [Baton_Cloud_V1_Item], than writes: [Baton_Cloud_V1_ItemWrite]) -> Bool {
        let replaced = Dictionary(writes.map { ($0.itemID, $0.replaces) }) { first, _ in first }
        return items.contains { item in item.version > 0 && item.version < replaced[item.itemID] ?? 0 }
    }

    // MARK: Writable items

    /// This many items that cannot be opened yet do not keep others from being written.
    private static let passedOver = 1000

    /// Those whose blobs are in the cloud, to which they are brought first.
    /// - Throws: `blob_not_here` when that is none.
    private func delivered(_ groups: [[OutgoingItem]]) async throws -> [[OutgoingItem]] {
        let named = Set(groups.joined().lazy.filter { $0.content != nil }.flatMap(\.blobs))
        guard !named.isEmpty else { return groups }
        guard let blobs else { throw Self.blobsAbsent }
        let most = Self.fitting(1000, Int(limits.blobsPerItem))
        let absent: Set<BlobID>
        do {
            absent = try await blobs.service.deliver(named, to: blobs.cloud, atOnce: most)
        } catch let error as BatonError where error.reason == "quota_exceeded" {
            // Items that need no such room, such as deletions, do not wait for it, nor do those whose blobs came before it was
            // full.
            let rest = groups.filter { group in
                group.allSatisfy { $0.content == nil || blobs.service.areDelivered($0.blobs) }
            }
            guard !rest.isEmpty else { throw error }
            return rest
        }
        let ready = groups.filter { group in
            group.allSatisfy { $0.content == nil || absent.isDisjoint(with: $0.blobs) }
        }
        guard !ready.isEmpty else { throw Self.blobsAbsent }
        return ready
    }

    private static let blobsAbsent = BatonError(
        .failedPrecondition, reason: "blob_not_here",
        "Contents that are to be written are neither on this device nor in the cloud. A device that has them must be on once."
    )

    /// The items that may be written now, in groups: an item that could not be opened yet is never overwritten.
    /// - Throws: `cannot_open_yet` when only such items wait.
    private func writable(_ zone: ZoneName, _ source: any ZoneSource) async throws -> [[OutgoingItem]] {
        let limit = Self.fitting(Self.batchItems, Int(limits.itemsPerBatch))
        guard try await !records.parked(in: zone, limit: 1).isEmpty else {
            return Self.first(limit, of: Self.groups(try await source.pending(in: zone, limit: limit)))
        }
        let pending = try await source.pending(in: zone, limit: limit + Self.passedOver)
        let items = pending.map { codec.itemID(of: $0.name, in: zone) }
        let parked = Set(try await records.parked(items, in: zone).keys).subtracting(try await givenUp(items, zone))
        let names = Set(zip(pending, items).lazy.filter { parked.contains($1) }.map(\.0.name))
        let writable = Self.groups(pending).filter { group in group.allSatisfy { !names.contains($0.name) } }
        guard pending.isEmpty || !writable.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: "cannot_open_yet",
                "The cloud has items that this device cannot open yet: it has not been given their key, or a newer Baton wrote "
                    + "them. Another device of the account must be on once, or this one be updated.")
        }
        return Self.first(limit, of: writable)
    }

    private static func groups(_ items: [OutgoingItem]) -> [[OutgoingItem]] {
        items.reduce(into: []) { groups, item in
            if let group = item.group, groups.last?.last?.group == group {
                groups[groups.count - 1].append(item)
            } else {
                groups.append([item])
            }
        }
    }

    /// The groups that begin among the first `limit` items.
    private static func first(_ limit: Int, of groups: [[OutgoingItem]]) -> [[OutgoingItem]] {
        var count = 0
        return Array(
            groups.prefix { group in
                defer { count += group.count }
                return count < limit
            })
    }

    /// After this time no device can open the item any more, so its name may be written again.
    private static let patience: UInt64 = 90 * 24 * 60 * 60 * 1000

    private func givenUp(_ items: [Data], _ zone: ZoneName) async throws -> Set<Data> {
        let now = clock.milliseconds
        let old = try await records.parked(items, in: zone).filter { now > $0.value && now - $0.value > Self.patience }
        return Set(old.keys)
    }

    /// - Parameter told: the cloud's limit; 0 when it has reported none.
    private static func fitting(_ own: Int, _ told: Int) -> Int { told > 0 ? min(own, told) : own }

    // MARK: Items

    /// - Parameter frame: nil for a kind that has none.
    private func write(
        _ item: OutgoingItem, _ frame: ItemFrame?, _ zone: ZoneName, _ policy: ZonePolicy
    ) throws -> Baton_Cloud_V1_ItemWrite {
        var write = Baton_Cloud_V1_ItemWrite()
        write.itemID = codec.itemID(of: item.name, in: zone)
        write.replaces = item.replaces
        switch item.state {
        case .content(let content):
            write.put.sealed = try codec.seal(frame?.framed(content) ?? content, name: item.name, in: zone)
            write.put.blobs = item.blobs.map(\.bytes)
        case .deleted(nil): write.delete = .init()
        case .deleted(let tombstone?):
            var frame = frame
            frame?.isDeletion = policy.deletions == .kept
            let sealed = try codec.seal(frame?.framed(tombstone) ?? tombstone, name: item.name, in: zone)
            if policy.deletions == .kept { write.put.sealed = sealed } else { write.delete.sealed = sealed }
        }
        guard write.put.sealed.count + 32 * write.put.blobs.count <= limits.itemBytes else {
            throw BatonError(
                .resourceExhausted, reason: "item_too_large",
                "An item is over the cloud's limit of \(ByteSize.text(limits.itemBytes)). Its operator can raise it.")
        }
        return write
    }

    /// The items that conflicted. Deleted, absent and damaged ones take the name of the write. Items that cannot be
    /// opened yet are remembered: they must not be overwritten unseen.
    private func conflicts(
        _ items: [Baton_Cloud_V1_Item], _ batch: [OutgoingItem], _ zone: ZoneName, _ policy: ZonePolicy
    ) async throws -> [IncomingItem] {
        let opened = opened(items, zone, policy)
        let given = try await givenUp(Array(opened.parked), zone)
        if !opened.parked.isEmpty {
            guard let record = try await records.record(of: zone) else {
                throw BatonError(.aborted, reason: "not_read", "The zone was not read yet. It is read first.")
            }
            try await records.save(record, of: zone, parking: opened.parked)
        }
        let names = Dictionary(batch.map { (codec.itemID(of: $0.name, in: zone), $0.name) }) { first, _ in first }
        var incoming = opened.items.map(\.item)
        for item in items where opened.deleted[item.itemID] != nil || given.contains(item.itemID) {
            guard let name = names[item.itemID] else { continue }
            incoming.append(IncomingItem(name: name, version: item.version, content: nil))
        }
        return incoming
    }
}
