import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Sync

@testable import BatonCloud

/// A clock that the schedule moves.
final class SimulatedTime: @unchecked Sendable {
    static let start: UInt64 = 1_700_000_000_000
    /// Since the schedule began.
    var now: UInt64 = 1
    var epochs: UInt64 = 0
    var wall: UInt64 { Self.start + now }
}

/// The account's cloud, by the rules of its own memory driver.
struct SimulatedCloud {
    enum Request {
        case changes(Baton_Cloud_V1_FetchChangesRequest)
        case items(Baton_Cloud_V1_FetchItemsRequest)
        case write(Baton_Cloud_V1_WriteItemsRequest)
        case head(Data)
    }

    enum Answer {
        case changes(Baton_Cloud_V1_FetchChangesResponse)
        case items(Baton_Cloud_V1_FetchItemsResponse)
        case write(Baton_Cloud_V1_WriteItemsResponse)
        case head(Baton_Cloud_V1_ZoneHead?)
    }

    /// The contents of a backup.
    struct Kept {
        var account: MemoryAccount
        var membership: SimulatedMembership
    }

    private(set) var kept: Kept
    var membership: SimulatedMembership {
        get { kept.membership }
        set { kept.membership = newValue }
    }
    private var rules: StoreRules
    /// Former contents and tombstones that a lying cloud may bring again.
    private var past: [Data: [(id: ItemID, content: ItemContent?, tombstone: Data?)]] = [:]
    /// Limits of a page, of a batch, and of an answer.
    let pageItems: Int

    init(time: SimulatedTime, pageItems: Int, conflictBytes: Int) throws {
        rules = StoreRules(
            clock: WallClock { Date(timeIntervalSince1970: Double(time.wall) / 1000) },
            random: { count in
                time.epochs += 1
                // Not the same twice, and far apart.
                let number = time.epochs &* 0x9E37_79B9_7F4A_7C15
                return Data((0..<count).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * min($0, 7))) })
            }
        ).withNewIncarnation()
        rules.conflictBytes = conflictBytes
        // Every deletion may be forgotten: readers have to start over.
        rules.retention = 0
        self.pageItems = pageItems
        kept = Kept(account: try Self.account(), membership: SimulatedMembership())
    }

    private static func account() throws -> MemoryAccount {
        guard let space = BlobSpace("a") else { throw StoreRules.unknownAccount }
        return MemoryAccount(
            record: AccountRecord(id: AccountID(unchecked: "A"), rootKey: Data(), statements: [], space: space))
    }

    var heads: [Data: SyncStateMachine.ZoneHead] {
        kept.account.zones.reduce(into: [:]) {
            $0[$1.key.bytes] = .init(version: $1.value.head, epoch: $1.value.epoch)
        }
    }

    func items(of zone: Data) -> [StoredItem] {
        (kept.account.zones[ZoneID(unchecked: zone)]?.items.values).map(Array.init) ?? []
    }

    mutating func answer(_ request: Request) throws -> Answer {
        switch request {
        case .changes(let request):
            var cursor = request.cursor.isEmpty ? nil : try ZoneCursor(decoding: request.cursor)
            cursor?.known = request.known
            let id = ZoneID(unchecked: request.zoneID)
            guard let zone = kept.account.zones[id] else {
                throw cursor == nil ? StoreRules.unknownZone : ZoneCursor.ofAnotherTime
            }
            let page = try zone.changes(after: cursor, limit: PageLimit(items: pageItems, bytes: 1 << 20))
            return .changes(
                .with {
                    $0.items = page.items.map(Self.message)
                    $0.cursor = page.cursor.encoded
                    $0.more = page.hasMore
                })
        case .head(let id):
            guard let head = heads[id] else { return .head(nil) }
            return .head(
                .with {
                    $0.zoneID = id
                    $0.head = head.version
                    $0.epoch = head.epoch
                })
        case .items(let request):
            let zone = try kept.account.zone(ZoneID(unchecked: request.zoneID))
            guard request.itemIds.count <= pageItems else {
                throw BatonError(.resourceExhausted, reason: "answer_too_large", "Ask for fewer.")
            }
            let items = request.itemIds.compactMap { zone.items[ItemID(unchecked: $0)] }
            return .items(.with { $0.items = items.map(Self.message) })
        case .write(let request):
            let writes = request.writes.map { write in
                let content: ItemContent? =
                    if case .put(let put) = write.kind {
                        ItemContent(sealed: put.sealed, blobs: put.blobs.map(BlobHash.init(unchecked:)))
                    } else {
                        nil
                    }
                return ItemWrite(
                    ItemID(unchecked: write.itemID), replaces: write.replaces, content: content,
                    tombstone: write.delete.sealed.isEmpty ? nil : write.delete.sealed)
            }
            guard writes.count <= pageItems else {
                throw BatonError(.resourceExhausted, reason: "too_many_items", "Write fewer.")
            }
            let batch = WriteBatch(key: request.idempotencyKey, writes: writes)
            // Whether they are there, a test sees to by itself.
            for blob in batch.blobs {
                _ = try kept.account.beginBlob(blob, size: 1, rules)
                try kept.account.finishBlob(blob, size: 1, rules)
            }
            switch try kept.account.write(batch, to: ZoneID(unchecked: request.zoneID), rules) {
            case .written(let versions):
                remember(batch, request.zoneID)
                return .write(.with { $0.versions = versions })
            case .conflicts(let items): return .write(.with { $0.conflicts = items.map(Self.message) })
            }
        }
    }

    private static func message(_ item: StoredItem) -> Baton_Cloud_V1_Item {
        .with {
            $0.itemID = item.id.bytes
            $0.version = item.version
            if let content = item.content {
                $0.content.sealed = content.sealed
                $0.content.blobs = content.blobs.map(\.bytes)
            }
            if let tombstone = item.tombstone { $0.deletion.sealed = tombstone }
        }
    }

    // MARK: Trouble

    private mutating func remember(_ batch: WriteBatch, _ zone: Data) {
        past[zone, default: []] += batch.writes.map { ($0.id, $0.content, $0.tombstone) }
    }

    /// Something that no device has asked for: an item is deleted without a word, or is again what it was earlier.
    mutating func lie(in zone: Data, _ random: inout some RandomNumberGenerator) throws -> String? {
        let items = items(of: zone).sorted { $0.id < $1.id }
        let write: ItemWrite
        if Bool.random(using: &random), let old = past[zone]?.randomElement(using: &random) {
            let version = items.first { $0.id == old.id }?.version ?? 0
            write = ItemWrite(old.id, replaces: version, content: old.content, tombstone: old.tombstone)
        } else if let item = items.randomElement(using: &random) {
            write = ItemWrite(item.id, replaces: item.version, content: nil)
        } else {
            return nil
        }
        _ = try kept.account.write(
            WriteBatch(key: rules.random(16), writes: [write]), to: ZoneID(unchecked: zone), rules)
        return String(decoding: write.id.bytes, as: UTF8.self) + (write.content == nil ? " is deleted" : " is put back")
    }

    /// The server starts again.
    mutating func restart() { rules = rules.withNewIncarnation() }

    /// The server starts on its data as they were at an earlier time, without its knowledge.
    mutating func putBack(_ copy: Kept) {
        kept = copy
        restart()
    }

    mutating func forgetDeletions() { kept.account.sweep(rules) }

    mutating func removeZone(_ zone: Data) { _ = kept.account.removeZone(ZoneID(unchecked: zone), 0) }

    /// A backup is played in: what was there then, in another order.
    mutating func restore(_ backup: Kept) throws {
        kept = Kept(account: try Self.account(), membership: backup.membership)
        for (id, zone) in backup.account.zones {
            let items = zone.items.values.filter { $0.content != nil }.sorted { $0.version < $1.version }
            guard !items.isEmpty else { continue }
            let writes = items.map { ItemWrite($0.id, replaces: 0, content: $0.content) }
            _ = try kept.account.write(WriteBatch(key: rules.random(16), writes: writes), to: id, rules)
        }
    }
}

/// The account's membership, as a device knows it.
struct SimulatedMembership: Equatable {
    var members: Set<UInt8> = []
    /// For good.
    var revoked: Set<UInt8> = []

    var present: Set<UInt8> { members.subtracting(revoked) }

    func merged(_ other: Self) -> Self {
        Self(members: members.union(other.members), revoked: revoked.union(other.revoked))
    }
}
