import BatonCore
import FileSync
import Foundation
import GRDB
import RecordMerge
import Sync

/// Deletions for good, 30 days after they were made, by the account's time.
extension ReplicaTransaction {
    /// In one group, which has as many shards of the graves at most besides as fit.
    private static let buriedAtOnce = 200

    func lookForOld(time: UInt64) throws {
        try lookForRevoked(time: time)
        for zone in try zones { try lookForOld(in: zone, time: time) }
    }

    /// Looks which deletions are old enough. Once an hour.
    /// - Parameter time: the account's, in milliseconds since 1970.
    func lookForOld(in zone: ReplicaZone, time: UInt64) throws {
        // Which zones there are is never forgotten.
        let hasCloud = members.hasCloud()
        guard zone.isComplete || !hasCloud, zone.name != .zones else { return }
        let looked = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT looked FROM zone WHERE id = ?"), arguments: [zone.id])
        var (deleted, known): ([String: UInt64], [String: DeletionAges<String>.Age]) = ([:], [:])
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT name, digest, age_since, age_stamp FROM record WHERE zone = ? AND is_present = 0 AND deleted > 0
                    AND (is_buried = 1 OR ? = 0 OR (pending = 0 AND version > 0))
                """, arguments: [zone.id, hasCloud])
        while let row = try rows.next() {
            let (name, since): (String, Int64) = (row["name"], row["age_since"])
            deleted[name] = (row["digest"] as Data).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            guard since > 0 else { continue }
            known[name] = .init(since: UInt64(clamping: since), stamp: UInt64(bitPattern: row["age_stamp"]))
        }
        try db.cachedStatement(sql: "UPDATE zone SET looked = ? WHERE id = ?").execute(
            arguments: [Int64(clamping: time), zone.id])
        guard !deleted.isEmpty else { return }
        var ages = DeletionAges(known, lastLook: looked.flatMap { $0 > 0 ? UInt64(clamping: $0) : nil })
        let due = ages.look(at: deleted, time: time)
        for (name, age) in ages.ages where known[name] != age {
            try db.cachedStatement(
                sql: "UPDATE record SET age_since = ?, age_stamp = ?, is_due = 0 WHERE zone = ? AND name = ?"
            ).execute(arguments: [Int64(clamping: age.since), Int64(bitPattern: age.stamp), zone.id, name])
        }
        forgetCache()
        // Without a cloud each other device must have had the same since.
        let met = hasCloud ? nil : try firstMeeting(in: zone, time: time)
        var graves: [Graveyard.Identifier: UInt64] = [:]
        for text in due {
            guard let kept = try record(try RecordName(text), in: zone.id), try mayBeBuried(kept, in: zone) else {
                continue
            }
            // A device whose clock was ahead made it: devices refuse graves of the future.
            guard kept.record.newestStamp.time.milliseconds <= time else { continue }
            if kept.isBuried {
                // A record that others had buried before it was old here needs no grave any more.
                try remove(kept, from: zone)
                try noteStale(text, kept.version, in: zone)
                continue
            }
            if let met {
                guard let since = ages.ages[text]?.since, since < met else { continue }
                graves[RecordGraves.id(of: kept.record.name)] = kept.record.newestStamp.time.rawValue
            }
            try db.cachedStatement(sql: "UPDATE record SET is_due = 1 WHERE zone = ? AND name = ?").execute(
                arguments: [zone.id, text])
            forget(kept.record.name, in: zone.id)
            if hasCloud { news.pushes.insert(zone.name) }
        }
        try settle(zone, try takeGraves(graves, of: due, in: zone))
    }

    /// Whether nothing but its deletion is left of a record.
    private func mayBeBuried(_ kept: KeptRecord, in zone: ReplicaZone) throws -> Bool {
        let record = kept.record
        guard !record.isPresent, kept.pending == 0 || !members.hasCloud() else { return false }
        let isNamed = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM record WHERE zone = ? AND merged_into = ?)"),
            arguments: [zone.id, record.name.text])
        guard isNamed != true else { return false }
        if let schema = try schemas.schema(of: zone), schema[record.type] != nil {
            return try !isVisible(record.name, schema, in: zone)
        }
        // A row of a table that is not known here: whether another row needs it cannot be determined.
        return record.fields[.created] != nil
    }

    /// Whether the row that a record is part of is to be seen, also for another row's sake.
    func isVisible(_ name: RecordName, _ schema: RecordSchema, in zone: ReplicaZone) throws -> Bool {
        var view = RecordView(schema: schema, source: ReplicaSource(self, zone: zone.id))
        return try view.row(try view.rowName(of: name)).state != .hidden
    }

    /// Nothing is left of it.
    func remove(_ kept: KeptRecord, from zone: ReplicaZone) throws {
        let name = kept.record.name.text
        let shown = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT sequence FROM shown WHERE zone = ? AND name = ?"),
            arguments: [zone.id, name])
        for table in ["record", "reference", "link", "asset_use", "obstacle", "shown", "unique_value"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE zone = ? AND name = ?").execute(
                arguments: [zone.id, name])
        }
        // An app that does not know that it is gone begins from nothing.
        try db.cachedStatement(sql: "UPDATE zone SET removed = MAX(removed, ?) WHERE id = ?").execute(
            arguments: [max(kept.sequence, shown ?? 0), zone.id])
        forget(kept.record.name, in: zone.id)
        news.digests[zone.id, default: [:]].updateValue(nil, forKey: name)
    }

    // MARK: Sending

    /// Deletions whose time is over, with their graves, in one group; and what the cloud does not have of the graves.
    func pendingBurials(in zone: ReplicaZone, group: Int) throws -> [OutgoingItem] {
        guard zone.name != .zones else { return [] }
        let (items, names) = try burial(in: zone, group: group)
        return items + (try unsentGraves(of: zone, but: names)) + (try staleCopies(in: zone))
    }

    private func burial(in zone: ReplicaZone, group: Int) throws -> (items: [OutgoingItem], shards: Set<String>) {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT * FROM record WHERE zone = ? AND is_due = 1 AND is_present = 0 AND pending = 0 AND version > 0
                        AND is_buried = 0 ORDER BY name LIMIT ?
                    """), arguments: [zone.id, Self.buriedAtOnce])
        var buried: [String: [KeptRecord]] = [:]
        for row in rows {
            let kept = try KeptRecord(row)
            guard try mayBeBuried(kept, in: zone) else {
                try db.cachedStatement(sql: "UPDATE record SET is_due = 0 WHERE zone = ? AND name = ?").execute(
                    arguments: [zone.id, kept.record.name.text])
                forget(kept.record.name, in: zone.id)
                continue
            }
            buried[Graveyard.name(of: RecordGraves.id(of: kept.record.name)), default: []].append(kept)
        }
        var (items, shards, bytes): ([OutgoingItem], Set<String>, Int) = ([], [], 0)
        for (shard, records) in buried.sorted(by: { $0.key < $1.key }) {
            var graveyard = try RecordGraves.read(shard, of: zone.id, in: db)
            for kept in records {
                graveyard.bury(RecordGraves.id(of: kept.record.name), at: kept.record.newestStamp.time.rawValue)
            }
            guard let content = graveyard.content(ofName: shard) else { continue }
            bytes += content.count
            guard items.isEmpty || bytes <= RecordsBounds.groupBytes else { break }
            for kept in records {
                items.append(
                    OutgoingItem(
                        name: kept.record.name.text, state: .deleted(tombstone: nil),
                        replaces: UInt64(clamping: kept.version), group: group))
            }
            items.append(
                OutgoingItem(
                    name: RecordGraves.itemName(ofShard: shard), state: .content(content),
                    replaces: try version(of: shard, in: zone), group: group))
            shards.insert(shard)
        }
        return (items, shards)
    }

    private func version(of shard: String, in zone: ReplicaZone) throws -> UInt64 {
        UInt64(
            clamping: try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT version FROM grave_shard WHERE zone = ? AND name = ?"),
                arguments: [zone.id, shard]) ?? 0)
    }

    private func unsentGraves(of zone: ReplicaZone, but shards: Set<String>) throws -> [OutgoingItem] {
        try String.fetchAll(
            db.cachedStatement(sql: "SELECT name FROM grave_shard WHERE zone = ? AND is_sent = 0 ORDER BY name"),
            arguments: [zone.id]
        ).filter { !shards.contains($0) }.compactMap { shard in
            guard let content = try RecordGraves.read(shard, of: zone.id, in: db).content(ofName: shard) else {
                return nil
            }
            return OutgoingItem(
                name: RecordGraves.itemName(ofShard: shard), state: .content(content),
                replaces: try version(of: shard, in: zone))
        }
    }

    private func staleCopies(in zone: ReplicaZone) throws -> [OutgoingItem] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT name, version FROM stale s WHERE zone = ?1
                        AND NOT EXISTS (SELECT 1 FROM record WHERE zone = ?1 AND name = s.name) ORDER BY name LIMIT ?2
                    """), arguments: [zone.id, Self.buriedAtOnce]
        ).map { row in
            OutgoingItem(
                name: row["name"], state: .deleted(tombstone: nil), replaces: UInt64(clamping: row["version"] as Int64))
        }
    }
}
