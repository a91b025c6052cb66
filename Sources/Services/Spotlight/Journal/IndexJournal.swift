import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf

/// Apps' changes to the index, until they are applied: on the disk when the app is answered.
///
/// A file of its own, `search-journal.sqlite`: it is not lost with the index.
struct IndexJournal: Sendable {
    let database: DaemonDatabase

    struct Entry: Sendable {
        var number: Int64
        var owner: ItemOwner
        var protection: ItemProtection
        var time: UInt64
        var steps: [Baton_App_V1_SearchableIndexStep]
    }

    static let migrations = [
        DaemonDatabase.Migration("search-journal-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE entry (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        team BLOB NOT NULL,
                        bundle_id TEXT NOT NULL,
                        protection INTEGER NOT NULL,
                        -- Milliseconds since 1970.
                        time INTEGER NOT NULL,
                        -- A baton.app.v1.UpdateSearchableIndexRequest with steps only.
                        steps BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX entry_by_app ON entry (team, bundle_id);
                    CREATE TABLE client_state (
                        team BLOB NOT NULL, bundle_id TEXT NOT NULL, name TEXT NOT NULL, state BLOB NOT NULL,
                        PRIMARY KEY (team, bundle_id, name)
                    ) STRICT, WITHOUT ROWID;
                    -- Apps that are to index all of their items again.
                    CREATE TABLE reindex (
                        team BLOB NOT NULL, bundle_id TEXT NOT NULL, PRIMARY KEY (team, bundle_id)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }, sealedMigration,
    ]

    init(path: String) throws {
        database = try DaemonDatabase(path: path, migrations: Self.migrations)
    }

    /// The change and the client state that goes with it, together.
    /// - Throws: `failed_precondition` (`mismatched_client_state`), `resource_exhausted`.
    func append(
        _ owner: ItemOwner, _ steps: [Baton_App_V1_SearchableIndexStep], protection: ItemProtection, index: String,
        newState: Data?, expectedState: Data?, time: UInt64, limits: SpotlightLimits,
        seal: @escaping @Sendable (Data) throws -> Data
    ) async throws {
        let (own, other) = Self.split(steps, isComplete: protection == .complete)
        let payload = try Self.payload(other)
        let sealedPayload = try Self.payload(own)
        let deletesAll = steps.contains { if case .deleteAll? = $0.kind { true } else { false } }
        let (team, bundleID) = (Data(owner.team), owner.bundleID)
        try await database.write { db in
            if let expectedState {
                let state = try Self.state(db, team, bundleID, index) ?? Data()
                guard state == expectedState else {
                    throw BatonError(
                        .failedPrecondition, reason: "mismatched_client_state",
                        "The index has another client state than the expected one. Fetch it, and index what is missing."
                    )
                }
            }
            let (waiting, bytes) = try Self.waiting(db, team, bundleID)
            guard waiting < limits.maximumWaiting, bytes < limits.maximumWaitingBytes else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_changes",
                    "\(waiting) changes of this app wait to be indexed. Try again in a moment.")
            }
            if deletesAll {
                try db.execute(
                    sql: "DELETE FROM client_state WHERE team = ? AND bundle_id = ?", arguments: [team, bundleID])
            }
            if let payload {
                try db.execute(
                    sql: "INSERT INTO entry (team, bundle_id, protection, time, steps) VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        team, bundleID, protection.rawValue, Int64(clamping: time), payload,
                    ])
            }
            if let sealedPayload, try protection == .complete || Self.hasSealed(db, team, bundleID) {
                try Self.appendSealed(db, team, bundleID, seal(sealedPayload), time: time, limits: limits)
            }
            guard let newState else { return }
            try db.execute(
                sql: """
                    INSERT INTO client_state (team, bundle_id, name, state) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET state = excluded.state
                    """, arguments: [team, bundleID, index, newState])
            let states =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM client_state WHERE team = ? AND bundle_id = ?",
                    arguments: [team, bundleID]) ?? 0
            guard states <= limits.maximumIndexes else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_indexes",
                    "An app may have \(limits.maximumIndexes) named indexes. Use fewer names.")
            }
        }
    }

    private static func waiting(_ db: Database, _ team: Data, _ bundleID: String) throws -> (count: Int, bytes: Int) {
        let row = try Row.fetchOne(
            db, sql: "SELECT count(*), ifnull(sum(length(steps)), 0) FROM entry WHERE team = ? AND bundle_id = ?",
            arguments: [team, bundleID])
        return row.map { ($0[0], $0[1]) } ?? (0, 0)
    }

    private static func payload(_ steps: [Baton_App_V1_SearchableIndexStep]) throws -> Data? {
        guard !steps.isEmpty else { return nil }
        return Data(
            try Baton_App_V1_UpdateSearchableIndexRequest.with { $0.steps = steps }.serializedBytes() as [UInt8])
    }

    func clientState(_ owner: ItemOwner, _ index: String) async throws -> Data? {
        let (team, bundleID) = (Data(owner.team), owner.bundleID)
        return try await database.read { try Self.state($0, team, bundleID, index) }
    }

    private static func state(_ db: Database, _ team: Data, _ bundleID: String, _ index: String) throws -> Data? {
        try Data.fetchOne(
            db, sql: "SELECT state FROM client_state WHERE team = ? AND bundle_id = ? AND name = ?",
            arguments: [team, bundleID, index])
    }

    /// An app's, in their order: the first, and more up to these bounds.
    func entries(of owner: ItemOwner, bytes: Int, steps: Int) async throws -> [Entry] {
        let (team, bundleID) = (Data(owner.team), owner.bundleID)
        return try await database.read { db in
            var (bytes, steps) = (bytes, steps)
            var entries: [Entry] = []
            let rows = try Row.fetchCursor(
                db, sql: "SELECT * FROM entry WHERE team = ? AND bundle_id = ? ORDER BY number LIMIT 500",
                arguments: [team, bundleID])
            while bytes > 0, steps > 0, let row = try rows.next() {
                let (time, payload): (Int64, Data) = (row["time"], row["steps"])
                let request = try? Baton_App_V1_UpdateSearchableIndexRequest(serializedBytes: Array(payload))
                entries.append(
                    Entry(
                        number: row["number"], owner: owner,
                        protection: ItemProtection(rawValue: row["protection"]) ?? .complete,
                        time: UInt64(clamping: time), steps: request?.steps ?? []))
                bytes -= payload.count
                steps -= request?.steps.count ?? 0
            }
            return entries
        }
    }

    func contains(_ number: Int64) async throws -> Bool {
        try await database.read { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE number = ?)", arguments: [number])
                ?? false
        }
    }

    func waiting() async throws -> Int {
        try await database.read {
            try Int.fetchOne(
                $0, sql: "SELECT (SELECT count(*) FROM entry) + (SELECT count(*) FROM sealed_entry)") ?? 0
        }
    }

    func waitingOwners() async throws -> [ItemOwner] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT DISTINCT team, bundle_id FROM entry").compactMap { row in
                let team: Data = row["team"]
                return ItemOwner(team: Array(team), bundleID: row["bundle_id"])
            }
        }
    }

    /// This one and those before it of the same app are in the index, on the disk.
    func remove(upTo number: Int64) async throws {
        try await database.write { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(
                sql: """
                    DELETE FROM entry WHERE number <= ?1
                    AND (team, bundle_id) = (SELECT team, bundle_id FROM entry WHERE number = ?1)
                    """, arguments: [number])
        }
    }

    /// Drops an app's waiting changes, and its client state.
    /// - Parameter owner: nil for all.
    func forget(_ owner: ItemOwner?) async throws {
        try await database.write { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            for table in ["entry", "client_state", "reindex", "sealed_item", "sealed_entry"] {
                if let owner {
                    try db.execute(
                        sql: "DELETE FROM \(table) WHERE team = ? AND bundle_id = ?",
                        arguments: [Data(owner.team), owner.bundleID])
                } else {
                    try db.execute(sql: "DELETE FROM \(table)")
                }
            }
        }
    }

    func forget(since time: UInt64) async throws {
        try await database.write { db in
            for table in ["entry", "sealed_item", "sealed_entry"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE time >= ?", arguments: [Int64(clamping: time)])
            }
        }
    }

    // MARK: Reindexing

    func requestReindexing(of owners: [ItemOwner]) async throws {
        try await database.write { db in
            for owner in owners {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO reindex (team, bundle_id) VALUES (?, ?)",
                    arguments: [Data(owner.team), owner.bundleID])
            }
        }
    }

    func acknowledgedReindexing(of owner: ItemOwner) async throws {
        try await database.write { db in
            try db.execute(
                sql: "DELETE FROM reindex WHERE team = ? AND bundle_id = ?",
                arguments: [Data(owner.team), owner.bundleID])
        }
    }

    func reindexing() async throws -> [ItemOwner] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT team, bundle_id FROM reindex").compactMap { row in
                let team: Data = row["team"]
                return ItemOwner(team: Array(team), bundleID: row["bundle_id"])
            }
        }
    }

    /// Everybody who has ever kept a client state, or waits.
    func owners() async throws -> [ItemOwner] {
        try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT team, bundle_id FROM client_state UNION SELECT team, bundle_id FROM entry
                    UNION SELECT team, bundle_id FROM sealed_item UNION SELECT team, bundle_id FROM sealed_entry
                    """
            ).compactMap { row in
                let team: Data = row["team"]
                return ItemOwner(team: Array(team), bundleID: row["bundle_id"])
            }
        }
    }

    /// No forgotten word is in the files when this returns. Blocks.
    func purge() throws { try database.purge() }

    func close() throws { try database.close() }
}
