import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Reads a zone of the cloud into its source, and writes what the source wants written. One for each connection.
struct ZoneTransfer: Sendable {
    let cloud: any ZoneCloud
    let limits: Baton_Cloud_V1_Limits
    let records: any ZoneRecords
    let codec: any ZoneCodec
    let recorder: any EventRecorder
    let clock: WallClock
    /// Throws while a zone must not be written.
    let prepare: @Sendable (ZoneName) async throws -> Void
    let blobs: (service: BlobService, cloud: any BlobCloud)?
    /// The names received so far by a zone that is being read again. Lost with the process; then reading starts again.
    let held: ResyncNames
    var gathering = Gathering.none

    // MARK: Reading

    /// Reads as many pages as ``gathering`` says.
    /// - Parameter head: the head that the cloud reported last; nil if unknown.
    func pull(
        _ zone: ZoneName, _ resync: SyncStateMachine.Resync?, head: SyncStateMachine.ZoneHead?,
        into source: any ZoneSource
    ) async throws -> SyncStateMachine.Pulled {
        var record = try await begin(zone, resync, source)
        try await openParked(zone, &record, head, source)
        var pages: Pages
        do {
            pages = try await self.pages(from: record, of: zone, source.policy, head: head)
        } catch let error as BatonError {
            return try await refused(zone, record, error, source)
        }
        var (newest, isDamaged) = (pages.newest, pages.opened.isDamaged)
        for round in 1... {
            (record.cursor, record.known) = (pages.cursor, pages.known)
            record.position = pages.newest ?? record.position
            let (place, isLast) = (record, !pages.more || round >= gathering.rounds)
            // The next ones come meanwhile. If they do not, the next operation finds out why.
            async let following =
                isLast ? nil : try? self.pages(from: place, of: zone, source.policy, head: head)
            try await take(pages, zone, &record, source)
            guard let next = await following else { break }
            pages = next
            newest = pages.newest ?? newest
            isDamaged = isDamaged || pages.opened.isDamaged
        }
        return .page(newest: newest, more: pages.more, isDamaged: isDamaged)
    }

    /// - Parameter record: the place after these pages.
    private func take(
        _ pages: Pages, _ zone: ZoneName, _ record: inout ZoneRecord, _ source: any ZoneSource
    ) async throws {
        let (items, parked) = (try await named(pages.opened, zone), pages.opened.parked)
        if record.isStartingOver {
            var names = Set(items.lazy.map(\.item.name))
            if !parked.isEmpty { names.formUnion(try await records.names(of: parked, in: zone).values) }
            held.add(names, to: zone)
        }
        // Items that are open now, or were replaced, need not be looked at again.
        let damaged = try await unknown(pages.opened, zone)
        var notes = ZoneNotes(
            parking: parked, damaged: damaged, unparking: pages.ids.subtracting(parked).subtracting(damaged))
        try await receive(items, pages, zone, source, &notes)
        if !pages.more {
            if record.isStartingOver {
                try await source.startedOver(zone, holding: held.take(zone) ?? [])
                record.isStartingOver = false
            }
            try await source.didFinishInitialFetch(zone, by: .cloud)
        }
        try await records.save(record, of: zone, notes)
    }

    /// Gives the source what pages have brought. Where more is to come, groups that are not whole wait for it; what has become of
    /// them when there is no more (some of their items were written again since) is given together.
    private func receive(
        _ items: [ItemGroups.Told], _ pages: Pages, _ zone: ZoneName, _ source: any ZoneSource,
        _ notes: inout ZoneNotes
    ) async throws {
        var items = items
        if source.policy.hasGroups {
            let new = pages.ids
            let first = pages.items.first?.version ?? .max
            let kept = try await records.held(in: zone, reaching: pages.more ? first : 0)
            // A newer state of an item takes the place of the one that waits.
            let messages = try kept.filter { !new.contains($0.id) }.map {
                try Baton_Cloud_V1_Item(serializedBytes: $0.message)
            }
            items = try await named(opened(messages, zone, source.policy), zone) + items
            notes.releasing = new
            notes.releasesAll = !pages.more
            if pages.more {
                let (whole, waiting) = ItemGroups.split(items)
                notes.releasing.formUnion(whole.map(\.id))
                let all = Dictionary((pages.items + messages).map { ($0.itemID, $0) }) { first, _ in first }
                for item in waiting {
                    guard let message = all[item.id], let span = item.span else { continue }
                    notes.holding.append(
                        HeldItem(id: item.id, last: span.upperBound, message: try message.serializedData()))
                }
                items = whole
            }
        }
        note(items, &notes)
        if !items.isEmpty { try await source.received(items.map(\.item), in: zone) }
    }

    /// A deleted item needs no name any more once its deletion was reported.
    private func note(_ items: [ItemGroups.Told], _ notes: inout ZoneNotes) {
        for told in items {
            notes.names[told.id] = .some(told.isGone ? nil : told.item.name)
        }
    }

    /// The position where reading continues.
    private func begin(
        _ zone: ZoneName, _ resync: SyncStateMachine.Resync?, _ source: any ZoneSource
    ) async throws -> ZoneRecord {
        let (server, identity) = (cloud.server, try await source.identity(of: zone))
        // Without a cursor nothing would show that versions, which writing has brought, are those of another order.
        guard var record = try await records.record(of: zone), record.server == server,
            resync != .replaced, !record.cursor.isEmpty || record.isStartingOver,
            record.identity.isEmpty || record.identity == identity
        else {
            held.drop(zone)
            if resync == .replaced {
                recorder.record(
                    "sync", "order_replaced",
                    "The cloud has lost changes that it had, or has recreated the zone. It is read from its start, and what is "
                        + "missing there is written again.", ["zone": zone.description])
            }
            try await source.zoneReset(of: zone)
            let record = ZoneRecord(server: server, identity: identity)
            try await records.save(record, of: zone, ZoneNotes(releasesAll: true))
            return record
        }
        record.identity = identity
        guard resync == .expired || (record.isStartingOver && !held.has(zone)) else { return record }
        held.begin(zone)
        record.cursor = Data()
        record.position = 0
        record.isStartingOver = true
        try await records.save(record, of: zone, ZoneNotes(releasesAll: true))
        return record
    }

    private func refused(
        _ zone: ZoneName, _ record: ZoneRecord, _ error: BatonError, _ source: any ZoneSource
    ) async throws -> SyncStateMachine.Pulled {
        switch error.reason {
        case "unknown_zone":
            guard record.cursor.isEmpty, !record.isStartingOver else { return .absent(wasThere: true) }
            try await source.didFinishInitialFetch(zone, by: .cloud)
            return .absent(wasThere: false)
        case "cursor_expired": return .resync(.expired)
        case "cursor_of_another_time", "cursor_from_the_future", "malformed_cursor": return .resync(.replaced)
        default: throw error
        }
    }
}
