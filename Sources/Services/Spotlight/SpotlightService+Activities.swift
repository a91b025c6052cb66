import BatonConcurrency
import BatonCore
import Foundation
import GRDB
import Synchronization

/// Activities and pages in the index.
extension SpotlightService {
    /// Makes the index hold the activities that there are: their identifiers are new with each saving.
    func followActivities() async throws {
        let wanted = Set(try await activities.identifiers())
        try await turns.withPermit {
            let present = Set(
                try await file.read { db in
                    try String.fetchAll(db, sql: "SELECT key FROM item WHERE source = 1")
                })
            let new = try await activities.activities(wanted.subtracting(present).sorted())
            let gone = present.subtracting(wanted)
            let person = language
            var protectedItems: Set<String> = []
            for activity in new {
                guard let related = activity.relatedItem,
                    try await isRelatedItem(related, of: ItemOwner(activity.app))
                else { continue }
                protectedItems.insert(activity.id)
            }
            let isKnown = protectedItems
            let deleted = try await file.write { db in
                var writer = IndexWriter(db)
                for key in gone { try writer.delete("source = 1 AND key = ?", [key]) }
                for activity in new {
                    let owner = ItemOwner(activity.app)
                    // Its item is not indexed, or was deleted: so is it.
                    if let related = activity.relatedItem, !isKnown.contains(activity.id),
                        try writer.find(.item, owner, related) == nil
                    {
                        continue
                    }
                    var item = IndexedItem(
                        source: .activity, owner: owner, key: activity.id, attributes: activity.attributes,
                        indexed: activity.saved, expires: activity.expires, size: activity.size)
                    item.domain = activity.domain
                    try writer.put(item, language: ItemRules.language(of: item, person: person))
                }
                // Their items are gone meanwhile.
                return writer.deleted
            }
            if deleted > 0 || !new.isEmpty { changed(deleted: deleted > 0) }
        }
        try await removeUnrelated()
    }

    private func removeUnrelated() async throws {
        let candidates = try await file.read { db in
            try StoredItem.fetchAll(
                db, "source = 1 AND instr(\(StoredItem.attributes), ?) > 0", [Data("relatedUniqueIdentifier".utf8)]
            )
            .filter { stored in
                guard let related = stored.item.text("relatedUniqueIdentifier") else { return false }
                return try IndexWriter(db).find(.item, stored.item.owner, related) == nil
            }
        }
        var lost: [String] = []
        for stored in candidates {
            let related = stored.item.text("relatedUniqueIdentifier") ?? ""
            if try await !isRelatedItem(related, of: stored.item.owner) { lost.append(stored.item.key) }
        }
        let gone = lost
        guard !lost.isEmpty else { return }
        try await activities.delete(lost)
        try await turns.withPermit {
            try await file.write { db in
                var writer = IndexWriter(db)
                for key in gone { try writer.delete("source = 1 AND key = ?", [key]) }
            }
        }
        changed(deleted: true)
    }

    /// Activities were saved or deleted. Does not wait.
    package func activitiesChanged() {
        state.withLock { $0.hasActivityChange = true }
        wake()
    }
}
