package import BatonCore
package import BatonStore
import Foundation
import GRDB

/// How far each zone was read, and what could not be opened yet. In the daemon's database; what was saved survives a crash.
///
/// Kept for a device of an account: one that leaves an account and joins it again is another one, which has read nothing.
///
/// Bound: a row for each zone that sources keep, and ``parkedLimit`` items of a zone.
package struct SyncStore: Sendable {
    /// Items of one zone whose key is missing. Policy: a page that brings more is not taken, and read again later: what
    /// would be passed over now would never be found again.
    package static let parkedLimit = 100_000

    struct Owner: Hashable, Sendable {
        var account: AccountID
        var device: DeviceID

        fileprivate var text: String { "\(account.rawValue)/\(device.rawValue)" }
    }

    private let database: DaemonDatabase
    private let parkedLimit: Int
    private let clock: WallClock

    package init(database: DaemonDatabase, parkedLimit: Int = Self.parkedLimit, clock: WallClock = .system) {
        self.database = database
        self.parkedLimit = parkedLimit
        self.clock = clock
    }

    package static let migrations = [
        DaemonDatabase.Migration("sync-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE sync_zone (
                        owner TEXT NOT NULL,
                        zone TEXT NOT NULL,
                        server TEXT NOT NULL,
                        cursor BLOB NOT NULL,
                        is_starting_over INTEGER NOT NULL,
                        PRIMARY KEY (owner, zone)
                    ) STRICT;
                    -- Items that were sealed under a key that has not come yet.
                    CREATE TABLE sync_parked (
                        owner TEXT NOT NULL,
                        zone TEXT NOT NULL,
                        item BLOB NOT NULL,
                        PRIMARY KEY (owner, zone, item)
                    ) STRICT;
                    """)
        },
        DaemonDatabase.Migration("sync-2") { db in
            // Since when it could not be opened, in milliseconds since 1970.
            try db.execute(
                sql: """
                    ALTER TABLE sync_parked ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
                    UPDATE sync_parked SET since = unixepoch() * 1000;
                    -- Of what the source keeps.
                    ALTER TABLE sync_zone ADD COLUMN identity BLOB NOT NULL DEFAULT x'';
                    """)
        },
        DaemonDatabase.Migration("sync-3") { db in
            // Versions, as the bits of an integer with a sign.
            try db.execute(
                sql: """
                    ALTER TABLE sync_zone ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE sync_zone ADD COLUMN known INTEGER NOT NULL DEFAULT 0;
                    """)
        },
    ]

    func records(of owner: Owner) -> some ZoneRecords {
        OwnedRecords(database: database, owner: owner.text, parkedLimit: parkedLimit, clock: clock)
    }

    func parkedCounts(of owner: Owner) async throws -> [String: Int] {
        try await database.read { db in
            try Row.fetchAll(
                db, sql: "SELECT zone, COUNT(*) AS number FROM sync_parked WHERE owner = ? GROUP BY zone",
                arguments: [owner.text]
            ).reduce(into: [:]) { $0[$1["zone"]] = $1["number"] }
        }
    }

    /// Forgets those of others.
    func keepOnly(_ owner: Owner?) async throws {
        try await database.write { db in
            for table in ["sync_zone", "sync_parked"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE owner IS NOT ?", arguments: [owner?.text])
            }
        }
    }
}

/// Those of one owner.
private struct OwnedRecords: ZoneRecords {
    let database: DaemonDatabase
    let owner: String
    let parkedLimit: Int
    let clock: WallClock

    func record(of zone: ZoneName) async throws -> ZoneRecord? {
        try await database.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM sync_zone WHERE owner = ? AND zone = ?", arguments: [owner, zone.description]
            ).map { row in
                ZoneRecord(
                    server: row["server"], cursor: row["cursor"], position: UInt64(bitPattern: row["position"]),
                    known: UInt64(bitPattern: row["known"]), isStartingOver: row["is_starting_over"],
                    identity: row["identity"])
            }
        }
    }

    func save(
        _ record: ZoneRecord, of zone: ZoneName, parking: Set<Data>, unparking: Set<Data>
    ) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO sync_zone
                        (owner, zone, server, cursor, position, known, is_starting_over, identity)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    owner, zone.description, record.server, record.cursor, Int64(bitPattern: record.position),
                    Int64(bitPattern: record.known), record.isStartingOver, record.identity,
                ])
            for item in unparking {
                try db.execute(
                    sql: "DELETE FROM sync_parked WHERE owner = ? AND zone = ? AND item = ?",
                    arguments: [owner, zone.description, item])
            }
            for item in parking {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO sync_parked (owner, zone, item, since) VALUES (?, ?, ?, ?)",
                    arguments: [owner, zone.description, item, Int64(clamping: clock.milliseconds)])
            }
            guard !parking.isEmpty else { return }
            let count = try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM sync_parked WHERE owner = ? AND zone = ?",
                arguments: [owner, zone.description])
            guard count ?? 0 <= parkedLimit else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_sealed_items",
                    "The cloud has more items than this device keeps in mind that it cannot open yet: it has not been "
                        + "given their key. Another device of the account must be on once.")
            }
        }
    }

    func parked(_ items: [Data], in zone: ZoneName) async throws -> [Data: UInt64] {
        try await database.read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT since FROM sync_parked WHERE owner = ? AND zone = ? AND item = ?")
            return try items.reduce(into: [:]) { found, item in
                if let since = try Int64.fetchOne(statement, arguments: [owner, zone.description, item]) {
                    found[item] = UInt64(clamping: since)
                }
            }
        }
    }

    func parked(in zone: ZoneName, limit: Int) async throws -> [Data] {
        try await database.read { db in
            try Data.fetchAll(
                db, sql: "SELECT item FROM sync_parked WHERE owner = ? AND zone = ? ORDER BY random() LIMIT ?",
                arguments: [owner, zone.description, limit])
        }
    }
}
