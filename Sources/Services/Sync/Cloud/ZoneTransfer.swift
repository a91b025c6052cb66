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

    // MARK: Reading

    /// Reads one page.
    /// - Parameter head: the head that the cloud reported last; nil if unknown.
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
        let opened = opened(page.items, zone, source.policy)
        let (items, parked) = (try await named(opened, zone), opened.parked)
        if record.isStartingOver {
            var names = Set(items.lazy.map(\.item.name))
            if !parked.isEmpty { names.formUnion(try await records.names(of: parked, in: zone).values) }
            held.add(names, to: zone)
        }
        // Items that are open now, or were replaced, need not be looked at again.
        let damaged = try await unknown(opened, zone)
        var notes = ZoneNotes(
            parking: parked, damaged: damaged,
            unparking: Set(page.items.map(\.itemID)).subtracting(parked).subtracting(damaged))
        try await receive(items, page, zone, source, &notes)
        record.cursor = page.cursor
        record.position = newest ?? record.position
        // Without a cursor nothing was asked about it.
        if !request.cursor.isEmpty { record.known = 0 }
        guard !page.more else {
            try await records.save(record, of: zone, notes)
            return .page(newest: newest, more: true, isDamaged: opened.isDamaged)
        }
        if record.isStartingOver {
            try await source.startedOver(zone, holding: held.take(zone) ?? [])
            record.isStartingOver = false
        }
        try await source.caughtUp(zone, by: .cloud)
        try await records.save(record, of: zone, notes)
        return .page(newest: newest, more: false, isDamaged: opened.isDamaged)
    }

    /// Gives the source what a page has brought. Where more is to come, groups that are not whole wait for it; what has become of
    /// them when there is no more (some of their items were written again since) is given together.
    private func receive(
        _ items: [ItemGroups.Told], _ page: Baton_Cloud_V1_FetchChangesResponse, _ zone: ZoneName,
        _ source: any ZoneSource, _ notes: inout ZoneNotes
    ) async throws {
        var items = items
        if source.policy.hasGroups {
            let new = Set(page.items.map(\.itemID))
            let first = page.items.first?.version ?? .max
            let kept = try await records.held(in: zone, reaching: page.more ? first : 0)
            // A newer state of an item takes the place of the one that waits.
            let messages = try kept.filter { !new.contains($0.id) }.map {
                try Baton_Cloud_V1_Item(serializedBytes: $0.message)
            }
            items = try await named(opened(messages, zone, source.policy), zone) + items
            notes.releasing = new
            notes.releasesAll = !page.more
            if page.more {
                let (whole, waiting) = ItemGroups.split(items)
                notes.releasing.formUnion(whole.map(\.id))
                let all = Dictionary((page.items + messages).map { ($0.itemID, $0) }) { first, _ in first }
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
        _ zone: ZoneName, _ startOver: SyncStateMachine.StartOver?, _ source: any ZoneSource
    ) async throws -> ZoneRecord {
        let (server, identity) = (cloud.server, try await source.identity(of: zone))
        // Without a cursor nothing would show that versions, which writing has brought, are those of another order.
        guard var record = try await records.record(of: zone), record.server == server,
            startOver != .replaced, !record.cursor.isEmpty || record.isStartingOver,
            record.identity.isEmpty || record.identity == identity
        else {
            held.drop(zone)
            if startOver == .replaced {
                recorder.record(
                    "sync", "order_replaced",
                    "The cloud has lost changes that it had, or has recreated the zone. It is read from its start, and what is "
                        + "missing there is written again.", ["zone": zone.description])
            }
            try await source.orderReplaced(of: zone)
            let record = ZoneRecord(server: server, identity: identity)
            try await records.save(record, of: zone, ZoneNotes(releasesAll: true))
            return record
        }
        record.identity = identity
        guard startOver == .expired || (record.isStartingOver && !held.has(zone)) else { return record }
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
            try await source.caughtUp(zone, by: .cloud)
            return .absent(wasThere: false)
        case "cursor_expired": return .startOver(.expired)
        case "cursor_of_another_time", "cursor_from_the_future", "malformed_cursor": return .startOver(.replaced)
        default: throw error
        }
    }
}
