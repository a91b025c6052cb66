import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

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
    let prepareKeys: @Sendable () async throws -> Void
    /// The names that a zone that is being read anew has brought so far. Lost with the process; then it is read anew again.
    let held: HeldNames

    // MARK: Reading

    /// Reads one page.
    func pull(
        _ zone: ZoneName, _ startOver: SyncStateMachine.StartOver?, into source: any ZoneSource
    ) async throws -> SyncStateMachine.Pulled {
        var record = try await begin(zone, startOver, source)
        try await openParked(zone, record, source)
        let page: Baton_Cloud_V1_FetchChangesResponse
        do {
            page = try await cloud.changes(
                .with {
                    $0.zoneID = codec.zoneID(of: zone)
                    $0.cursor = record.cursor
                })
        } catch let error as BatonError {
            return try await refused(zone, record, error, source)
        }
        let (items, parked, _) = try await opened(page.items, zone, source)
        if record.isStartingOver {
            var names = Set(items.lazy.filter { $0.content != nil }.map(\.name))
            if !parked.isEmpty { names.formUnion(try await self.names(of: parked, zone, source)) }
            held.add(names, to: zone)
        }
        if !items.isEmpty { try await source.received(items, in: zone) }
        record.cursor = page.cursor
        if page.more {
            try await records.save(record, of: zone, parking: parked, unparking: [])
            return .page(newest: page.items.map(\.version).max(), more: true)
        }
        if record.isStartingOver {
            try await source.startedOver(zone, holding: held.take(zone) ?? [])
            record.isStartingOver = false
        }
        try await source.caughtUp(zone, by: .cloud)
        try await records.save(record, of: zone, parking: parked, unparking: [])
        return .page(newest: page.items.map(\.version).max(), more: false)
    }

    /// Where reading goes on.
    private func begin(
        _ zone: ZoneName, _ startOver: SyncStateMachine.StartOver?, _ source: any ZoneSource
    ) async throws -> ZoneRecord {
        let server = cloud.server
        // Without a cursor nothing would tell that versions, which writing has brought, are those of another order.
        guard var record = try await records.record(of: zone), record.server == server,
            startOver != .replaced, !record.cursor.isEmpty || record.isStartingOver
        else {
            held.drop(zone)
            try await source.orderReplaced(of: zone)
            let record = ZoneRecord(server: server)
            try await records.save(record, of: zone, parking: [], unparking: [])
            return record
        }
        guard startOver == .expired || (record.isStartingOver && !held.has(zone)) else { return record }
        held.begin(zone)
        record.cursor = Data()
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

    private typealias Opened = (items: [IncomingItem], parked: Set<Data>, damaged: Set<Data>)

    /// - Returns: the items that could be opened, those whose key is missing, and those that nobody can open.
    private func opened(
        _ items: [Baton_Cloud_V1_Item], _ zone: ZoneName, _ source: any ZoneSource
    ) async throws -> Opened {
        var incoming: [IncomingItem] = []
        var parked: Set<Data> = []
        var damaged: Set<Data> = []
        var deleted: [Data: UInt64] = [:]
        for item in items {
            guard item.hasContent else {
                deleted[item.itemID] = item.version
                continue
            }
            do {
                let (name, content) = try codec.open(item.content.sealed, itemID: item.itemID, in: zone)
                incoming.append(IncomingItem(name: name, version: item.version, content: content))
            } catch let error as BatonError where ZoneCodecReason.later.contains(error.reason) {
                parked.insert(item.itemID)
            } catch {
                // Whoever writes it again mends it.
                damaged.insert(item.itemID)
                recorder.record(
                    "sync", "item_damaged", "An item of the cloud cannot be opened; it is passed over.",
                    ["zone": zone.description, "version": String(item.version)])
            }
        }
        guard !deleted.isEmpty else { return (incoming, parked, damaged) }
        for name in try await source.itemNames(in: zone) {
            guard let version = deleted[codec.itemID(of: name, in: zone)] else { continue }
            incoming.append(IncomingItem(name: name, version: version, content: nil))
        }
        return (incoming, parked, damaged)
    }

    private func names(of items: Set<Data>, _ zone: ZoneName, _ source: any ZoneSource) async throws -> Set<String> {
        try await source.itemNames(in: zone).filter { items.contains(codec.itemID(of: $0, in: zone)) }
    }

    /// Tries again what had no key when it came, for as long as keys turn out to have come.
    private func openParked(
        _ zone: ZoneName, _ record: ZoneRecord, _ source: any ZoneSource
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
            let (items, still, _) = try await opened(answer.items, zone, source)
            if !items.isEmpty { try await source.received(items, in: zone) }
            try await records.save(record, of: zone, parking: [], unparking: Set(parked).subtracting(still))
            guard still.count < parked.count else { return }
        }
    }

    // MARK: Writing

    /// Writes one batch.
    func push(_ zone: ZoneName, from source: any ZoneSource) async throws -> SyncStateMachine.Pushed {
        let pending = try await source.pending(
            in: zone, limit: Self.fitting(Self.batchItems, Int(limits.itemsPerBatch)))
        guard !pending.isEmpty else { return .nothing }
        try await prepareKeys()
        var batch: [OutgoingItem] = []
        var writes: [Baton_Cloud_V1_ItemWrite] = []
        var bytes = 0
        let most = Self.fitting(Self.batchBytes, Int(clamping: limits.batchBytes))
        for item in pending {
            let write = try write(item, zone)
            bytes += write.put.sealed.count
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
            try await source.received(try await conflicts(answer.conflicts, batch, zone, source), in: zone)
            return .conflict
        }
        guard answer.versions.count == batch.count, let newest = answer.versions.max() else {
            throw BatonError(
                .internal, reason: "malformed_answer", "The cloud's answer does not fit what was asked. Update it.")
        }
        try await source.written(zip(batch, answer.versions).map { (item: $0, version: $1) }, in: zone)
        return .written(newest: newest, count: batch.count)
    }

    /// - Parameter told: the cloud's limit; 0 when it has told none.
    private static func fitting(_ own: Int, _ told: Int) -> Int { told > 0 ? min(own, told) : own }

    private func write(_ item: OutgoingItem, _ zone: ZoneName) throws -> Baton_Cloud_V1_ItemWrite {
        var write = Baton_Cloud_V1_ItemWrite()
        write.itemID = codec.itemID(of: item.name, in: zone)
        write.replaces = item.replaces
        guard let content = item.content else {
            write.delete = .init()
            return write
        }
        write.put.sealed = try codec.seal(content, name: item.name, in: zone)
        guard write.put.sealed.count <= limits.itemBytes else {
            throw BatonError(
                .resourceExhausted, reason: "item_too_large",
                "An item of \(write.put.sealed.count) bytes is over the cloud's limit of \(limits.itemBytes). Its operator can "
                    + "raise it.")
        }
        return write
    }

    /// What stood in the way. What is deleted, not there, or damaged has no name but that of the write.
    /// - Throws: `unknown_content_key` when it cannot be read yet: it must not be written over unseen.
    private func conflicts(
        _ items: [Baton_Cloud_V1_Item], _ batch: [OutgoingItem], _ zone: ZoneName, _ source: any ZoneSource
    ) async throws -> [IncomingItem] {
        var (incoming, parked, damaged) = try await opened(items.filter(\.hasContent), zone, source)
        guard parked.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: "cannot_open_yet",
                "The cloud has items that this device cannot open yet: it has not been given their key, or a newer Baton wrote "
                    + "them. Another device of the account must be on once, or this one be updated.")
        }
        let names = Dictionary(batch.map { (codec.itemID(of: $0.name, in: zone), $0.name) }) { first, _ in first }
        for item in items where !item.hasContent || damaged.contains(item.itemID) {
            guard let name = names[item.itemID] else { continue }
            incoming.append(IncomingItem(name: name, version: item.version, content: nil))
        }
        return incoming
    }
}

/// What zones that are being read anew have brought.
///
/// Bound: the names of the zones that are read anew, which their sources will hold besides.
final class HeldNames: Sendable {
    private let names = Mutex<[ZoneName: Set<String>]>([:])

    func begin(_ zone: ZoneName) { names.withLock { $0[zone] = [] } }
    func has(_ zone: ZoneName) -> Bool { names.withLock { $0[zone] != nil } }
    func add(_ more: Set<String>, to zone: ZoneName) { names.withLock { $0[zone, default: []].formUnion(more) } }
    func take(_ zone: ZoneName) -> Set<String>? { names.withLock { $0.removeValue(forKey: zone) } }
    func drop(_ zone: ZoneName) { names.withLock { $0[zone] = nil } }
}
