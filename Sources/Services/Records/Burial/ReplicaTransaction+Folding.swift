import BatonCore
import FileSync
import Foundation
import GRDB
import RecordMerge
import Sync

/// Sums of counters of devices that were revoked, folded into one 30 days after that was known here, by the account's time.
///
/// A fold replaces what the cloud has of the record, in the version that is here, or does not happen: so all devices have the same folds.
/// An account without a cloud folds nothing.
extension ReplicaTransaction {
    /// Records that are looked at in one transaction.
    static let foldedAtOnce = 2000

    /// Looks whose time is over. Once an hour.
    /// - Parameter time: the account's, in milliseconds since 1970.
    func lookForRevoked(time: UInt64) throws {
        guard let list = try zone(.zones) else { return }
        let looked = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT looked FROM zone WHERE id = ?"), arguments: [list.id])
        var known: [String: DeletionAges<String>.Age] = [:]
        var due: Set<String> = []
        for row in try Row.fetchAll(db, sql: "SELECT * FROM revoked") {
            let device: String = row["device"]
            known[device] = .init(since: UInt64(clamping: row["since"] as Int64), stamp: 0)
            if row["is_due"] as Bool { due.insert(device) }
        }
        try db.cachedStatement(sql: "UPDATE zone SET looked = ? WHERE id = ?").execute(
            arguments: [Int64(clamping: time), list.id])
        let revoked = Set(try devicesOfAuthors().values).filter(members.isRevoked)
        guard !revoked.isEmpty else { return }
        var ages = DeletionAges(known, lastLook: looked.flatMap { $0 > 0 ? UInt64(clamping: $0) : nil })
        let over = Set(ages.look(at: Dictionary(uniqueKeysWithValues: revoked.map { ($0, 0) }), time: time))
        for (device, age) in ages.ages {
            let isDue = over.contains(device) || due.contains(device)
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO revoked (device, since, is_due) VALUES (?, ?, ?)")
                .execute(arguments: [device, Int64(clamping: age.since), isDue])
        }
        guard !over.isSubset(of: due) else { return }
        for zone in try zones where zone.name != .zones {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO fold_place (zone, name) VALUES (?, '')").execute(
                arguments: [zone.id])
        }
    }

    /// Notes which records have such sums, some at a time.
    /// - Returns: whether there is more to look at.
    func lookForFolds() throws -> Bool {
        guard let place = try Row.fetchOne(db, sql: "SELECT zone, name FROM fold_place ORDER BY zone LIMIT 1") else {
            return false
        }
        let (id, after): (Int64, String) = (place["zone"], place["name"])
        let actors = try foldedActors()
        var last: String?
        var count = 0
        let rows = try Row.fetchCursor(
            db, sql: "SELECT * FROM record WHERE zone = ? AND name > ? ORDER BY name LIMIT ?",
            arguments: [id, after, Self.foldedAtOnce])
        var found: [String] = []
        while let row = try rows.next() {
            let kept = try KeptRecord(row)
            (last, count) = (kept.record.name.text, count + 1)
            // A deleted record leaves as it is.
            if kept.record.isPresent, kept.record.folding(actors) != kept.record { found.append(kept.record.name.text) }
        }
        for name in found {
            try db.cachedStatement(sql: "UPDATE record SET is_folding = 1 WHERE zone = ? AND name = ?").execute(
                arguments: [id, name])
        }
        if let zone = try zones.first(where: { $0.id == id }), !found.isEmpty { news.pushes.insert(zone.name) }
        if let last, count == Self.foldedAtOnce {
            try db.cachedStatement(sql: "UPDATE fold_place SET name = ? WHERE zone = ?").execute(arguments: [last, id])
        } else {
            try db.cachedStatement(sql: "DELETE FROM fold_place WHERE zone = ?").execute(arguments: [id])
        }
        return try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM fold_place") ?? 0 > 0
    }

    /// Whose sums may be folded.
    private func foldedActors() throws -> Set<ActorID> {
        let due = Set(try String.fetchAll(db, sql: "SELECT device FROM revoked WHERE is_due = 1"))
        return due.isEmpty ? [] : Set(try devicesOfAuthors().filter { due.contains($0.value) }.keys)
    }

    // MARK: Sending

    /// Folded records. Records that wait to be sent are sent first.
    func pendingFolds(in zone: ReplicaZone, limit: Int) throws -> [OutgoingItem] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT * FROM record WHERE zone = ? AND is_folding = 1 AND is_present = 1 AND pending = 0 AND version > 0
                        AND is_buried = 0 ORDER BY name LIMIT ?
                    """), arguments: [zone.id, limit])
        guard !rows.isEmpty else { return [] }
        let actors = try foldedActors()
        var items: [OutgoingItem] = []
        for row in rows {
            let kept = try KeptRecord(row)
            let folded = kept.record.folding(actors)
            guard folded != kept.record else {
                try db.cachedStatement(sql: "UPDATE record SET is_folding = 0 WHERE zone = ? AND name = ?").execute(
                    arguments: [zone.id, kept.record.name.text])
                continue
            }
            items.append(
                OutgoingItem(
                    name: kept.record.name.text, state: .content(try RecordCodec.encode(folded)),
                    replaces: UInt64(clamping: kept.version), blobs: try blobs(of: kept.record.name.text, in: zone)))
        }
        return items
    }

    /// - Returns: the rows that may be others now; nil for what is no fold.
    func foldWritten(
        _ item: OutgoingItem, over kept: KeptRecord, version: Int64, in zone: ReplicaZone
    ) throws -> Set<RecordName>? {
        guard let content = item.content, RecordCodec.digest(content) != kept.digest,
            let folded = try? RecordCodec.decode(kept.record.name, content, from: .thisDevice),
            !folded.folded.isSubset(of: kept.record.folded)
        else { return nil }
        return try merge(folded, in: zone, version: version)
    }
}
