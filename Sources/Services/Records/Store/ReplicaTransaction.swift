import BatonCore
import BatonWire
import FileSync
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// The changes of a transaction, published once they are on the disk.
struct ReplicaNews: Sendable {
    /// Zones with something that apps have not seen.
    var zones: Set<RecordZoneName> = []
    /// Zones with something to send.
    var pushes: Set<RecordZoneName> = []
    /// Zones that are there since this transaction.
    var opened: Set<RecordZoneName> = []
    /// Zones came or went.
    var isDatabaseChanged = false
    /// The digests of records, by zone; nil for one that is not there.
    var digests: [Int64: [String: Data?]] = [:]
}

/// One transaction on a container's file. Blocks. Not to be kept.
final class ReplicaTransaction {
    /// Half KiB of records in memory, each begun one whole: a group of the largest. Policy: beyond it all are read anew.
    private static let cached = 24_000

    let db: Database
    /// Milliseconds since 1970.
    let wall: UInt64
    let schemas: SchemaCache
    /// By which the account counts, in milliseconds; nil while it is not known.
    let accountTime: () -> UInt64?
    /// The same, for how long something has lasted.
    let countedTime: () -> UInt64?
    var news = ReplicaNews()
    /// The name of a device of the account, for people.
    var deviceName: (String) -> String? = { _ in nil }
    var members = RecordsMembers()
    let identity: Data
    let actor: ActorID
    private var hybrid: HybridLogicalClock
    private let lastTime: HybridTimestamp
    /// The last change that was there before this transaction.
    let before: Int64
    private var number: Int64
    private var isNumbered = false
    private var cache: [Int64: [RecordName: KeptRecord?]] = [:]
    private var cacheSize = 0
    /// By zone, the newest of its graves; nil for none.
    var newestGraves: [Int64: HybridTimestamp?] = [:]
    /// Written records, so that they are not decoded again.
    private var fresh: [Int64: [RecordName: (digest: Data, record: RecordMerge.Record)]] = [:]
    /// By zone, as it is now; and the authors that are not in the file yet.
    var authors: [Int64: RecordAuthors] = [:]
    var newAuthors: [Int64: Set<ActorID>] = [:]
    /// By zone: the change that its row has.
    private var noted: [Int64: Int64] = [:]

    init(
        _ db: Database, wall: UInt64, schemas: SchemaCache, accountTime: @escaping () -> UInt64? = { nil },
        countedTime: @escaping () -> UInt64? = { nil }
    ) throws {
        self.db = db
        self.wall = wall
        self.schemas = schemas
        self.accountTime = accountTime
        self.countedTime = countedTime
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM replica") else {
            throw BatonError(.dataLoss, reason: "replica_damaged", "A database of records is damaged.")
        }
        identity = row["identity"]
        actor = ActorID(rawValue: UInt64(bitPattern: row["actor"]))
        lastTime = HybridTimestamp(rawValue: UInt64(bitPattern: row["clock"]))
        hybrid = HybridLogicalClock(last: lastTime)
        before = row["sequence"]
        number = before
    }

    /// The number of the change that is made now.
    var sequence: Int64 {
        if !isNumbered {
            number += 1
            isNumbered = true
        }
        return number
    }

    /// The following changes belong to another change: a group of its own.
    func beginGroup() { isNumbered = false }

    /// The last change that is there.
    var last: Int64 { number }

    /// The milliseconds of the last timestamp, or now.
    var newestMilliseconds: UInt64 { max(hybrid.last.milliseconds, min(wall, HybridTimestamp.maximumMilliseconds)) }

    /// For something that happens now, by this author.
    func stamp(by actor: ActorID? = nil) -> Stamp {
        Stamp(time: hybrid.now(wall: wall), actor: actor ?? self.actor)
    }

    /// Writes what the transaction itself knows. At its end.
    func finish() throws {
        try keepAuthors()
        guard number != before || hybrid.last != lastTime else { return }
        try db.cachedStatement(sql: "UPDATE replica SET sequence = ?, clock = ?").execute(arguments: [
            number, Int64(bitPattern: hybrid.last.rawValue),
        ])
    }

    // MARK: Zones

    func zone(_ name: RecordZoneName) throws -> ReplicaZone? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM zone WHERE name = ?"), arguments: [name.rawValue])
            .flatMap(ReplicaZone.init)
    }

    var zones: [ReplicaZone] {
        get throws { try Row.fetchAll(db, sql: "SELECT * FROM zone ORDER BY name").compactMap(ReplicaZone.init) }
    }

    /// A zone that an app asks for.
    /// - Throws: `zone_not_found`, `user_deleted_zone`.
    func presentZone(_ name: RecordZoneName) throws -> ReplicaZone {
        guard name != .zones, let zone = try zone(name) else { throw RecordsError.zoneNotFound(name.rawValue) }
        switch zone.state {
        case .present: return zone
        case .deleted: throw RecordsError.zoneNotFound(name.rawValue)
        case .purged: throw RecordsError.zonePurged(name.rawValue)
        }
    }

    /// - Throws: `limit_exceeded` where there are too many.
    func makeZone(_ name: RecordZoneName) throws -> ReplicaZone {
        let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM zone") ?? 0
        guard count < RecordsBounds.zones else {
            throw RecordsError.limit("A container has at most \(RecordsBounds.zones) zones.")
        }
        try db.cachedStatement(
            sql: "INSERT INTO zone (name, identity, state, sequence, is_complete) VALUES (?, ?, 0, ?, 0)"
        ).execute(arguments: [name.rawValue, RandomBytes.make(16), name == .zones ? 0 : sequence])
        guard let zone = try zone(name) else { throw RecordsError.zoneNotFound(name.rawValue) }
        news.opened.insert(name)
        if name != .zones {
            news.isDatabaseChanged = true
            news.zones.insert(name)
        }
        return zone
    }

    /// Something in it has changed.
    func note(_ zone: ReplicaZone) throws {
        news.zones.insert(zone.name)
        guard noted.updateValue(sequence, forKey: zone.id) != sequence else { return }
        try db.cachedStatement(sql: "UPDATE zone SET sequence = ? WHERE id = ?").execute(arguments: [sequence, zone.id])
    }

    // MARK: Records

    func record(_ name: RecordName, in zone: Int64) throws -> KeptRecord? {
        if let known = cache[zone]?[name] { return known }
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM record WHERE zone = ? AND name = ?"), arguments: [zone, name.text])
        let kept = try row.map { row in
            let written = fresh[zone]?[name]
            return try KeptRecord(row, known: written?.digest == row["digest"] as Data ? written?.record : nil)
        }
        remember(kept, name, zone, bytes: row.map { ($0["item"] as Data).count } ?? 0)
        return kept
    }

    /// Rows were changed without their records.
    func forgetCache() {
        cache = [:]
        fresh = [:]
        cacheSize = 0
    }

    func forget(_ name: RecordName, in zone: Int64) { cache[zone]?[name] = nil }

    private func remember(_ kept: KeptRecord?, _ name: RecordName, _ zone: Int64, bytes: Int) {
        if cacheSize > Self.cached { forgetCache() }
        cacheSize += 1 + bytes / 512
        cache[zone, default: [:]].updateValue(kept, forKey: name)
    }

    /// Keeps what this device wrote. It is sent later.
    /// - Returns: the rows of a mirrored zone that may be others now.
    @discardableResult
    func save(_ record: RecordMerge.Record, in zone: ReplicaZone) throws -> Set<RecordName> {
        let old = try self.record(record.name, in: zone.id)
        // An author whose copy lags behind, and whose clock too, takes nothing back.
        var joined = old.map { $0.record.joined(record) } ?? record
        guard joined != old?.record else { return [] }
        // Else all others take it for an old copy of what was buried.
        if joined.isPresent, let grave = try grave(of: record.name, in: zone.id) {
            joined = joined.outliving(grave, by: actor)
        }
        return try write(joined, over: old, in: zone, version: old?.version ?? 0, pending: sequence)
    }

    /// Keeps a record that another device wrote.
    /// - Parameter version: of the cloud, nil where a device sent it directly.
    /// - Returns: nil where the join would be over a limit, so that no other device would take it: nothing is changed.
    func merge(_ told: RecordMerge.Record, in zone: ReplicaZone, version: Int64?) throws -> Set<RecordName>? {
        let old = try record(told.name, in: zone.id)
        if let grave = try grave(of: told.name, in: zone.id) {
            if told.isOld(buriedAt: grave) {
                try refuseOldCopy(told.name, old, version, in: zone)
                return []
            }
            if version != nil { try forgetStale(told.name.text, in: zone) }
        }
        // A record that was buried adds nothing to the one that comes after it.
        let joined = old.flatMap { $0.isBuried ? nil : $0.record.joined(told) } ?? told
        let isNew = joined != old?.record
        if isNew, joined.excess != nil { return nil }
        var pending = old?.pending ?? 0
        if version != nil {
            // The cloud has all of it, or not.
            pending = joined == told ? 0 : (pending > 0 ? pending : sequence)
        } else if isNew {
            pending = sequence
        }
        guard isNew else {
            if let old, let version { try mark(old, in: zone, version: version, pending: pending) }
            return []
        }
        return try write(joined, over: old, in: zone, version: version ?? old?.version ?? 0, pending: pending)
    }

    func mark(_ kept: KeptRecord, in zone: ReplicaZone, version: Int64, pending: Int64) throws {
        // Buried records are not announced.
        let pending = kept.isBuried ? 0 : pending
        guard kept.version != version || kept.pending != pending else { return }
        try db.cachedStatement(
            sql:
                "UPDATE record SET version = ?1, pending = ?2, is_due = is_due AND ?2 = 0 WHERE zone = ?3 AND name = ?4"
        ).execute(arguments: [version, pending, zone.id, kept.record.name.text])
        cache[zone.id]?[kept.record.name] = nil
        if pending > 0 { news.pushes.insert(zone.name) }
    }

    func write(
        _ record: RecordMerge.Record, over old: KeptRecord?, in zone: ReplicaZone, version: Int64, pending: Int64
    ) throws -> Set<RecordName> {
        let isBuried = try grave(of: record.name, in: zone.id).map(record.isOld(buriedAt:)) ?? false
        let pending = isBuried ? 0 : pending
        let item = try RecordCodec.encode(record)
        let digest = RecordCodec.digest(item)
        fresh[zone.id, default: [:]][record.name] = (digest, record)
        let arrivals = (old?.arrivals ?? DotArrivals()).keeping(record.presence, sequence: sequence)
        try db.cachedStatement(
            sql: """
                INSERT INTO record
                    (zone, name, type, item, digest, is_present, deleted, sequence, arrivals, merged_into, version, pending,
                        is_buried)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (zone, name) DO UPDATE SET type = excluded.type, item = excluded.item,
                        digest = excluded.digest, is_present = excluded.is_present, deleted = excluded.deleted,
                        sequence = excluded.sequence, arrivals = excluded.arrivals, merged_into = excluded.merged_into,
                        version = excluded.version, pending = excluded.pending, is_buried = excluded.is_buried,
                        is_due = 0
                """
        ).execute(arguments: [
            zone.id, record.name.text, record.type, item, digest, record.isPresent,
            Int64(clamping: record.deletion?.time.milliseconds ?? 0), sequence, arrivals.bytes,
            record.mergedInto?.text, version, pending, isBuried,
        ])
        // As the row is now: settling asks for it next.
        remember(
            KeptRecord(
                record: record, digest: digest, sequence: sequence, version: version, pending: pending,
                arrivals: arrivals, isBuried: isBuried, isDue: false),
            record.name, zone.id, bytes: item.count)
        news.digests[zone.id, default: [:]].updateValue(isBuried ? nil : digest, forKey: record.name.text)
        if pending > 0 { news.pushes.insert(zone.name) }
        try note(zone)
        try noteAuthors(of: record, in: zone)
        try index(record, over: old?.record, in: zone)
        guard let schema = try schemas.schema(of: zone) else { return [] }
        return schema.touched(replacing: old?.record, with: record)
    }

    // MARK: Indexes

    private func index(_ record: RecordMerge.Record, over old: RecordMerge.Record?, in zone: ReplicaZone) throws {
        let (name, id) = (record.name.text, zone.id)
        let (references, links) = (RecordUses.references(of: record), try links(of: record, in: zone))
        if let old {
            if RecordUses.references(of: old) != references {
                try db.cachedStatement(sql: "DELETE FROM reference WHERE zone = ? AND name = ?").execute(arguments: [
                    id, name,
                ])
            }
            if try self.links(of: old, in: zone) != links {
                try db.cachedStatement(sql: "DELETE FROM link WHERE zone = ? AND name = ?").execute(arguments: [
                    id, name,
                ])
            }
        }
        for reference in references {
            try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO reference (zone, target, name, kind) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [id, reference.target.text, name, reference.kind])
        }
        for link in links { try insert(link, of: name, in: id) }
        let assets = RecordUses.assets(of: record)
        if let old, !RecordUses.assets(of: old).isEmpty {
            try db.cachedStatement(sql: "DELETE FROM asset_use WHERE zone = ? AND name = ?").execute(arguments: [
                id, name,
            ])
        }
        for asset in assets {
            let asset = try keep(asset)
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO asset_use (asset, zone, name) VALUES (?, ?, ?)").execute(
                arguments: [asset, id, name])
        }
    }

    private func links(of record: RecordMerge.Record, in zone: ReplicaZone) throws -> [RecordLink] {
        try schemas.schema(of: zone)?.links(of: record) ?? []
    }

    private func insert(_ link: RecordLink, of name: String, in zone: Int64) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO link (zone, target, tbl, key, name) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [zone, link.target.text, link.table, link.key, name])
    }

    /// The zone's tables are others: its records name others by them.
    func rebuildLinks(in zone: ReplicaZone) throws {
        try db.cachedStatement(sql: "DELETE FROM link WHERE zone = ?").execute(arguments: [zone.id])
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM record WHERE zone = ?", arguments: [zone.id])
        while let row = try rows.next() {
            let kept = try KeptRecord(row)
            try noteAuthors(of: kept.record, in: zone)
            for link in try links(of: kept.record, in: zone) {
                try insert(link, of: kept.record.name.text, in: zone.id)
            }
        }
    }

    // MARK: Assets

    /// - Returns: its identifier.
    @discardableResult
    func keep(_ asset: RecordAsset) throws -> Data {
        let id = AssetID.of(asset)
        try db.cachedStatement(
            sql: """
                INSERT INTO asset (id, content, sha256, seen) VALUES (?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET seen = MAX(seen, excluded.seen)
                """
        ).execute(arguments: [
            id, try RecordCodec.message(asset).serializedData() as Data, asset.digest, Int64(clamping: wall),
        ])
        for part in asset.parts {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO asset_blob (blob, asset) VALUES (?, ?)").execute(
                arguments: [part.blob, id])
        }
        return id
    }

    func asset(_ id: Data) throws -> RecordAsset? {
        try Data.fetchOne(db.cachedStatement(sql: "SELECT content FROM asset WHERE id = ?"), arguments: [id]).map(
            AssetID.asset)
    }

    /// Those that are said to have the same content. Few: the rest need not be looked at.
    func assets(like asset: RecordAsset) throws -> [RecordAsset] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT content FROM asset WHERE sha256 = ? LIMIT 4"), arguments: [asset.digest]
        )
        .map(AssetID.asset).filter { $0.isSameContent(as: asset) }
    }
}
