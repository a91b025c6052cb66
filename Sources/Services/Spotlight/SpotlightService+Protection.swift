import BatonConcurrency
import BatonCore
import BatonWire
import Foundation
import GRDB
import SearchText

/// Items of the class `.complete`.
extension SpotlightService {
    /// The device was locked or unlocked. Once it is locked nothing of these items is found when this returns.
    package func protectionChanged(isAvailable: Bool) {
        if !isAvailable { protected.drop() }
        wake()
    }

    /// Takes into memory what is sealed, and what waits. Does nothing while the device is locked.
    func applyProtected() async throws {
        guard isUnlocked() else { return }
        do {
            let (damaged, full) = try await turns.withPermit { [self] in
                let damaged = try await protected.load().damaged
                try await moveComplete()
                return (damaged, try await protected.applyWaiting())
            }
            if !damaged.isEmpty {
                try await journal.requestReindexing(of: damaged)
                recorder.record(
                    "search", "sealed_items_damaged",
                    "Sealed items are damaged, and their apps are asked to index again.",
                    ["apps": "\(damaged.count)"])
            }
            let time = clock.milliseconds
            for owner in full {
                noteRoom(owner, isFull: true)
                try await file.write { try IndexUsage.note("quota_exceeded", of: owner, at: time, $0) }
            }
        } catch let error as BatonError where error.reason == "locked" {
            // Meanwhile: it goes on when the device is unlocked.
        }
    }

    /// Items that an earlier version left in the clear.
    private func moveComplete() async throws {
        while true {
            let old = try await file.read { db in
                try StoredItem.fetchAll(db, "source = 2 AND protection = 2 LIMIT 200", [])
            }
            guard !old.isEmpty, protected.memory != nil else { return }
            _ = try await protected.change { writer in
                for stored in old { try writer.put(stored.item, language: TextLanguage(stored.language)) }
            }
            try await file.write { db in
                var writer = IndexWriter(db)
                for stored in old { try writer.delete(stored) }
            }
            changed(deleted: true)
        }
    }

    /// Whether the items of a change fit beside those of this class; on a locked device that is seen later.
    func hasProtectedRoom(_ items: [Baton_App_V1_SearchableItem], _ owner: ItemOwner) async throws -> Bool {
        guard let memory = protected.memory else { return true }
        let limits = limits
        return try await memory.read { db in
            let writer = IndexWriter(db)
            let usage = try Int.fetchOne(db, sql: "SELECT sum(items) FROM usage") ?? 0
            let new = try items.filter { try writer.find(.item, owner, $0.uniqueIdentifier) == nil }.count
            guard usage + new <= limits.maximumProtectedItems else { return false }
            guard let last = items.last else { return true }
            return try ProtectedIndex.hasRoom(last, owner, writer, limits)
        }
    }

    /// Whether an item that an activity is about is indexed. Where the device is locked that may not be known.
    func isRelatedItem(_ key: String, of owner: ItemOwner) async throws -> Bool {
        if let memory = protected.memory {
            if try await memory.read({ try IndexWriter($0).find(.item, owner, key) != nil }) { return true }
            // A waiting change may be such an item.
            return try await !journal.sealedEntries().filter { $0.owner == owner }.isEmpty
        }
        return try await journal.hasSealed(owner)
    }

    /// The file or memory in which an identifier is looked up; nil where it is in memory, and the device is locked.
    func holder(of identifier: Int64) -> IndexFile? {
        identifier > ProtectedIndex.firstIdentifier ? protected.memory : file
    }
}

extension SearchFindings {
    /// With what was found among items of the class `.complete`.
    func merging(_ other: SearchFindings) -> SearchFindings {
        guard !other.found.isEmpty else { return self }
        var merged = self
        let hasExact = Dictionary(other.words.map { ($0.word, $0.documents) }) { max($0, $1) }
        merged.words = words.map { word in
            var word = word
            let documents = hasExact[word.word] ?? 0
            // It is no mistake where a document has it.
            if documents > 0 { word.replacements = [] }
            word.documents += documents
            return word
        }
        merged.candidates.merge(other.candidates) { $0 + $1 }
        merged.isTruncated = isTruncated || other.isTruncated
        merged.highlightedStems.formUnion(other.highlightedStems)
        merged.highlightedPrefix = highlightedPrefix ?? other.highlightedPrefix
        merged.found = SearchEngine.ordered(found + other.found)
        SearchEngine.putContainersFirst(&merged)
        merged.below += below + other.below
        merged.unread += other.unread
        return merged
    }
}
