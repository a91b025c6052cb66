import BatonCore
import BatonWire
import FileSync
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// Which zones there are: a record for each in a zone of their own, which no app sees.
///
/// The same zone has a record for each author of this account's devices, so that people can see who wrote something.
extension ReplicaTransaction {
    private static let zoneType = "zone"
    private static let actorType = "actor"
    private static let purged = RecordField.value("purged")
    private static let device = RecordField.value("device")

    private static func recordName(of zone: RecordZoneName) throws(BatonError) -> RecordName {
        guard let name = try? RecordName("zone:" + zone.rawValue) else {
            throw RecordsError.invalid("A zone's name has at most 250 characters.")
        }
        return name
    }

    private func list() throws -> ReplicaZone {
        guard let list = try zone(.zones) else { throw RecordsError.zoneNotFound("") }
        return list
    }

    private func write(_ changes: [RecordChange]) throws {
        let list = try list()
        var editor = RecordEditor(
            schema: .plain, source: ReplicaSource(self, zone: list.id), copy: WholeCopy(), actor: actor)
        for record in try editor.apply(changes, at: stamp()) { try save(record, in: list) }
    }

    // MARK: Zones

    /// Makes it, also after it was deleted. The default zone needs no record.
    func saveZone(_ name: RecordZoneName) throws {
        if let zone = try zone(name), zone.state == .present { return }
        if name != .standard {
            let record = try Self.recordName(of: name)
            try write([.save(name: record, type: Self.zoneType, values: [Self.purged: .nothing])])
        }
        try follow(name, isThere: true, isPurged: false)
    }

    /// Deletes it with its records. One that is not there is none.
    func deleteZone(_ name: RecordZoneName, byPerson: Bool = false) throws {
        guard let zone = try zone(name), zone.state == .present else { return }
        guard name != .standard || byPerson else {
            throw RecordsError.invalid("The default zone is always there.")
        }
        try deleteAll(in: zone)
        guard name != .standard else { return }
        let record = try Self.recordName(of: name)
        if byPerson {
            try write([.save(name: record, type: Self.zoneType, values: [Self.purged: .integer(1)])])
        }
        try write([.delete(name: record)])
        try follow(name, isThere: false, isPurged: byPerson)
    }

    func modifyZones(_ request: Baton_App_V1_ModifyZonesRequest) throws -> Baton_App_V1_ModifyZonesResponse {
        guard request.save.count + request.delete.count <= RecordLimits.callRecords else {
            throw RecordsError.limit("A call takes \(RecordLimits.callRecords) zones at most.")
        }
        func result(
            _ id: Baton_App_V1_RecordZoneID, _ body: (RecordZoneName) throws -> Void
        ) throws -> Baton_App_V1_ZoneResult {
            var result = Baton_App_V1_ZoneResult.with { $0.zone = id }
            do {
                try body(try RecordsWire.zoneName(id))
            } catch let error as BatonError {
                result.problem = RecordsWire.problem(error)
            }
            return result
        }
        return try .with { response in
            response.saved = try request.save.map { try result($0) { try saveZone($0) } }
            response.deleted = try request.delete.map { try result($0) { try deleteZone($0) } }
        }
    }

    func fetchZones(_ request: Baton_App_V1_FetchZonesRequest) throws -> Baton_App_V1_FetchZonesResponse {
        var ids = request.zones
        if ids.isEmpty {
            ids = try zones.filter { $0.name != .zones && $0.state == .present }.map { zone in
                .with { $0.zoneName = zone.name.rawValue }
            }
        }
        return .with { response in
            response.zones = ids.map { id in
                .with {
                    $0.zone = id
                    do {
                        _ = try presentZone(try RecordsWire.zoneName(id))
                    } catch {
                        $0.problem = RecordsWire.problem(error)
                    }
                }
            }
        }
    }

    /// Deletes the zone's records in the replica, in groups.
    private func deleteAll(in zone: ReplicaZone) throws {
        let names = try String.fetchAll(
            db.cachedStatement(sql: "SELECT name FROM record WHERE zone = ? AND is_present = 1 ORDER BY name"),
            arguments: [zone.id])
        var touched: Set<RecordName> = []
        for start in stride(from: 0, to: names.count, by: RecordsBounds.groupItems) {
            beginGroup()
            let some = try names[start..<min(start + RecordsBounds.groupItems, names.count)].map {
                try RecordName($0)
            }
            var editor = RecordEditor(
                schema: .plain, source: ReplicaSource(self, zone: zone.id), copy: WholeCopy(), actor: actor)
            let changes = some.map { RecordChange.delete(name: $0) }
            for record in try editor.apply(changes, at: stamp()) { touched.formUnion(try save(record, in: zone)) }
        }
        beginGroup()
        try settle(zone, touched)
    }

    /// Whether a zone is there, by its record.
    private func follow(_ name: RecordZoneName, isThere: Bool, isPurged: Bool) throws {
        let state: ReplicaZone.State = isThere ? .present : isPurged ? .purged : .deleted
        guard let zone = try zone(name) else {
            guard isThere else { return }
            _ = try makeZone(name)
            return
        }
        guard zone.state != state else { return }
        // Tokens of the zone that was there before are of another one.
        let identity = isThere ? RandomBytes.make(16) : zone.identity
        try db.cachedStatement(sql: "UPDATE zone SET state = ?, sequence = ?, identity = ? WHERE id = ?").execute(
            arguments: [state.rawValue, sequence, identity, zone.id])
        news.isDatabaseChanged = true
        news.zones.insert(name)
        if isThere { news.opened.insert(name) }
    }

    /// After the list of zones was changed by other devices.
    func followList(_ names: Set<RecordName>) throws {
        let list = try list()
        for name in names {
            guard name.text.hasPrefix("zone:"), let zone = RecordZoneName(String(name.text.dropFirst(5))),
                zone != .standard, let kept = try record(name, in: list.id)
            else { continue }
            let isPurged = if case .integer(1) = kept.record[Self.purged] { true } else { false }
            do {
                try follow(zone, isThere: kept.record.isPresent, isPurged: isPurged)
            } catch let error as BatonError where error.reason == "limit_exceeded" {
                // More zones than any device makes: what is beyond is not kept here.
                continue
            }
        }
    }

    // MARK: Authors

    private static func recordName(of actor: ActorID) throws(BatonError) -> RecordName {
        try RecordName("actor:" + String(actor.rawValue, radix: 16))
    }

    /// Notes which device an author is on. Once for each.
    func note(_ actor: ActorID, on device: String) throws {
        let (list, name) = (try list(), try Self.recordName(of: actor))
        guard try record(name, in: list.id) == nil else { return }
        try write([.save(name: name, type: Self.actorType, values: [Self.device: .text(device)])])
    }

    /// Nil where it is not known.
    func device(of actor: ActorID) throws -> String? {
        let (list, name) = (try list(), try Self.recordName(of: actor))
        return try record(name, in: list.id).map { RecordsWire.text($0.record[Self.device]) }
    }

    /// All authors that are known, with the device of each.
    func devicesOfAuthors() throws -> [ActorID: String] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM record WHERE zone = ? AND type = ?", arguments: [try list().id, Self.actorType])
        var authors: [ActorID: String] = [:]
        for row in rows {
            let record = try KeptRecord(row).record
            guard let number = UInt64(record.name.text.dropFirst("actor:".count), radix: 16) else { continue }
            authors[ActorID(rawValue: number)] = RecordsWire.text(record[Self.device])
        }
        return authors
    }
}

/// The replica, as the rules of merging query it. For one update: the last state sent and the holds on rows do not change
/// meanwhile.
final class ReplicaSource: RecordSource {
    private let transaction: ReplicaTransaction
    private let zone: Int64
    private var told: [RecordName: RecordToldRow?] = [:]
    /// Most zones have none, and then no row needs to be looked for.
    private var hasMerged: Bool?
    private var hasObstacles: Bool?

    init(_ transaction: ReplicaTransaction, zone: Int64) {
        self.transaction = transaction
        self.zone = zone
    }

    private func names(_ sql: String, _ arguments: StatementArguments) throws -> [RecordName] {
        try String.fetchAll(transaction.db.cachedStatement(sql: sql), arguments: arguments).map { try RecordName($0) }
    }

    func record(_ name: RecordName) throws -> RecordMerge.Record? { try transaction.record(name, in: zone)?.record }

    func records(with link: RecordLink) throws -> [RecordName] {
        try names(
            "SELECT name FROM link WHERE zone = ? AND target = ? AND tbl = ? AND key = ?",
            [zone, link.target.text, link.table, link.key])
    }

    func records(mergedInto name: RecordName) throws -> [RecordName] {
        let hasMerged =
            try self.hasMerged
            ?? exists("SELECT EXISTS (SELECT 1 FROM record WHERE zone = ? AND merged_into IS NOT NULL)")
        self.hasMerged = hasMerged
        guard hasMerged else { return [] }
        return try names("SELECT name FROM record WHERE zone = ? AND merged_into = ?", [zone, name.text])
    }

    private func exists(_ sql: String) throws -> Bool {
        try Bool.fetchOne(transaction.db.cachedStatement(sql: sql), arguments: [zone]) == true
    }

    var leastCounter: UInt64 {
        get throws {
            guard let newest = try transaction.newestGrave(in: zone) else { return 0 }
            return max(newest.milliseconds, transaction.newestMilliseconds)
        }
    }

    func toldRow(_ name: RecordName) throws -> RecordToldRow? {
        if let known = told[name] { return known }
        let row = try readTold(name)
        told[name] = .some(row)
        return row
    }

    private func readTold(_ name: RecordName) throws -> RecordToldRow? {
        let row = try Row.fetchOne(
            transaction.db.cachedStatement(sql: "SELECT state, shown_as FROM shown WHERE zone = ? AND name = ?"),
            arguments: [zone, name.text])
        guard let row, let state = RecordToldRow.State(rawValue: UInt8(clamping: row["state"] as Int)) else {
            return nil
        }
        let target = try (row["shown_as"] as String?).map { try RecordName($0) }
        guard state != .hidden || target != nil else { return nil }
        let rows = try Row.fetchAll(
            transaction.db.cachedStatement(sql: "SELECT tbl, key, value FROM unique_value WHERE zone = ? AND name = ?"),
            arguments: [zone, name.text])
        let values = rows.map { RecordUniqueValue(table: $0["tbl"], key: $0["key"], value: $0["value"]) }
        return RecordToldRow(state: state, uniqueValues: Set(values), shownAs: target)
    }

    func rows(holding value: RecordUniqueValue) throws -> [RecordName] {
        try names(
            "SELECT name FROM unique_value WHERE zone = ? AND tbl = ? AND key = ? AND value = ?",
            [zone, value.table, value.key, value.value])
    }

    /// An app's reason for a row of which it could not read a content.
    static let contentAway = "content_away"

    func obstacle(to row: RecordName) throws -> RecordHold? {
        let hasObstacles = try self.hasObstacles ?? exists("SELECT EXISTS (SELECT 1 FROM obstacle WHERE zone = ?)")
        self.hasObstacles = hasObstacles
        guard hasObstacles else { return nil }
        return try String.fetchOne(
            transaction.db.cachedStatement(
                sql: "SELECT reason FROM obstacle WHERE zone = ? AND name = ? AND stays = 0"),
            arguments: [zone, row.text]
        ).map { $0 == Self.contentAway ? .content : .refused($0) }
    }
}

/// An app that has the daemon's records before its eyes.
struct WholeCopy: RecordCopy {
    func hasSeen(_ dot: Dot, of record: RecordName) throws -> Bool { true }
    func hasApart(_ member: RecordName) throws -> Bool { false }
}
