import BatonCore
import Foundation
import GRDB

/// How much of each owner is in the index.
struct IndexUsage: Sendable {
    var source: SearchSource
    var owner: ItemOwner
    var items: Int
    var bytes: Int
    /// Milliseconds since 1970; 0 for never.
    var changed: UInt64
    var error: String
    var errorTime: UInt64

    static func all(_ db: Database) throws -> [IndexUsage] {
        try Row.fetchAll(db, sql: "SELECT * FROM usage WHERE items > 0 OR error <> '' ORDER BY bundle_id, source")
            .compactMap { row in
                let team: Data = row["team"]
                let (changed, errorTime): (Int64, Int64) = (row["changed"], row["error_time"])
                guard let source = SearchSource(rawValue: row["source"]),
                    let owner = ItemOwner(team: Array(team), bundleID: row["bundle_id"])
                else { return nil }
                return IndexUsage(
                    source: source, owner: owner, items: row["items"], bytes: row["bytes"],
                    changed: UInt64(clamping: changed), error: row["error"], errorTime: UInt64(clamping: errorTime))
            }
    }

    /// With items of the class `.complete`, by their sealed bytes.
    static func adding(_ sealed: [IndexUsage], to usage: [IndexUsage]) -> [IndexUsage] {
        var usage = usage
        for own in sealed {
            if let place = usage.firstIndex(where: { $0.source == own.source && $0.owner == own.owner }) {
                usage[place].items += own.items
                usage[place].bytes += own.bytes
                usage[place].changed = max(usage[place].changed, own.changed)
            } else {
                usage.append(own)
            }
        }
        return usage
    }

    static func owners(_ db: Database) throws -> Set<ItemOwner> {
        Set(try all(db).filter { $0.items > 0 }.map(\.owner))
    }

    static func of(_ source: SearchSource, _ owner: ItemOwner, _ db: Database) throws -> (items: Int, bytes: Int) {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT items, bytes FROM usage WHERE source = ? AND team = ? AND bundle_id = ?"),
            arguments: [source.rawValue, Data(owner.team), owner.bundleID])
        return (row?["items"] ?? 0, row?["bytes"] ?? 0)
    }

    static func note(_ error: String, of owner: ItemOwner, at time: UInt64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO usage (source, team, bundle_id, items, bytes, changed, error, error_time)
                VALUES (2, ?, ?, 0, 0, 0, ?, ?)
                ON CONFLICT DO UPDATE SET error = excluded.error, error_time = excluded.error_time
                """, arguments: [Data(owner.team), owner.bundleID, error, Int64(clamping: time)])
    }
}
