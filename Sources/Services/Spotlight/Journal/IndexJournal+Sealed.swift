import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf

/// Items of the class `.complete`, and changes of them that wait until the device is unlocked. All of it is sealed; whose it
/// is, when it came and how large it is are not.
extension IndexJournal {
    struct SealedRow: Sendable {
        var number: Int64
        var owner: ItemOwner
        /// Milliseconds since 1970.
        var time: UInt64
        var expires: UInt64
        var sealed: Data
    }

    static let sealedMigration = DaemonDatabase.Migration("search-journal-2") { db in
        try db.execute(
            sql: """
                CREATE TABLE sealed_item (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    team BLOB NOT NULL, bundle_id TEXT NOT NULL,
                    -- Milliseconds since 1970.
                    time INTEGER NOT NULL, expires INTEGER NOT NULL,
                    -- A SealedItem.
                    sealed BLOB NOT NULL
                ) STRICT;
                CREATE INDEX sealed_item_by_app ON sealed_item (team, bundle_id);
                CREATE TABLE sealed_entry (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    team BLOB NOT NULL, bundle_id TEXT NOT NULL, time INTEGER NOT NULL, expires INTEGER NOT NULL,
                    -- A baton.app.v1.UpdateSearchableIndexRequest with steps only.
                    sealed BLOB NOT NULL
                ) STRICT;
                CREATE INDEX sealed_entry_by_app ON sealed_entry (team, bundle_id);
                """)
    }

    /// The parts of a change that concern items of the class `.complete`, and all others: an item has one class, so indexing it
    /// in one deletes it from the other.
    static func split(
        _ steps: [Baton_App_V1_SearchableIndexStep], isComplete: Bool
    ) -> (own: [Baton_App_V1_SearchableIndexStep], other: [Baton_App_V1_SearchableIndexStep]) {
        let deleting = steps.map { step in
            guard case .index(let item)? = step.kind else { return step }
            return Baton_App_V1_SearchableIndexStep.with { $0.deleteItem = item.uniqueIdentifier }
        }
        return isComplete ? (steps, deleting) : (deleting, steps)
    }

    static func hasSealed(_ db: Database, _ team: Data, _ bundleID: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM sealed_item WHERE team = ?1 AND bundle_id = ?2)
                    OR EXISTS (SELECT 1 FROM sealed_entry WHERE team = ?1 AND bundle_id = ?2)
                """, arguments: [team, bundleID]) ?? false
    }

    /// A change that waits, in the transaction of the journal.
    static func appendSealed(
        _ db: Database, _ team: Data, _ bundleID: String, _ sealed: Data, time: UInt64, limits: SpotlightLimits
    ) throws {
        let row = try Row.fetchOne(
            db,
            sql:
                "SELECT count(*) AS entries, total(length(sealed)) AS bytes FROM sealed_entry WHERE team = ? AND bundle_id = ?",
            arguments: [team, bundleID])
        let (entries, bytes): (Int, Double) = (row?["entries"] ?? 0, row?["bytes"] ?? 0)
        guard entries < limits.maximumWaiting, Int(bytes) + sealed.count <= limits.maximumProtectedBytes else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_changes",
                "\(entries) changes of this app wait until the device is unlocked. Try again then.")
        }
        try db.execute(
            sql: "INSERT INTO sealed_entry (team, bundle_id, time, expires, sealed) VALUES (?, ?, ?, ?, ?)",
            arguments: [team, bundleID, Int64(clamping: time), Int64.max, sealed])
    }

    func hasSealed(_ owner: ItemOwner) async throws -> Bool {
        try await database.read { try Self.hasSealed($0, Data(owner.team), owner.bundleID) }
    }

    func sealedItems() async throws -> [SealedRow] { try await sealed("sealed_item ORDER BY number") }
    func sealedEntries() async throws -> [SealedRow] { try await sealed("sealed_entry ORDER BY number LIMIT 200") }

    private func sealed(_ source: String) async throws -> [SealedRow] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM " + source).map { row in
                let (team, time, expires): (Data, Int64, Int64) = (row["team"], row["time"], row["expires"])
                return SealedRow(
                    number: row["number"],
                    owner: ItemOwner(team: Array(team), bundleID: row["bundle_id"]) ?? ItemOwner(nil),
                    time: UInt64(clamping: time), expires: UInt64(clamping: expires), sealed: row["sealed"])
            }
        }
    }

    /// One transaction, on the disk when it returns.
    /// - Returns: the numbers of the new rows.
    func saveSealed(
        removing removed: [Int64], adding added: [SealedRow], entriesUpTo number: Int64?
    ) async throws -> [Int64] {
        try await database.write { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            for number in removed {
                try db.execute(sql: "DELETE FROM sealed_item WHERE number = ?", arguments: [number])
            }
            var numbers: [Int64] = []
            for row in added {
                try db.execute(
                    sql: "INSERT INTO sealed_item (team, bundle_id, time, expires, sealed) VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        Data(row.owner.team), row.owner.bundleID, Int64(clamping: row.time),
                        Int64(clamping: row.expires), row.sealed,
                    ])
                numbers.append(db.lastInsertedRowID)
            }
            if let number {
                try db.execute(sql: "DELETE FROM sealed_entry WHERE number <= ?", arguments: [number])
            }
            return numbers
        }
    }

    func removeExpiredSealed(_ now: UInt64) async throws {
        let now = Int64(clamping: now)
        try await database.write { try $0.execute(sql: "DELETE FROM sealed_item WHERE expires <= ?", arguments: [now]) }
    }

    /// Items and their sealed bytes, of each app that has any.
    func sealedUsage() async throws -> [IndexUsage] {
        try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT team, bundle_id, count(*) AS items, sum(length(sealed)) AS bytes, max(time) AS changed
                    FROM sealed_item GROUP BY team, bundle_id
                    """
            ).compactMap { row in
                let (team, changed): (Data, Int64) = (row["team"], row["changed"])
                guard let owner = ItemOwner(team: Array(team), bundleID: row["bundle_id"]) else { return nil }
                return IndexUsage(
                    source: .item, owner: owner, items: row["items"], bytes: row["bytes"],
                    changed: UInt64(clamping: changed), error: "", errorTime: 0)
            }
        }
    }
}
