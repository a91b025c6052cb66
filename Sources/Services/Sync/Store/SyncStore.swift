import BatonCore
package import BatonStore
import Foundation
import GRDB

/// How far each zone was read, and what could not be opened yet. In the daemon's database; what was saved survives a crash.
///
/// Bound: a row for each zone that sources keep, and ``parkedLimit`` items of a zone.
package struct SyncStore: Sendable {
    /// Items whose key is missing; more than these are found again by reading the zone anew.
    static let parkedLimit = 10_000

    private let database: DaemonDatabase

    package init(database: DaemonDatabase) { self.database = database }

    package static let migrations = [
        DaemonDatabase.Migration("sync-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE sync_zone (
                        account TEXT NOT NULL,
                        zone TEXT NOT NULL,
                        server TEXT NOT NULL,
                        cursor BLOB NOT NULL,
                        is_starting_over INTEGER NOT NULL,
                        PRIMARY KEY (account, zone)
                    ) STRICT;
                    -- Items that were sealed under a key that has not come yet.
                    CREATE TABLE sync_parked (
                        account TEXT NOT NULL,
                        zone TEXT NOT NULL,
                        item BLOB NOT NULL,
                        PRIMARY KEY (account, zone, item)
                    ) STRICT;
                    """)
        }
    ]

    func records(of account: AccountID) -> some ZoneRecords { AccountRecords(database: database, account: account) }

    func parkedCounts(account: AccountID) async throws -> [String: Int] {
        try await database.read { db in
            try Row.fetchAll(
                db, sql: "SELECT zone, COUNT(*) AS number FROM sync_parked WHERE account = ? GROUP BY zone",
                arguments: [account.rawValue]
            ).reduce(into: [:]) { $0[$1["zone"]] = $1["number"] }
        }
    }

    /// Forgets other accounts.
    func keepOnly(_ account: AccountID?) async throws {
        try await database.write { db in
            for table in ["sync_zone", "sync_parked"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE account IS NOT ?", arguments: [account?.rawValue])
            }
        }
    }
}

/// Those of one account.
private struct AccountRecords: ZoneRecords {
    let database: DaemonDatabase
    let account: AccountID

    func record(of zone: ZoneName) async throws -> ZoneRecord? {
        try await database.read { db in
            try Row.fetchOne(
                db, sql: "SELECT server, cursor, is_starting_over FROM sync_zone WHERE account = ? AND zone = ?",
                arguments: [account.rawValue, zone.description]
            ).map { ZoneRecord(server: $0["server"], cursor: $0["cursor"], isStartingOver: $0["is_starting_over"]) }
        }
    }

    func save(
        _ record: ZoneRecord, of zone: ZoneName, parking: Set<Data>, unparking: Set<Data>
    ) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO sync_zone VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    account.rawValue, zone.description, record.server, record.cursor, record.isStartingOver,
                ])
            for item in unparking {
                try db.execute(
                    sql: "DELETE FROM sync_parked WHERE account = ? AND zone = ? AND item = ?",
                    arguments: [account.rawValue, zone.description, item])
            }
            for item in parking {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO sync_parked VALUES (?, ?, ?)",
                    arguments: [account.rawValue, zone.description, item])
            }
        }
    }

    func parked(in zone: ZoneName, limit: Int) async throws -> [Data] {
        try await database.read { db in
            try Data.fetchAll(
                db, sql: "SELECT item FROM sync_parked WHERE account = ? AND zone = ? ORDER BY random() LIMIT ?",
                arguments: [account.rawValue, zone.description, limit])
        }
    }
}
