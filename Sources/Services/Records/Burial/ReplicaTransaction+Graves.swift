import BatonCore
import FileSync
import Foundation
import GRDB
import RecordMerge
import Sync

/// Records that were deleted for good, here or elsewhere.
extension ReplicaTransaction {
    /// The time of the newest change of a record that was buried; nil for one that was not.
    func grave(of name: RecordName, in zone: Int64) throws -> HybridTimestamp? {
        guard try newestGrave(in: zone) != nil else { return nil }
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT time FROM grave WHERE zone = ? AND id = ?"),
            arguments: [zone, RecordGraves.bytes(of: RecordGraves.id(of: name))]
        ).map { HybridTimestamp(rawValue: UInt64(bitPattern: $0)) }
    }

    /// Nil for a zone without graves.
    func newestGrave(in zone: Int64) throws -> HybridTimestamp? {
        if let known = newestGraves[zone] { return known }
        let newest = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT MAX(time) FROM grave WHERE zone = ?"), arguments: [zone]
        ).map { HybridTimestamp(rawValue: UInt64(bitPattern: $0)) }
        newestGraves.updateValue(newest, forKey: zone)
        return newest
    }

    func graves(ofName name: String, in zone: ReplicaZone) throws -> Data? {
        guard let shard = RecordGraves.shardName(name) else { return nil }
        return try RecordGraves.read(shard, of: zone.id, in: db).content(ofName: shard)
    }

    // MARK: The cloud

    /// Records that were buried here are gone from the cloud.
    func gravesWritten(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ReplicaZone) throws {
        let shards = items.filter { RecordGraves.isName($0.item.name) && $0.item.content != nil }
        guard !shards.isEmpty else { return }
        let told = Self.read(shards.map { ($0.item.name, $0.item.content) })
        let names = items.filter { $0.item.content == nil }.map(\.item.name)
        try settle(zone, try takeGraves(told, of: names, in: zone))
        for (item, version) in shards { try keep(item.name, version: version, as: item.content, in: zone) }
    }

    /// - Returns: rows of a mirrored zone that may be others now.
    func gravesReceived(_ items: [IncomingItem], in zone: ReplicaZone) throws -> Set<RecordName> {
        let shards = items.filter { RecordGraves.isName($0.name) }
        guard !shards.isEmpty else { return [] }
        let names = items.filter { $0.content == nil }.map(\.name)
        let touched = try takeGraves(Self.read(shards.map { ($0.name, $0.content) }), of: names, in: zone)
        // Lost, damaged, or with less than is known here: it is written again.
        for item in shards { try keep(item.name, version: item.version, as: item.content, in: zone) }
        return touched
    }

    func gravesStartedOver(_ zone: ReplicaZone, holding names: Set<String>) throws {
        let shards = try String.fetchAll(
            db.cachedStatement(sql: "SELECT name FROM grave_shard WHERE zone = ?"), arguments: [zone.id])
        for shard in shards where !names.contains(RecordGraves.itemName(ofShard: shard)) {
            try keep(RecordGraves.itemName(ofShard: shard), version: 0, as: nil, in: zone)
        }
        for name in try String.fetchAll(db, sql: "SELECT name FROM stale WHERE zone = ?", arguments: [zone.id])
        where !names.contains(name) { try forgetStale(name, in: zone) }
    }

    /// - Parameter content: what the cloud has.
    private func keep(_ name: String, version: UInt64, as content: Data?, in zone: ReplicaZone) throws {
        guard let shard = RecordGraves.shardName(name) else { return }
        let own = try RecordGraves.read(shard, of: zone.id, in: db).content(ofName: shard)
        let isSent = own == content || own == nil
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO grave_shard (zone, name, version, is_sent) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [zone.id, shard, Int64(clamping: version), isSent])
        if !isSent { news.pushes.insert(zone.name) }
    }

    // MARK: Other devices

    func gravesExchanged(_ contents: [String: Data], in zone: ReplicaZone) throws -> Set<RecordName> {
        let shards = contents.filter { RecordGraves.isName($0.key) }
        return shards.isEmpty ? [] : try takeGraves(Self.read(shards.map { ($0.key, $0.value) }), in: zone)
    }

    /// A shard that no device writes counts as empty.
    private static func read(_ shards: [(name: String, content: Data?)]) -> [Graveyard.Identifier: UInt64] {
        shards.reduce(into: [:]) { told, item in
            guard let shard = RecordGraves.shardName(item.name), let content = item.content,
                let graves = try? Graveyard.read(content, ofName: shard)
            else { return }
            told.merge(graves) { $1 }
        }
    }

    // MARK: Taking

    /// A grave later than now would be later than any change that comes.
    private func isAhead(_ grave: UInt64) -> Bool {
        let now = min(accountTime() ?? wall, HybridTimestamp.maximumMilliseconds)
        return HybridTimestamp(rawValue: grave).milliseconds > now + HybridLogicalClock.maximumDrift
    }

    /// Applies burials made here or elsewhere.
    /// - Parameter names: of records that were erased with it. Graves of others are looked for among all records.
    /// - Returns: rows of a mirrored zone that may be others now.
    func takeGraves(
        _ told: [Graveyard.Identifier: UInt64], of names: [String] = [], in zone: ReplicaZone
    ) throws -> Set<RecordName> {
        // Which zones there are is never forgotten.
        guard zone.name != .zones else { return [] }
        var news: [Graveyard.Identifier: HybridTimestamp] = [:]
        for (shard, graves) in Dictionary(
            grouping: told.filter { !isAhead($0.value) }, by: { Graveyard.name(of: $0.key) })
        {
            var graveyard = try RecordGraves.read(shard, of: zone.id, in: db)
            let before = graveyard.all
            let buried = graveyard.bury(Dictionary(uniqueKeysWithValues: graves.map { ($0.key, $0.value) }))
            guard !buried.isEmpty else { continue }
            for (id, time) in buried {
                try db.cachedStatement(sql: "INSERT OR REPLACE INTO grave (zone, id, time) VALUES (?, ?, ?)").execute(
                    arguments: [zone.id, RecordGraves.bytes(of: id), Int64(bitPattern: time)])
                news[id] = HybridTimestamp(rawValue: time)
            }
            for id in before.keys where graveyard[id] == nil {
                try db.cachedStatement(sql: "DELETE FROM grave WHERE zone = ? AND id = ?").execute(
                    arguments: [zone.id, RecordGraves.bytes(of: id)])
            }
            try noteChanged(shard, graveyard, in: zone)
        }
        guard !news.isEmpty else { return [] }
        newestGraves[zone.id] = nil
        return try follow(news, of: names, in: zone)
    }

    /// It is to be written, and announced to nearby devices.
    private func noteChanged(_ shard: String, _ graveyard: Graveyard, in zone: ReplicaZone) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO grave_shard (zone, name, version, is_sent) VALUES (?, ?, 0, 0)
                    ON CONFLICT (zone, name) DO UPDATE SET is_sent = 0
                """
        ).execute(arguments: [zone.id, shard])
        let digest = graveyard.content(ofName: shard).map(RecordCodec.digest)
        news.digests[zone.id, default: [:]].updateValue(digest, forKey: RecordGraves.itemName(ofShard: shard))
        news.pushes.insert(zone.name)
    }

    /// Records that others have buried. A member's word ends nothing that can still be undone here: what is not known to be deleted, or
    /// not for long enough, is deleted as by a person, is not announced, and leaves after 30 days of its own.
    private func follow(
        _ graves: [Graveyard.Identifier: HybridTimestamp], of names: [String], in zone: ReplicaZone
    ) throws -> Set<RecordName> {
        var touched: Set<RecordName> = []
        var withdrawn: [(name: RecordName, grave: HybridTimestamp)] = []
        for name in try records(in: graves, of: names, zone) {
            guard let grave = graves[RecordGraves.id(of: name)], let kept = try record(name, in: zone.id),
                kept.record.isOld(buriedAt: grave)
            else { continue }
            if kept.record.lives(after: grave, isUnsent: try isUnsent(kept, in: zone)) {
                touched.formUnion(try outlive(kept, grave, in: zone))
            } else if kept.isDue, !kept.record.isPresent {
                try remove(kept, from: zone)
            } else {
                touched.formUnion(
                    try write(
                        kept.record.withdrawn(grave, by: actor), over: kept, in: zone, version: kept.version, pending: 0
                    ))
                withdrawn.append((name, grave))
            }
        }
        guard !withdrawn.isEmpty, let schema = try schemas.schema(of: zone) else { return touched }
        try settle(zone, touched)
        // A row lives for those that need it.
        for (name, grave) in withdrawn where try isVisible(name, schema, in: zone) {
            guard let kept = try record(name, in: zone.id) else { continue }
            touched.formUnion(try outlive(kept, grave, in: zone))
        }
        return touched
    }

    /// The names that graves have. None follows from its digest: unless it is among the names that came with it, all records are looked
    /// through.
    private func records(
        in graves: [Graveyard.Identifier: HybridTimestamp], of names: [String], _ zone: ReplicaZone
    ) throws -> [RecordName] {
        let known = names.compactMap(RecordCodec.name)
        var found: [RecordName] = []
        var rest = Set(graves.keys)
        for name in known where rest.remove(RecordGraves.id(of: name)) != nil { found.append(name) }
        guard !rest.isEmpty else { return found }
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT name FROM record WHERE zone = ?"), arguments: [zone.id])
        while let row = try rows.next() {
            let name = try RecordName(row["name"] as String)
            if rest.contains(RecordGraves.id(of: name)) { found.append(name) }
        }
        return found
    }

    private func outlive(_ kept: KeptRecord, _ grave: HybridTimestamp, in zone: ReplicaZone) throws -> Set<RecordName> {
        try write(
            kept.record.outliving(grave, by: actor), over: kept, in: zone, version: kept.version, pending: sequence)
    }

    /// An old copy of what was buried. In the cloud it is replaced by what is here, or erased again.
    func refuseOldCopy(_ name: RecordName, _ old: KeptRecord?, _ version: Int64?, in zone: ReplicaZone) throws {
        guard let version else { return }
        if let old {
            return try mark(old, in: zone, version: version, pending: old.pending > 0 ? old.pending : sequence)
        }
        try noteStale(name.text, version, in: zone)
    }

    func noteStale(_ name: String, _ version: Int64, in zone: ReplicaZone) throws {
        guard version > 0 else { return }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO stale (zone, name, version) VALUES (?, ?, ?)").execute(
            arguments: [zone.id, name, version])
        news.pushes.insert(zone.name)
    }

    func forgetStale(_ name: String, in zone: ReplicaZone) throws {
        try db.cachedStatement(sql: "DELETE FROM stale WHERE zone = ? AND name = ?").execute(arguments: [zone.id, name])
    }
}
