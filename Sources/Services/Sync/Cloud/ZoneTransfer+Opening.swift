import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Turns what the cloud sends into what a source understands.
extension ZoneTransfer {
    private static let parkedAtOnce = 50

    struct Opened {
        var items: [ItemGroups.Told] = []
        /// Those whose key is missing.
        var parked: Set<Data> = []
        /// Versions of deletions without a name, and of what cannot be opened.
        var deleted: [Data: UInt64] = [:]
        /// Those that cannot be opened as they came.
        var damaged: Set<Data> = []
        var isDamaged: Bool { !damaged.isEmpty }

        mutating func add(_ other: Opened) {
            items += other.items
            parked.formUnion(other.parked)
            deleted.merge(other.deleted) { $1 }
            damaged.formUnion(other.damaged)
        }
    }

    func opened(_ items: [Baton_Cloud_V1_Item], _ zone: ZoneName, _ policy: ZonePolicy) -> Opened {
        var opened = Opened()
        for item in items {
            guard item.hasContent || !item.deletion.sealed.isEmpty else {
                opened.deleted[item.itemID] = item.version
                continue
            }
            do {
                opened.items.append(try open(item, zone, policy))
            } catch let error as BatonError where ZoneCodecReason.later.contains(error.reason) {
                opened.parked.insert(item.itemID)
            } catch {
                // As good as gone: a device that has it writes it again.
                opened.deleted[item.itemID] = item.version
                opened.damaged.insert(item.itemID)
                recorder.record(
                    "sync", "item_damaged",
                    item.hasContent
                        ? "An item of the cloud is damaged: it cannot be opened."
                        : "A deletion in the cloud is damaged: it cannot be opened.",
                    ["zone": zone.description, "version": String(item.version)])
            }
        }
        return opened
    }

    private func open(
        _ item: Baton_Cloud_V1_Item, _ zone: ZoneName, _ policy: ZonePolicy
    ) throws -> ItemGroups.Told {
        let sealed = item.hasContent ? item.content.sealed : item.deletion.sealed
        var (name, content) = try codec.open(sealed, itemID: item.itemID, in: zone)
        var frame = ItemFrame()
        if policy.isFramed { (frame, content) = try ItemFrame.open(content) }
        let isDeleted = !item.hasContent || (frame.isDeletion && policy.deletions == .kept)
        let incoming = IncomingItem(
            name: name, version: item.version, state: isDeleted ? .deleted(tombstone: content) : .content(content),
            blobs: item.content.blobs.compactMap(BlobID.init))
        return ItemGroups.Told(id: item.itemID, item: incoming, frame: frame, isGone: !item.hasContent)
    }

    /// Damaged items whose names this device does not know. They may only have been damaged in transit, so they are
    /// requested again; a device that knows them writes them again.
    func unknown(_ opened: Opened, _ zone: ZoneName) async throws -> Set<Data> {
        opened.damaged.subtracting(try await records.names(of: opened.damaged, in: zone).keys)
    }

    /// Deletions without a tombstone are reported by the blinded name only.
    func named(_ opened: Opened, _ zone: ZoneName) async throws -> [ItemGroups.Told] {
        let names = try await records.names(of: Set(opened.deleted.keys), in: zone)
        return names.reduce(into: opened.items) { items, known in
            guard let version = opened.deleted[known.key] else { return }
            let item = IncomingItem(name: known.value, version: version, content: nil)
            items.append(ItemGroups.Told(id: known.key, item: item, frame: ItemFrame(), isGone: false))
        }
    }

    /// Tries again items that had no key when they came, until no more keys turn up.
    func openParked(
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
            let opened = opened(answer.items, zone, source.policy)
            let damaged = try await unknown(opened, zone)
            let (items, still) = (try await named(opened, zone), opened.parked.union(damaged))
            if !items.isEmpty { try await source.received(items.map(\.item), in: zone) }
            if record.isStartingOver { held.add(Set(items.map(\.item.name)), to: zone) }
            var notes = ZoneNotes(unparking: Set(parked).subtracting(still))
            for told in items { notes.names[told.id] = told.item.name }
            try await records.save(record, of: zone, notes)
            guard still.count < parked.count else { return }
        }
    }
}
