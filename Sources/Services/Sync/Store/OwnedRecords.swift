import BatonCore
import BatonStore
import Foundation
import GRDB

/// The records of one owner: see ``SyncStore``.
struct OwnedRecords: ZoneRecords {
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

    func save(_ record: ZoneRecord, of zone: ZoneName, _ notes: ZoneNotes) async throws {
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
            try name(notes.names, in: zone, db)
            try hold(notes, in: zone, db)
            try park(notes, in: zone, db)
        }
    }

    private func park(_ notes: ZoneNotes, in zone: ZoneName, _ db: Database) throws {
        if try isThere("sync_parked", zone, db) {
            let deletion = try db.cachedStatement(
                sql: "DELETE FROM sync_parked WHERE owner = ? AND zone = ? AND item = ?")
            for item in notes.unparking { try deletion.execute(arguments: [owner, zone.description, item]) }
        }
        let insertion = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO sync_parked (owner, zone, item, since) VALUES (?, ?, ?, ?)")
        for item in notes.parking {
            try insertion.execute(arguments: [owner, zone.description, item, Int64(clamping: clock.milliseconds)])
        }
        // So long ago that it keeps its name from nothing.
        for item in notes.damaged { try insertion.execute(arguments: [owner, zone.description, item, 0]) }
        guard !notes.parking.isEmpty || !notes.damaged.isEmpty else { return }
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

    private func hold(_ notes: ZoneNotes, in zone: ZoneName, _ db: Database) throws {
        if notes.releasesAll {
            try db.execute(
                sql: "DELETE FROM sync_held WHERE owner = ? AND zone = ?", arguments: [owner, zone.description])
        }
        if !notes.releasesAll, try isThere("sync_held", zone, db) {
            let deletion = try db.cachedStatement(
                sql: "DELETE FROM sync_held WHERE owner = ? AND zone = ? AND item = ?")
            for item in notes.releasing { try deletion.execute(arguments: [owner, zone.description, item]) }
        }
        let insertion = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO sync_held (owner, zone, item, last, message) VALUES (?, ?, ?, ?, ?)")
        for item in notes.holding {
            try insertion.execute(
                arguments: [owner, zone.description, item.id, Int64(bitPattern: item.last), item.message])
        }
    }

    /// Most zones have no such items, and then thousands of items of a page need not be looked for.
    private func isThere(_ table: String, _ zone: ZoneName, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE owner = ? AND zone = ?)"),
            arguments: [owner, zone.description]) == true
    }

    // MARK: Names

    func remember(_ names: [Data: String], in zone: ZoneName) async throws {
        try await database.write { db in try name(names.mapValues { $0 }, in: zone, db) }
    }

    private func name(_ names: [Data: String?], in zone: ZoneName, _ db: Database) throws {
        guard !names.isEmpty else { return }
        let insertion = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO sync_name (owner, zone, item, name) VALUES (?, ?, ?, ?)")
        let deletion = try db.cachedStatement(sql: "DELETE FROM sync_name WHERE owner = ? AND zone = ? AND item = ?")
        // In the order of the table, of which neighbours are on one page.
        for (item, name) in names.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if let name {
                try insertion.execute(arguments: [owner, zone.description, item, name])
            } else {
                try deletion.execute(arguments: [owner, zone.description, item])
            }
        }
    }

    func names(of items: Set<Data>, in zone: ZoneName) async throws -> [Data: String] {
        guard !items.isEmpty else { return [:] }
        return try await database.read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT name FROM sync_name WHERE owner = ? AND zone = ? AND item = ?")
            return try items.reduce(into: [:]) { names, item in
                names[item] = try String.fetchOne(statement, arguments: [owner, zone.description, item])
            }
        }
    }

    // MARK: Items that wait

    func held(in zone: ZoneName, reaching version: UInt64) async throws -> [HeldItem] {
        try await database.read { db in
            try Row.fetchAll(
                db, sql: "SELECT item, last, message FROM sync_held WHERE owner = ? AND zone = ? AND last >= ?",
                arguments: [owner, zone.description, Int64(clamping: version)]
            ).map { HeldItem(id: $0["item"], last: UInt64(bitPattern: $0["last"]), message: $0["message"]) }
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
