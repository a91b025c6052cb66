import BatonCore
import BatonWire
import Foundation
import GRDB
import SearchText
import SwiftProtobuf
import Synchronization

/// The index of items of the class `.complete`: in memory, while the device is unlocked. On the disk each item lies sealed,
/// in the journal's file.
///
/// Changes come one after the other: a caller of a method that changes something holds the turn of the index's writers.
final class ProtectedIndex: Sendable {
    /// Identifiers in memory are greater than any of `search.sqlite`.
    static let firstIdentifier: Int64 = 1 << 52

    private let journal: IndexJournal
    private let protection: any SpotlightProtection
    private let limits: SpotlightLimits
    private let language: TextLanguage
    private let loaded = Mutex<IndexFile?>(nil)

    init(
        _ journal: IndexJournal, protection: any SpotlightProtection, limits: SpotlightLimits, language: TextLanguage
    ) {
        self.journal = journal
        self.protection = protection
        self.limits = limits
        self.language = language
    }

    /// For searches; nil while the device is locked.
    var memory: IndexFile? { protection.isAvailable ? loaded.withLock { $0 } : nil }

    /// The device was locked, or what is in memory may not be what is on the disk.
    func drop() { loaded.withLock { $0 = nil } }

    // MARK: Loading

    /// - Returns: nil while the device is locked; and apps whose items are damaged, and were deleted.
    func load() async throws -> (memory: IndexFile?, damaged: [ItemOwner]) {
        guard protection.isAvailable else { return (nil, []) }
        if let memory { return (memory, []) }
        let rows = try await journal.sealedItems()
        let file = try IndexFile.memory()
        let protection = protection
        let damaged = try await file.write { db in
            try db.execute(sql: "CREATE TABLE sealed_row (id INTEGER PRIMARY KEY, number INTEGER NOT NULL) STRICT")
            try db.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('item', ?)", arguments: [Self.firstIdentifier])
            var writer = IndexWriter(db)
            var damaged: [IndexJournal.SealedRow] = []
            for row in rows {
                do {
                    let bytes = try protection.open(row.sealed, info: SealedItem.info(.item, row.owner))
                    let sealed = try JSONDecoder().decode(SealedItem.self, from: bytes)
                    try writer.put(sealed.item(of: row.owner), language: TextLanguage(sealed.language))
                    try db.execute(
                        sql: "INSERT INTO sealed_row (id, number) SELECT max(id), ? FROM item", arguments: [row.number])
                } catch let error as BatonError where error.reason == "sealed_file_damaged" {
                    damaged.append(row)
                } catch is DecodingError {
                    damaged.append(row)
                }
            }
            return damaged
        }
        if !damaged.isEmpty {
            _ = try await journal.saveSealed(removing: damaged.map(\.number), adding: [], entriesUpTo: nil)
        }
        // It may have been locked meanwhile: then it is not kept.
        loaded.withLock { if protection.isAvailable { $0 = file } }
        return (memory, Array(Set(damaged.map(\.owner))))
    }

    // MARK: Changing

    /// Takes what waits into the index, and to the disk.
    /// - Returns: apps with items for which there is no room.
    func applyWaiting() async throws -> [ItemOwner] {
        guard let memory else { return [] }
        var full: Set<ItemOwner> = []
        while true {
            let rows = try await journal.sealedEntries()
            guard let last = rows.last else { return Array(full) }
            let (limits, language, protection) = (limits, language, protection)
            do {
                full.formUnion(
                    try await memory.write { db in
                        try Self.apply(rows, db, limits, language, protection)
                    })
                try await save(memory, entriesUpTo: last.number)
            } catch {
                drop()
                throw error
            }
        }
    }

    private static func apply(
        _ rows: [IndexJournal.SealedRow], _ db: Database, _ limits: SpotlightLimits, _ language: TextLanguage,
        _ protection: any SpotlightProtection
    ) throws -> Set<ItemOwner> {
        var writer = IndexWriter(db)
        var full: Set<ItemOwner> = []
        for row in rows {
            let steps: [Baton_App_V1_SearchableIndexStep]
            do {
                let bytes = try protection.open(row.sealed, info: SealedItem.info(.entry, row.owner))
                steps = try Baton_App_V1_UpdateSearchableIndexRequest(serializedBytes: Array(bytes)).steps
            } catch let error as BatonError where error.reason != "sealed_file_damaged" {
                throw error
            } catch {
                // A damaged change is lost: it is known whose it was only.
                continue
            }
            let entry = IndexJournal.Entry(
                number: row.number, owner: row.owner, protection: .complete, time: row.time, steps: steps)
            for step in steps {
                if case .index(let item)? = step.kind, try !hasRoom(item, row.owner, writer, limits) {
                    full.insert(row.owner)
                    continue
                }
                let refused = writer.refused
                _ = try SpotlightService.apply(step, entry, &writer, limits, language)
                if writer.refused > refused { full.insert(row.owner) }
            }
        }
        return full
    }

    /// Whether there is room for an item; one that is there already may be replaced.
    static func hasRoom(
        _ item: Baton_App_V1_SearchableItem, _ owner: ItemOwner, _ writer: IndexWriter, _ limits: SpotlightLimits
    ) throws -> Bool {
        let row = try Row.fetchOne(writer.db, sql: "SELECT total(items) AS items, total(bytes) AS bytes FROM usage")
        let (items, bytes): (Double, Double) = (row?["items"] ?? 0, row?["bytes"] ?? 0)
        let old = try writer.find(.item, owner, item.uniqueIdentifier)
        return Int(items) + (old == nil ? 1 : 0) <= limits.maximumProtectedItems
            && Int(bytes) + ItemRules.size(of: item) - (old?.item.size ?? 0) <= limits.maximumProtectedBytes
    }

    /// Changes what is in memory by the body, and then what is on the disk. Does nothing while the device is locked.
    /// - Returns: how many items were deleted.
    func change(_ body: @escaping @Sendable (inout IndexWriter) throws -> Void) async throws -> Int {
        guard let memory else { return 0 }
        do {
            let count = try await memory.write { db in
                var writer = IndexWriter(db)
                try body(&writer)
                return writer.deleted
            }
            try await save(memory, entriesUpTo: nil)
            return count
        } catch {
            drop()
            throw error
        }
    }

    /// Makes the sealed items those in memory: an item that changed has another identifier.
    private func save(_ memory: IndexFile, entriesUpTo number: Int64?) async throws {
        let protection = protection
        let (removed, stored) = try await memory.read { db in
            (
                try Int64.fetchAll(db, sql: "SELECT number FROM sealed_row WHERE id NOT IN (SELECT id FROM item)"),
                try StoredItem.fetchAll(db, "id NOT IN (SELECT id FROM sealed_row) ORDER BY id", [])
            )
        }
        guard number != nil || !removed.isEmpty || !stored.isEmpty else { return }
        let added = try await memory.read { _ in
            try stored.map { stored in
                IndexJournal.SealedRow(
                    number: 0, owner: stored.item.owner, time: stored.item.indexed, expires: stored.item.expires,
                    sealed: try protection.seal(
                        JSONEncoder().encode(SealedItem(stored)), info: SealedItem.info(.item, stored.item.owner)))
            }
        }
        let numbers = try await journal.saveSealed(removing: removed, adding: added, entriesUpTo: number)
        try await memory.write { db in
            try db.execute(sql: "DELETE FROM sealed_row WHERE id NOT IN (SELECT id FROM item)")
            for (stored, number) in zip(stored, numbers) {
                try db.execute(
                    sql: "INSERT INTO sealed_row (id, number) VALUES (?, ?)", arguments: [stored.id, number])
            }
        }
    }
}
