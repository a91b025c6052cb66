import BatonCore
import FileSync
import Foundation
import GRDB
import RecordMerge

/// The changes of a mirror from before this replica was there, when its tables had shown another replica of the zone.
extension ReplicaTransaction {
    /// Lines in a zone. Policy: of more none is noted, and their rows come back.
    static let maximumAbsent = 10_000

    // MARK: Authors

    func authors(of zone: Int64) throws -> RecordAuthors {
        if let known = authors[zone] { return known }
        var times: [ActorID: HybridTimestamp] = [:]
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT actor, time FROM author WHERE zone = ?"), arguments: [zone])
        for row in rows {
            times[ActorID(rawValue: UInt64(bitPattern: row["actor"] as Int64))] = HybridTimestamp(
                rawValue: UInt64(bitPattern: row["time"] as Int64))
        }
        authors[zone] = RecordAuthors(times)
        return RecordAuthors(times)
    }

    /// In a zone that is mirrored.
    func noteAuthors(of record: RecordMerge.Record, in zone: ReplicaZone) throws {
        guard zone.tables != nil else { return }
        var known = try authors(of: zone.id)
        let news = known.note(record)
        guard !news.isEmpty else { return }
        authors[zone.id] = known
        newAuthors[zone.id, default: []].formUnion(news)
    }

    /// At the end of the transaction.
    func keepAuthors() throws {
        for (zone, actors) in newAuthors {
            for actor in actors {
                guard let time = authors[zone]?.times[actor] else { continue }
                try db.cachedStatement(sql: "INSERT OR REPLACE INTO author (zone, actor, time) VALUES (?, ?, ?)")
                    .execute(arguments: [
                        zone, Int64(bitPattern: actor.rawValue), Int64(bitPattern: time.rawValue),
                    ])
            }
        }
        newAuthors = [:]
    }

    // MARK: Deletions

    /// The record may come later: from the cloud, or from a device that is near.
    func noteAbsent(_ name: RecordName, cursor: Data, in zone: ReplicaZone) throws {
        guard try record(name, in: zone.id) == nil else { return }
        let count = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT COUNT(*) FROM absent WHERE zone = ?"), arguments: [zone.id])
        guard (count ?? 0) < Self.maximumAbsent else { return }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO absent (zone, name, cursor, time) VALUES (?, ?, ?, ?)")
            .execute(arguments: [zone.id, name.text, cursor, Int64(clamping: wall)])
    }

    /// Records that have come, of which a table had deleted the row. An edit that it had not shown keeps the record.
    /// - Returns: rows of a mirrored zone that may be others now.
    func deleteAbsent(_ names: Set<RecordName>, in zone: ReplicaZone) throws -> Set<RecordName> {
        let isAny = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM absent WHERE zone = ?)"), arguments: [zone.id])
        guard isAny == true, let schema = try schemas.schema(of: zone) else { return [] }
        var touched: Set<RecordName> = []
        for name in names.sorted() {
            let cursor = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT cursor FROM absent WHERE zone = ? AND name = ?"),
                arguments: [zone.id, name.text])
            guard let cursor else { continue }
            try db.cachedStatement(sql: "DELETE FROM absent WHERE zone = ? AND name = ?").execute(arguments: [
                zone.id, name.text,
            ])
            guard let former = try ReplicaToken(cursor).authors else { continue }
            var editor = RecordEditor(
                schema: schema, source: ReplicaSource(self, zone: zone.id),
                copy: MirrorCopy(transaction: self, zone: zone.id, actor: actor, seen: 0, former: former), actor: actor)
            for record in try editor.apply([.delete(name: name)], at: stamp()) {
                touched.formUnion(try save(record, in: zone))
            }
        }
        return touched
    }

    func tidyAbsent() throws {
        try db.cachedStatement(sql: "DELETE FROM absent WHERE time < ?").execute(arguments: [
            Int64(clamping: wall) - Int64(clamping: RecordsBounds.absentTime)
        ])
    }
}
