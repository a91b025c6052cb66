package import BatonCore
package import BatonStore
import Foundation
import GRDB

/// The reading position of each zone, and the items that could not be opened yet. In the daemon's database; saved data
/// survives a crash.
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
        DaemonDatabase.Migration("sync-4") { db in
            try db.execute(
                sql: """
                    -- What items are called.
                    CREATE TABLE sync_name (
                        owner TEXT NOT NULL,
                        zone TEXT NOT NULL,
                        item BLOB NOT NULL,
                        name TEXT NOT NULL,
                        PRIMARY KEY (owner, zone, item)
                    ) STRICT, WITHOUT ROWID;
                    -- Items that wait for the rest of their group, as the cloud told them.
                    CREATE TABLE sync_held (
                        owner TEXT NOT NULL,
                        zone TEXT NOT NULL,
                        item BLOB NOT NULL,
                        last INTEGER NOT NULL,
                        message BLOB NOT NULL,
                        PRIMARY KEY (owner, zone, item)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX sync_held_last ON sync_held (owner, zone, last);
                    -- The names of what was read before are not known: it is read anew.
                    UPDATE sync_zone SET cursor = x'', is_starting_over = 1;
                    """)
            try db.execute(sql: BlobCatalog.schema)
        },
        DaemonDatabase.Migration("sync-5") { db in
            // In milliseconds since 1970: the cloud's, as far as it is believed, and this device's at that moment.
            try db.execute(
                sql: """
                    CREATE TABLE sync_clock (
                        owner TEXT NOT NULL PRIMARY KEY,
                        time INTEGER NOT NULL,
                        own INTEGER NOT NULL
                    ) STRICT;
                    """)
        },
    ]

    private static let tables = ["sync_zone", "sync_parked", "sync_name", "sync_held"]

    func records(of owner: Owner) -> some ZoneRecords {
        OwnedRecords(database: database, owner: owner.text, parkedLimit: parkedLimit, clock: clock)
    }

    /// Takes note of the cloud's time, also for the next process.
    /// - Returns: the time that is believed.
    func hear(_ cloud: UInt64, of owner: Owner) async throws -> UInt64 {
        let now = clock.milliseconds
        return try await database.write { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT time, own FROM sync_clock WHERE owner = ?", arguments: [owner.text])
            var known = AccountClock(time: cloud, own: now)
            if let row {
                known = AccountClock(
                    time: UInt64(clamping: row["time"] as Int64), own: UInt64(clamping: row["own"] as Int64))
            }
            let believed = known.hear(cloud, own: now)
            try db.execute(
                sql: "INSERT OR REPLACE INTO sync_clock VALUES (?, ?, ?)",
                arguments: [owner.text, Int64(clamping: known.time), Int64(clamping: known.own)])
            return believed
        }
    }

    func parkedCounts(of owner: Owner) async throws -> [String: Int] {
        try await database.read { db in
            try Row.fetchAll(
                db, sql: "SELECT zone, COUNT(*) AS number FROM sync_parked WHERE owner = ? GROUP BY zone",
                arguments: [owner.text]
            ).reduce(into: [:]) { $0[$1["zone"]] = $1["number"] }
        }
    }

    /// A zone that is not kept here any more.
    func forget(_ zone: ZoneName, of owner: Owner) async throws {
        try await database.write { db in
            for table in Self.tables {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE owner = ? AND zone = ?", arguments: [owner.text, zone.description])
            }
        }
    }

    /// Forgets those of others.
    func keepOnly(_ owner: Owner?) async throws {
        try await database.write { db in
            for table in Self.tables {
                try db.execute(sql: "DELETE FROM \(table) WHERE owner IS NOT ?", arguments: [owner?.text])
            }
            try db.execute(sql: "DELETE FROM sync_clock WHERE owner IS NOT ?", arguments: [owner?.text])
        }
    }
}
