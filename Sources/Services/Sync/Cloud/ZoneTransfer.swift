import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Reads a zone of the cloud into its source, and writes what the source wants written. One for each connection.
struct ZoneTransfer: Sendable {
    /// So many items at once, if they fit, and if the cloud takes as many.
    static let batchItems = 200
    /// Of their contents; the same.
    static let batchBytes = 3 << 20
    private static let parkedAtOnce = 50

    let cloud: any ZoneCloud
    let limits: Baton_Cloud_V1_Limits
    let records: any ZoneRecords
    let codec: any ZoneCodec
    let recorder: any EventRecorder
    let clock: WallClock
    /// Throws while a zone must not be written.
    let prepare: @Sendable (ZoneName) async throws -> Void
    /// The names that a zone that is being read anew has brought so far. Lost with the process; then it is read anew again.
    let held: HeldNames

    // MARK: Reading

    /// Reads one page.
    /// - Parameter head: what the cloud told last of how far the zone has come; nil while that is not known.
    func pull(
        _ zone: ZoneName, _ startOver: SyncStateMachine.StartOver?, head: SyncStateMachine.ZoneHead?,
        into source: any ZoneSource
    ) async throws -> SyncStateMachine.Pulled {
        var record = try await begin(zone, startOver, source)
        try await openParked(zone, &record, head, source)
        let request = Baton_Cloud_V1_FetchChangesRequest.with {
            $0.zoneID = codec.zoneID(of: zone)
            $0.cursor = record.cursor
            $0.known = record.known
        }
        let page: Baton_Cloud_V1_FetchChangesResponse
        do {
            page = try await cloud.changes(request)
        } catch let error as BatonError {
            return try await refused(zone, record, error, source)
        }
        let newest = page.items.last?.version
        try Self.checkProgress(page, after: record.position)
        try await check(newest, zone, head)
        let opened = opened(page.items, zone)
        let (items, parked) = (try await named(opened, zone, source), opened.parked)
        if record.isStartingOver {
            var names = Set(items.lazy.map(\.name))
            if !parked.isEmpty { names.formUnion(try await self.names(of: parked, zone, source)) }
            held.add(names, to: zone)
        }
        if !items.isEmpty { try await source.received(items, in: zone) }
        record.cursor = page.cursor
        record.position = newest ?? record.position
        // Without a cursor nothing was asked about it.
        if !request.cursor.isEmpty { record.known = 0 }
        // What was opened now, or is another thing now, need not be looked at again.
        let settled = Set(page.items.map(\.itemID)).subtracting(parked)
        if page.more {
            try await records.save(record, of: zone, parking: parked, unparking: settled)
            return .page(newest: newest, more: true, isDamaged: opened.isDamaged)
        }
        if record.isStartingOver {
            try await source.startedOver(zone, holding: held.take(zone) ?? [])
            record.isStartingOver = false
        }
        try await source.caughtUp(zone, by: .cloud)
        try await records.save(record, of: zone, parking: parked, unparking: settled)
        return .page(newest: newest, more: false, isDamaged: opened.isDamaged)
    }

    /// Where reading goes on.
    private func begin(
        _ zone: ZoneName, _ startOver: SyncStateMachine.StartOver?, _ source: any ZoneSource
    ) async throws -> ZoneRecord {
        let (server, identity) = (cloud.server, try await source.identity(of: zone))
        // Without a cursor nothing would tell that versions, which writing has brought, are those of another order.
        guard var record = try await records.record(of: zone), record.server == server,
            startOver != .replaced, !record.cursor.isEmpty || record.isStartingOver,
            record.identity.isEmpty || record.identity == identity
        else {
            held.drop(zone)
            if startOver == .replaced {
                recorder.record(
                    "sync", "order_replaced",
                    "The cloud has lost changes that it had, or has made the zone anew. It is read from its start, and what is "
                        + "missing there is written again.", ["zone": zone.description])
            }
            try await source.orderReplaced(of: zone)
            let record = ZoneRecord(server: server, identity: identity)
            try await records.save(record, of: zone, parking: [], unparking: [])
            return record
        }
        record.identity = identity
        guard startOver == .expired || (record.isStartingOver && !held.has(zone)) else { return record }
        held.begin(zone)
        record.cursor = Data()
        record.position = 0
        record.isStartingOver = true
        try await records.save(record, of: zone, parking: [], unparking: [])
        return record
    }

    private func refused(
        _ zone: ZoneName, _ record: ZoneRecord, _ error: BatonError, _ source: any ZoneSource
    ) async throws -> SyncStateMachine.Pulled {
        switch error.reason {
        case "unknown_zone":
            guard record.cursor.isEmpty, !record.isStartingOver else { return .absent(wasThere: true) }
            try await source.caughtUp(zone, by: .cloud)
            return .absent(wasThere: false)
        case "cursor_expired": return .startOver(.expired)
        case "cursor_of_another_time", "cursor_from_the_future", "malformed_cursor": return .startOver(.replaced)
        default: throw error
        }
    }

    private struct Opened {
        var items: [IncomingItem] = []
        /// Those whose key is missing.
        var parked: Set<Data> = []
        /// Versions of deletions that tell no name, and of what nobody can open.
        var deleted: [Data: UInt64] = [:]
        /// There was something that nobody can open.
        var isDamaged = false
    }

    private func opened(_ items: [Baton_Cloud_V1_Item], _ zone: ZoneName) -> Opened {
        var opened = Opened()
        for item in items {
            let sealed = item.hasContent ? item.content.sealed : item.deletion.sealed
            guard item.hasContent || !sealed.isEmpty else {
                opened.deleted[item.itemID] = item.version
                continue
            }
            do {
                let (name, content) = try codec.open(sealed, itemID: item.itemID, in: zone)
                let state: ItemState = item.hasContent ? .content(content) : .deleted(tombstone: content)
                opened.items.append(IncomingItem(name: name, version: item.version, state: state))
            } catch let error as BatonError where ZoneCodecReason.later.contains(error.reason) {
                opened.parked.insert(item.itemID)
            } catch {
                // As good as gone: whoever has it writes it again.
                opened.deleted[item.itemID] = item.version
                opened.isDamaged = true
                recorder.record(
                    "sync", "item_damaged",
                    item.hasContent
                        ? "An item of the cloud is damaged: it cannot be opened."
                        : "What the cloud tells of a deletion cannot be opened.",
                    ["zone": zone.description, "version": String(item.version)])
            }
        }
        return opened
    }

    /// Deletions without a word are told by the blinded name only.
    private func named(
        _ opened: Opened, _ zone: ZoneName, _ source: any ZoneSource
    ) async throws -> [IncomingItem] {
        guard !opened.deleted.isEmpty else { return opened.items }
        return try await source.itemNames(in: zone).reduce(into: opened.items) { items, name in
            guard let version = opened.deleted[codec.itemID(of: name, in: zone)] else { return }
            items.append(IncomingItem(name: name, version: version, content: nil))
        }
    }

    private func names(of items: Set<Data>, _ zone: ZoneName, _ source: any ZoneSource) async throws -> Set<String> {
        try await source.itemNames(in: zone).filter { items.contains(codec.itemID(of: $0, in: zone)) }
    }

    /// Tries again what had no key when it came, for as long as keys turn out to have come.
    private func openParked(
        _ zone: ZoneName, _ record: inout ZoneRecord, _ head: SyncStateMachine.ZoneHead?, _ source: any ZoneSource
    ) async throws {
        var atOnce = Self.parkedAtOnce
        while true {
            let parked = try await records.parked(in: zone, limit: atOnce)
            guard !parked.isEmpty else { return }
            let answer: Baton_Cloud_V1_FetchItemsResponse
            do {
                answer = try await cloud.items(
                    .with {
                        $0.zoneID = codec.zoneID(of: zone)
                        $0.itemIds = parked
                    })
            } catch let error as BatonError where error.reason == "unknown_zone" {
                return try await records.save(record, of: zone, parking: [], unparking: Set(parked))
            } catch let error as BatonError where error.reason == "answer_too_large" && parked.count > 1 {
                atOnce = parked.count / 2
                continue
            }
            let newest = answer.items.map(\.version).max()
            try await check(newest, zone, head)
            record.known = max(record.known, newest ?? 0)
            let opened = opened(answer.items, zone)
            let (items, still) = (try await named(opened, zone, source), opened.parked)
            if !items.isEmpty { try await source.received(items, in: zone) }
            if record.isStartingOver { held.add(Set(items.map(\.name)), to: zone) }
            try await records.save(record, of: zone, parking: [], unparking: Set(parked).subtracting(still))
            guard still.count < parked.count else { return }
        }
    }

    // MARK: Writing

    /// Writes one batch.
    /// - Parameter head: as for ``pull(_:_:head:into:)``.
    func push(
        _ zone: ZoneName, head: SyncStateMachine.ZoneHead?, from source: any ZoneSource
    ) async throws -> SyncStateMachine.Pushed {
        let pending = try await writable(zone, source)
        guard !pending.isEmpty else { return .nothing }
        try await prepare(zone)
        var batch: [OutgoingItem] = []
        var writes: [Baton_Cloud_V1_ItemWrite] = []
        var bytes = 0
        let most = Self.fitting(Self.batchBytes, Int(clamping: limits.batchBytes))
        for item in pending {
            let write = try write(item, zone)
            bytes += write.put.sealed.count + write.delete.sealed.count
            guard batch.isEmpty || bytes <= most else { break }
            batch.append(item)
            writes.append(write)
        }
        let message = Baton_Cloud_V1_WriteItemsRequest.with {
            $0.zoneID = codec.zoneID(of: zone)
            $0.idempotencyKey = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
            $0.writes = writes
        }
        let answer = try await cloud.write(message)
        guard answer.conflicts.isEmpty else {
            guard !Self.areOlder(answer.conflicts, than: writes) else { return .otherOrder }
            let newest = answer.conflicts.map(\.version).max() ?? 0
            try await check(newest, zone, head)
            try await keep(newest, zone)
            try await source.received(try await conflicts(answer.conflicts, batch, zone), in: zone)
            return .conflict
        }
        guard answer.versions.count == batch.count, let first = answer.versions.first,
            let newest = answer.versions.last,
            zip(answer.versions, answer.versions.dropFirst()).allSatisfy(<)
        else { throw Self.malformed("does not fit what was asked") }
        // Nobody else has written, which is the rule: it is as it must be.
        let isNext = first > 0 && first - 1 == head?.version && newest - first == UInt64(batch.count - 1)
        if !isNext { try await check(newest, zone, head) }
        try await keep(newest, zone)
        try await source.written(zip(batch, answer.versions).map { (item: $0, version: $1) }, in: zone)
        return .written(newest: newest, count: batch.count)
    }

    /// Versions of a zone only grow. One that was less than it had been would stay in the way for ever: the zone was deleted and
    /// made again, or what the cloud told before was wrong.
    private static func areOlder(_ items: [Baton_Cloud_V1_Item], than writes: [Baton_Cloud_V1_ItemWrite]) -> Bool {
        let replaced = Dictionary(writes.map { ($0.itemID, $0.replaces) }) { first, _ in first }
        return items.contains { item in item.version > 0 && item.version < replaced[item.itemID] ?? 0 }
    }

    /// So many items that cannot be opened yet do not keep others from being written.
    private static let passedOver = 1000

    /// What may be written now: nothing is written over that could not be opened yet.
    /// - Throws: `cannot_open_yet` when that is all that waits.
    private func writable(_ zone: ZoneName, _ source: any ZoneSource) async throws -> [OutgoingItem] {
        let limit = Self.fitting(Self.batchItems, Int(limits.itemsPerBatch))
        guard try await !records.parked(in: zone, limit: 1).isEmpty else {
            return try await source.pending(in: zone, limit: limit)
        }
        let pending = try await source.pending(in: zone, limit: limit + Self.passedOver)
        let items = pending.map { codec.itemID(of: $0.name, in: zone) }
        let parked = Set(try await records.parked(items, in: zone).keys).subtracting(try await givenUp(items, zone))
        let writable = zip(pending, items).filter { !parked.contains($1) }.map(\.0).prefix(limit)
        guard pending.isEmpty || !writable.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: "cannot_open_yet",
                "The cloud has items that this device cannot open yet: it has not been given their key, or a newer Baton wrote "
                    + "them. Another device of the account must be on once, or this one be updated.")
        }
        return Array(writable)
    }

    /// What could not be opened for so long that nobody can: it no longer keeps its name from being written.
    private static let patience: UInt64 = 90 * 24 * 60 * 60 * 1000

    private func givenUp(_ items: [Data], _ zone: ZoneName) async throws -> Set<Data> {
        let now = clock.milliseconds
        let old = try await records.parked(items, in: zone).filter { now > $0.value && now - $0.value > Self.patience }
        return Set(old.keys)
    }

    /// - Parameter told: the cloud's limit; 0 when it has told none.
    private static func fitting(_ own: Int, _ told: Int) -> Int { told > 0 ? min(own, told) : own }

    private func write(_ item: OutgoingItem, _ zone: ZoneName) throws -> Baton_Cloud_V1_ItemWrite {
        var write = Baton_Cloud_V1_ItemWrite()
        write.itemID = codec.itemID(of: item.name, in: zone)
        write.replaces = item.replaces
        guard let content = item.content else {
            write.delete = .init()
            if case .deleted(let tombstone?) = item.state {
                write.delete.sealed = try codec.seal(tombstone, name: item.name, in: zone)
            }
            return write
        }
        write.put.sealed = try codec.seal(content, name: item.name, in: zone)
        guard write.put.sealed.count <= limits.itemBytes else {
            throw BatonError(
                .resourceExhausted, reason: "item_too_large",
                "An item is over the cloud's limit of \(ByteSize.text(limits.itemBytes)). Its operator can raise it.")
        }
        return write
    }

    /// What stood in the way. What is deleted, not there, or damaged has no name but that of the write. What cannot be opened
    /// yet is remembered: it must not be written over unseen.
    private func conflicts(
        _ items: [Baton_Cloud_V1_Item], _ batch: [OutgoingItem], _ zone: ZoneName
    ) async throws -> [IncomingItem] {
        let opened = opened(items, zone)
        let given = try await givenUp(Array(opened.parked), zone)
        if !opened.parked.isEmpty {
            guard let record = try await records.record(of: zone) else {
                throw BatonError(.aborted, reason: "not_read", "The zone was not read yet. It is read first.")
            }
            try await records.save(record, of: zone, parking: opened.parked, unparking: [])
        }
        let names = Dictionary(batch.map { (codec.itemID(of: $0.name, in: zone), $0.name) }) { first, _ in first }
        var incoming = opened.items
        for item in items where opened.deleted[item.itemID] != nil || given.contains(item.itemID) {
            guard let name = names[item.itemID] else { continue }
            incoming.append(IncomingItem(name: name, version: item.version, content: nil))
        }
        return incoming
    }
}
