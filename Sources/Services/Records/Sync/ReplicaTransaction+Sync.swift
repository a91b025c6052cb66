import BatonCore
import BatonWire
import FileSync
import Foundation
import GRDB
import RecordMerge
import Sync

/// The sync engine's requests for a zone.
extension ReplicaTransaction {
    // MARK: Sending

    /// The oldest changes that wait, each as a group; one that is too large goes in several.
    /// - Parameter after: the last change that is passed over.
    /// - Returns: also which of them are deletions, and the last change of these.
    func pending(
        in zone: ReplicaZone, limit: Int, after: Int64 = 0
    ) throws -> (items: [OutgoingItem], deletions: Set<String>, last: Int64) {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT name, item, version, pending, is_present FROM record WHERE zone = ? AND pending > ?
                    ORDER BY pending, name
                """,
            arguments: [zone.id, after])
        var items: [OutgoingItem] = []
        var deletions: Set<String> = []
        var (group, change, all) = (0, Int64(0), 0)
        var (count, bytes) = (0, 0)
        while let row = try rows.next() {
            let (name, item, pending): (String, Data, Int64) = (row["name"], row["item"], row["pending"])
            let isNext = pending != change
            all += item.count
            // Between two groups: no more than the engine wants.
            if isNext, !items.isEmpty, items.count >= limit || all > RecordsBounds.groupBytes { break }
            if isNext || count >= RecordsBounds.groupItems || bytes + item.count > RecordsBounds.groupBytes {
                if !isNext, items.count >= limit || all > RecordsBounds.groupBytes { break }
                group += 1
                (change, count, bytes) = (pending, 0, 0)
            }
            count += 1
            bytes += item.count
            if row["is_present"] as Int == 0 { deletions.insert(name) }
            items.append(
                OutgoingItem(
                    name: name, state: .content(item), replaces: UInt64(clamping: row["version"] as Int64),
                    blobs: try blobs(of: name, in: zone), group: group))
        }
        if after == 0, items.count < limit {
            items += try pendingBurials(in: zone, group: group + 1)
            items += try pendingFolds(in: zone, limit: max(1, limit - items.count))
        }
        return (items, deletions, change)
    }

    func blobs(of name: String, in zone: ReplicaZone) throws -> [BlobID] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT b.blob FROM asset_use u JOIN asset_blob b ON b.asset = u.asset
                        WHERE u.zone = ? AND u.name = ? ORDER BY b.blob
                    """), arguments: [zone.id, name]
        ).compactMap(BlobID.init)
    }

    func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ReplicaZone) throws {
        try gravesWritten(items, in: zone)
        var touched: Set<RecordName> = []
        for (item, version) in items {
            guard let name = RecordCodec.name(item.name) else { continue }
            if item.content == nil { try forgetStale(item.name, in: zone) }
            guard let kept = try record(name, in: zone.id) else { continue }
            guard item.content != nil else {
                // It has changed since it was buried.
                try mark(kept, in: zone, version: 0, pending: kept.pending)
                continue
            }
            if let rows = try foldWritten(item, over: kept, version: Int64(clamping: version), in: zone) {
                touched.formUnion(rows)
                continue
            }
            // It may have changed meanwhile.
            let isSame = item.content.map(RecordCodec.digest) == kept.digest
            try mark(
                kept, in: zone, version: Int64(clamping: version),
                pending: isSame ? 0 : kept.pending > 0 ? kept.pending : sequence)
        }
        try settle(zone, touched, onlyOthers: true)
        let names = items.lazy.filter { $0.item.content != nil }.compactMap { RecordCodec.name($0.item.name) }
        try settle(zone, try lackingContents(of: Set(names), in: zone))
    }

    // MARK: Receiving

    /// Takes items from the cloud, all or nothing; a page has ended.
    /// - Returns: names of those that are unreadable here, and why.
    func received(_ items: [IncomingItem], in zone: ReplicaZone) throws -> [(name: String, error: BatonError)] {
        var touched: Set<RecordName> = []
        var listed: Set<RecordName> = []
        var unreadable: [(name: String, error: BatonError)] = []
        // First of all, so that what goes with them is not taken for lost.
        touched.formUnion(try gravesReceived(items, in: zone))
        // In the order of the indexes, so that each of their pages is changed once.
        for item in items.sorted(by: { $0.name < $1.name }) {
            guard let name = RecordCodec.name(item.name) else { continue }
            let version = Int64(clamping: item.version)
            guard let content = item.content else {
                // Nothing is deleted without a word of a device: what is here is written again.
                try forgetStale(item.name, in: zone)
                if let kept = try record(name, in: zone.id) {
                    let known = kept.isBuried ? 0 : version
                    try mark(kept, in: zone, version: known, pending: kept.pending > 0 ? kept.pending : sequence)
                }
                continue
            }
            let told: RecordMerge.Record
            do throws(BatonError) {
                told = try RecordCodec.decode(name, content)
            } catch {
                unreadable.append((item.name, error))
                try passOver(name, version, in: zone)
                continue
            }
            if let names = try merge(told, in: zone, version: version) {
                touched.formUnion(names)
                listed.insert(name)
            } else {
                unreadable.append((item.name, RecordCodec.refusal("too much, together with what is here")))
                try passOver(name, version, in: zone)
            }
        }
        try ended(zone, touched.union(try lackingContents(of: listed, in: zone)), listed)
        return unreadable
    }

    /// A waiting change of this device replaces an item that it cannot read, or nothing of the zone would be written any more.
    /// One that does not wait is not written again: a newer Baton may have written the item, and each would answer the other for
    /// ever.
    private func passOver(_ name: RecordName, _ version: Int64, in zone: ReplicaZone) throws {
        guard let kept = try record(name, in: zone.id) else { return }
        try mark(kept, in: zone, version: version, pending: kept.pending)
    }

    /// Takes records that a device sent directly.
    func exchanged(_ contents: [String: Data], in zone: ReplicaZone) throws {
        var touched: Set<RecordName> = []
        var listed: Set<RecordName> = []
        touched.formUnion(try gravesExchanged(contents, in: zone))
        for (text, content) in contents.sorted(by: { $0.key < $1.key }) {
            guard let name = RecordCodec.name(text), let told = try? RecordCodec.decode(name, content) else { continue }
            guard let names = try merge(told, in: zone, version: nil) else { continue }
            touched.formUnion(names)
            listed.insert(name)
        }
        try ended(zone, touched, listed)
    }

    private func ended(_ zone: ReplicaZone, _ touched: Set<RecordName>, _ listed: Set<RecordName>) throws {
        if zone.name == .zones { try followList(listed) }
        try settle(zone, touched.union(try deleteAbsent(listed, in: zone)))
    }

    // MARK: Starting over

    /// The cloud has nothing but these.
    func startedOver(_ zone: ReplicaZone, holding names: Set<String>) throws {
        let here = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT name, version, pending FROM record WHERE zone = ?"), arguments: [zone.id])
        for row in here {
            let name: String = row["name"]
            guard !names.contains(name) else { continue }
            try db.cachedStatement(
                sql: """
                    UPDATE record SET version = 0, pending = CASE is_buried WHEN 1 THEN 0 ELSE ?1 END, is_due = 0
                        WHERE zone = ?2 AND name = ?3
                    """
            ).execute(arguments: [(row["pending"] as Int64) > 0 ? row["pending"] as Int64 : sequence, zone.id, name])
        }
        try gravesStartedOver(zone, holding: names)
        forgetCache()
        news.pushes.insert(zone.name)
    }

    func didFinishInitialFetch(_ zone: ReplicaZone) throws {
        try db.cachedStatement(sql: "UPDATE zone SET is_complete = 1 WHERE id = ?").execute(arguments: [zone.id])
    }

    // MARK: Other devices

    func contents(of names: [String], in zone: ReplicaZone) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in names {
            if RecordGraves.isName(name) {
                contents[name] = try graves(ofName: name, in: zone)
                continue
            }
            contents[name] = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT item FROM record WHERE zone = ? AND name = ? AND is_buried = 0"),
                arguments: [zone.id, name])
        }
        return contents
    }

    // MARK: Blobs

    /// Those of these that are only here, and needed: records that name them wait, or their asset was handed over lately.
    func needed(among blobs: Set<BlobID>) throws -> Set<BlobID> {
        let oldest = Int64(clamping: wall) - Int64(clamping: RecordsBounds.assetGrace)
        return try blobs.filter { blob in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM asset_blob b JOIN asset a ON a.id = b.asset WHERE b.blob = ?1 AND a.seen > ?2)
                            OR EXISTS (SELECT 1 FROM asset_blob b JOIN asset_use u ON u.asset = b.asset
                                JOIN record r ON r.zone = u.zone AND r.name = u.name WHERE b.blob = ?1 AND r.pending > 0)
                        """), arguments: [blob.bytes, oldest]) == true
        }
    }

    /// Those of these that a record names.
    func named(among blobs: Set<BlobID>) throws -> Set<BlobID> {
        try blobs.filter { blob in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM asset_blob b JOIN asset_use u ON u.asset = b.asset WHERE b.blob = ?)
                        """), arguments: [blob.bytes]) == true
        }
    }

    /// Those that records name which wait.
    func waitingBlobs(in zone: ReplicaZone) throws -> [BlobID] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT b.blob FROM record r
                        JOIN asset_use u ON u.zone = r.zone AND u.name = r.name JOIN asset_blob b ON b.asset = u.asset
                        WHERE r.zone = ? AND r.pending > 0
                    """), arguments: [zone.id]
        ).compactMap(BlobID.init)
    }

    /// The oldest records that wait and that name blobs, with those.
    func waitingBlobs(in zone: ReplicaZone, limit: Int) throws -> [(name: String, blob: BlobID)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT r.name, b.blob, r.pending FROM record r
                        JOIN asset_use u ON u.zone = r.zone AND u.name = r.name JOIN asset_blob b ON b.asset = u.asset
                        WHERE r.zone = ? AND r.pending > 0 ORDER BY r.pending, r.name LIMIT ?
                    """), arguments: [zone.id, limit]
        ).compactMap { row in BlobID(row[1]).map { (name: row[0], blob: $0) } }
    }

    // MARK: Tidying

    /// Assets that no record names.
    func tidy() throws {
        try tidyStaged()
        try tidyAbsent()
        let oldest = Int64(clamping: wall) - Int64(clamping: RecordsBounds.assetGrace)
        let assets = try Data.fetchAll(
            db.cachedStatement(
                sql: "SELECT id FROM asset a WHERE seen < ? AND NOT EXISTS (SELECT 1 FROM asset_use WHERE asset = a.id)"
            ), arguments: [oldest])
        for asset in assets {
            try db.cachedStatement(sql: "DELETE FROM asset_blob WHERE asset = ?").execute(arguments: [asset])
            try db.cachedStatement(sql: "DELETE FROM asset WHERE id = ?").execute(arguments: [asset])
        }
    }
}
