import BatonConcurrency
import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf

/// Saved activities in the daemon's database, and the words by which they are found.
struct SavedActivityStore: Sendable {
    let database: DaemonDatabase
    let limits: SavedActivityLimits

    static let migrations = [
        DaemonDatabase.Migration("saved-activities-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE saved_activity (
                        id INTEGER PRIMARY KEY,
                        saved_id TEXT NOT NULL UNIQUE,
                        -- SHA-256 of the team's key; empty for programs in development.
                        team BLOB NOT NULL,
                        bundle_id TEXT NOT NULL,
                        key TEXT NOT NULL,
                        persistent_identifier TEXT,
                        -- A baton.value.v1.ActivityPayload.
                        payload BLOB NOT NULL,
                        for_search INTEGER NOT NULL,
                        for_prediction INTEGER NOT NULL,
                        for_public_index INTEGER NOT NULL,
                        -- Milliseconds since 1970.
                        saved INTEGER NOT NULL,
                        expires INTEGER NOT NULL,
                        UNIQUE (team, bundle_id, key)
                    ) STRICT;
                    CREATE INDEX saved_activity_by_age ON saved_activity (team, bundle_id, saved);
                    CREATE INDEX saved_activity_by_expiry ON saved_activity (expires);
                    CREATE VIRTUAL TABLE saved_activity_text
                        USING fts5(title, keywords, content, tokenize = 'unicode61 remove_diacritics 2');
                    CREATE TRIGGER saved_activity_deleted AFTER DELETE ON saved_activity BEGIN
                        DELETE FROM saved_activity_text WHERE rowid = old.id;
                    END;
                    """)
        }
    ]

    /// In place of what has the same key; the app's oldest go where it has too many.
    func save(_ activity: SavedActivity) async throws {
        let payload = Data(try activity.payload.serializedBytes() as [UInt8])
        let text = SavedActivityRules.searchedText(of: activity.payload)
        let (owner, limits) = (Owner(activity.app), limits)
        try await database.write { db in
            try Self.delete(db, activity.key, of: owner)
            try db.execute(
                sql: """
                    INSERT INTO saved_activity (saved_id, team, bundle_id, key, persistent_identifier, payload,
                        for_search, for_prediction, for_public_index, saved, expires)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    activity.id.rawValue, owner.team, owner.bundleID, activity.key, activity.persistentIdentifier,
                    payload, activity.isForSearch, activity.isForPrediction, activity.isForPublicIndex,
                    Int64(clamping: activity.saved), Int64(clamping: activity.expires),
                ])
            let row = db.lastInsertedRowID
            if activity.isForSearch {
                try db.execute(
                    sql: "INSERT INTO saved_activity_text (rowid, title, keywords, content) VALUES (?, ?, ?, ?)",
                    arguments: [row, text.title, text.keywords, text.content])
            }
            try Self.removeExpired(db, now: activity.saved)
            try Self.removeOldest(db, of: owner, limits: limits)
        }
    }

    private static func removeExpired(_ db: Database, now: UInt64) throws {
        try db.execute(sql: "DELETE FROM saved_activity WHERE expires <= ?", arguments: [Int64(clamping: now)])
    }

    private static func removeOldest(_ db: Database, of owner: Owner, limits: SavedActivityLimits) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, length(payload) AS size FROM saved_activity WHERE team = ? AND bundle_id = ?
                ORDER BY saved DESC, id DESC
                """, arguments: [owner.team, owner.bundleID])
        var bytes = 0
        for (index, row) in rows.enumerated() {
            bytes += row["size"] as Int
            guard index >= limits.maximumCountPerApp || bytes > limits.maximumBytesPerApp else { continue }
            let id: Int64 = row["id"]
            try db.execute(sql: "DELETE FROM saved_activity WHERE id = ?", arguments: [id])
        }
    }

    // MARK: Reading

    /// The newest first.
    /// - Parameter expression: of FTS5; nil for every activity.
    func activities(
        matching expression: String?, bundleID: String?, limit: Int, now: UInt64
    ) async throws -> [SavedActivity] {
        try await database.read { db in
            var sql = "SELECT saved_activity.* FROM saved_activity"
            var arguments: StatementArguments = []
            if let expression {
                sql += " JOIN saved_activity_text ON saved_activity_text.rowid = saved_activity.id"
                sql += " AND saved_activity_text MATCH ?"
                arguments += [expression]
            }
            sql += " WHERE expires > ?"
            arguments += [Int64(clamping: now)]
            if let bundleID {
                sql += " AND bundle_id = ?"
                arguments += [bundleID]
            }
            sql += " ORDER BY saved DESC, saved_activity.id DESC LIMIT ?"
            arguments += [limit]
            return try Row.fetchAll(db, sql: sql, arguments: arguments).compactMap(Self.activity)
        }
    }

    /// Those whose identifier begins so; two at most.
    func activities(beginning prefix: String, now: UInt64) async throws -> [SavedActivity] {
        try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM saved_activity WHERE substr(saved_id, 1, ?) = ? AND expires > ? LIMIT 2
                    """, arguments: [prefix.count, prefix, Int64(clamping: now)]
            ).compactMap(Self.activity)
        }
    }

    /// Those that people may search.
    func searchable(now: UInt64) async throws -> [String] {
        try await database.read { db in
            try String.fetchAll(
                db, sql: "SELECT saved_id FROM saved_activity WHERE for_search AND expires > ?",
                arguments: [Int64(clamping: now)])
        }
    }

    func activities(_ identifiers: [String]) async throws -> [SavedActivity] {
        try await database.read { db in
            try identifiers.flatMap { identifier in
                try Row.fetchAll(db, sql: "SELECT * FROM saved_activity WHERE saved_id = ?", arguments: [identifier])
            }.compactMap(Self.activity)
        }
    }

    /// Nil for a row that this version cannot read.
    private static func activity(_ row: Row) -> SavedActivity? {
        let (team, payload): (Data, Data) = (row["team"], row["payload"])
        let (saved, expires): (Int64, Int64) = (row["saved"], row["expires"])
        guard let id = ActivityID(rawValue: row["saved_id"]),
            let app = Owner(team: team, bundleID: row["bundle_id"]).app,
            let payload = try? Baton_Value_V1_ActivityPayload(serializedBytes: Array(payload))
        else { return nil }
        return SavedActivity(
            id: id, app: app, key: row["key"],
            persistentIdentifier: row["persistent_identifier"], payload: payload, isForSearch: row["for_search"],
            isForPrediction: row["for_prediction"], isForPublicIndex: row["for_public_index"],
            saved: UInt64(clamping: saved), expires: UInt64(clamping: expires))
    }

    // MARK: Deleting

    func delete(_ identifiers: [String], of app: AppIdentity) async throws {
        let owner = Owner(app)
        try await database.write { db in
            for identifier in identifiers {
                try db.execute(
                    sql: """
                        DELETE FROM saved_activity WHERE team = ? AND bundle_id = ? AND persistent_identifier = ?
                        """, arguments: [owner.team, owner.bundleID, identifier])
            }
        }
    }

    func deleteAll(of app: AppIdentity) async throws {
        let owner = Owner(app)
        try await database.write { try Self.deleteAll($0, of: owner) }
    }

    private static func deleteAll(_ db: Database, of owner: Owner) throws {
        try db.execute(
            sql: "DELETE FROM saved_activity WHERE team = ? AND bundle_id = ?",
            arguments: [owner.team, owner.bundleID])
    }

    func delete(saved identifiers: [String]) async throws {
        try await database.write { db in
            for identifier in identifiers {
                try db.execute(sql: "DELETE FROM saved_activity WHERE saved_id = ?", arguments: [identifier])
            }
        }
    }

    /// - Parameter app: nil for all apps.
    /// - Returns: how many went.
    func deleteAll(of app: AppIdentity?, savedSince time: UInt64) async throws -> Int {
        let count = try await database.write { db in
            // Deleted rows are overwritten.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
            if let owner = app.map(Owner.init) {
                try db.execute(
                    sql: "DELETE FROM saved_activity WHERE saved >= ? AND team = ? AND bundle_id = ?",
                    arguments: [Int64(clamping: time), owner.team, owner.bundleID])
            } else {
                try db.execute(
                    sql: "DELETE FROM saved_activity WHERE saved >= ?", arguments: [Int64(clamping: time)])
            }
            let count = db.changesCount
            // FTS5 keeps what was deleted until it rewrites its segments.
            try db.execute(sql: "INSERT INTO saved_activity_text (saved_activity_text) VALUES ('optimize')")
            return count
        }
        try await BlockingQueue("development.baton.saved-activities").run { [database] in try database.truncateLog() }
        return count
    }

    /// Deletes the activity with the same key.
    func deleteSame(as activity: SavedActivity) async throws {
        let owner = Owner(activity.app)
        try await database.write { try Self.delete($0, activity.key, of: owner) }
    }

    private static func delete(_ db: Database, _ key: String, of owner: Owner) throws {
        try db.execute(
            sql: "DELETE FROM saved_activity WHERE team = ? AND bundle_id = ? AND key = ?",
            arguments: [owner.team, owner.bundleID, key])
    }

    /// Deletes what has expired, and what apps have saved that are gone.
    ///
    /// - Parameter isPresent: asked within the transaction, so that an app that comes and saves meanwhile is either
    ///   present or saves afterwards: it never loses what it has just saved.
    /// - Returns: how many activities went.
    @discardableResult
    func removeAbandoned(now: UInt64, isPresent: @escaping @Sendable (AppIdentity) -> Bool) async throws -> Int {
        try await database.write { db in
            try Self.removeExpired(db, now: now)
            // Without what triggers delete.
            var count = db.changesCount
            for row in try Row.fetchAll(db, sql: "SELECT DISTINCT team, bundle_id FROM saved_activity") {
                let owner = Owner(team: row["team"], bundleID: row["bundle_id"])
                if let app = owner.app, isPresent(app) { continue }
                try Self.deleteAll(db, of: owner)
                count += db.changesCount
            }
            return count
        }
    }

    /// The owner of a row: the whole fingerprint counts, never the Team ID alone (H-3).
    private struct Owner: Hashable, Sendable {
        var team: Data
        var bundleID: String

        init(team: Data, bundleID: String) {
            self.team = team
            self.bundleID = bundleID
        }

        init(_ app: AppIdentity) {
            self.init(team: Data(app.team.fingerprint), bundleID: app.bundleID.rawValue)
        }

        /// Nil when this version cannot read it.
        var app: AppIdentity? {
            guard let bundleID = BundleID(rawValue: bundleID), team.isEmpty || team.count == 32 else { return nil }
            return AppIdentity(
                bundleID: bundleID, team: team.isEmpty ? .development : TeamIdentity(fingerprint: Array(team)))
        }
    }
}
