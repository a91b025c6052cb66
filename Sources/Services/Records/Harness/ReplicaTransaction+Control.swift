import BatonCore
import BatonWire
import FileSync
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// The replica's state as the command line shows it.
extension ReplicaTransaction {
    private static let pageRecords = 200
    /// Characters of a value that is shown.
    private static let valueLength = 200

    var shownZones: [Baton_Control_V1_RecordZone] {
        get throws { try zones.filter { $0.name != .zones && $0.state == .present }.map(shown) }
    }

    private func shown(_ zone: ReplicaZone) throws -> Baton_Control_V1_RecordZone {
        let counts = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT COALESCE(SUM(is_present), 0) AS present, COALESCE(SUM(pending > 0), 0) AS waiting,
                        COALESCE(SUM(LENGTH(item)), 0) AS bytes FROM record WHERE zone = ?
                    """), arguments: [zone.id])
        return try .with {
            $0.name = zone.name.rawValue
            $0.records = UInt64(clamping: counts?["present"] as Int? ?? 0)
            $0.waiting = UInt64(clamping: counts?["waiting"] as Int? ?? 0)
            $0.bytes = UInt64(clamping: counts?["bytes"] as Int? ?? 0)
            $0.held = UInt64(clamping: try countHeld(in: zone) + countUntaken(in: zone))
            $0.mirrored = zone.tables != nil
            $0.complete = zone.isComplete
        }
    }

    /// The zone that a person names; without a name the only one with records.
    private func zone(forPerson name: String) throws -> ReplicaZone {
        if !name.isEmpty {
            guard let zone = RecordZoneName(name) else { throw RecordsError.zoneNotFound(name) }
            return try presentZone(zone)
        }
        let used = try zones.filter { zone in
            try zone.name != .zones
                && Bool.fetchOne(
                    db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM record WHERE zone = ? AND is_present = 1)"),
                    arguments: [zone.id])
                    == true
        }
        guard used.count <= 1 else {
            let names = used.map(\.name.rawValue).joined(separator: ", ")
            throw BatonError(
                .invalidArgument, reason: "ambiguous_zone", "There are several zones. Name one: \(names).")
        }
        return try used.first ?? presentZone(.standard)
    }

    func shown(
        _ request: Baton_Control_V1_ShowRecordsRequest, device: (String) -> String?
    ) throws -> Baton_Control_V1_ShowRecordsResponse {
        let zone = try zone(forPerson: request.zone)
        if !request.recordName.isEmpty {
            guard let kept = try record(try RecordsWire.recordName(request.recordName), in: zone.id) else {
                throw RecordsError.unknownItem(request.recordName)
            }
            let shown = try shown(kept, in: zone, withFields: true, device: device)
            return .with {
                $0.records = [shown]
                $0.zone = zone.name.rawValue
            }
        }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT * FROM record WHERE zone = ? AND name > ? AND is_present = 1 ORDER BY name LIMIT ?
                    """), arguments: [zone.id, request.after, Self.pageRecords + 1])
        let records = try rows.prefix(Self.pageRecords).map {
            try shown(KeptRecord($0), in: zone, withFields: false, device: device)
        }
        return .with {
            $0.records = records
            $0.zone = zone.name.rawValue
            if rows.count > Self.pageRecords { $0.next = records.last?.name ?? "" }
        }
    }

    func shown(
        _ kept: KeptRecord, in zone: ReplicaZone, withFields: Bool, device: (String) -> String?
    ) throws -> Baton_Control_V1_ShownRecord {
        let record = kept.record
        let hold = try hold(on: record.name, in: zone)
        var fields: [Baton_Control_V1_ShownField] = []
        let numbers = withFields ? record.numbers.sorted { $0.key < $1.key } : []
        for (field, value) in numbers {
            let (name, isEncrypted): (String, Bool)
            switch field {
            case .value(let key): (name, isEncrypted) = (key, false)
            case .encrypted(let key): (name, isEncrypted) = (key, true)
            case .parent, .created, .creator, .modified, .modifier: continue
            }
            let stamp = record.fields[field]?.stamp
            let writer = try stamp.flatMap { try self.device(of: $0.actor) }
            fields.append(
                .with {
                    $0.name = name
                    $0.encrypted = isEncrypted
                    $0.value = Self.text(of: value)
                    $0.written = stamp?.time.milliseconds ?? 0
                    $0.deviceName = writer.map { device($0) ?? $0 } ?? ""
                })
        }
        return .with {
            $0.name = record.name.text
            $0.type = record.type
            let modified = RecordsWire.milliseconds(record[.modified])
            $0.modified = modified > 0 ? modified : record.newestStamp.time.milliseconds
            $0.waiting = kept.pending > 0
            $0.deleted = !record.isPresent
            $0.fields = fields
            $0.held = hold ?? ""
            $0.mergedInto = record.mergedInto?.text ?? ""
            if case .reference(let parent) = record[.parent] { $0.parent = parent.name.text }
        }
    }

    private static func text(of value: RecordValue) -> String {
        switch value {
        case .nothing: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text.shortened(toBytes: valueLength)
        case .bytes(let data): "\(data.count) bytes"
        case .date(let seconds):
            abs(seconds) < 6e10 ? "\(Date(timeIntervalSinceReferenceDate: seconds))" : "\(seconds) s"
        case .reference(let reference): "→ \(reference.name.text)"
        case .asset(let asset): "\(asset.size) bytes as an asset"
        case .list(let values): "a list of \(values.count)"
        case .location: "a location"
        case .unknown: "a value of a newer version"
        }
    }

    /// Records of a type, in any zone, that are named so or have that key.
    func records(table: String, key: String) throws -> [(zone: ReplicaZone, kept: KeptRecord)] {
        try rows(table: table, key: key).compactMap { zone, name in
            guard let kept = try record(name, in: zone.id), table.isEmpty || kept.record.type == table else {
                return nil
            }
            return (zone, kept)
        }
    }

    /// Rows of which there is no record here, since their changes are not taken.
    func untakenRows(table: String, key: String) throws -> [(zone: ReplicaZone, name: RecordName, reason: String)] {
        try rows(table: table, key: key).compactMap { zone, name in
            guard let reason = try untaken(name, in: zone), try record(name, in: zone.id)?.record.type != table else {
                return nil
            }
            return (zone, name, reason)
        }
    }

    private func rows(table: String, key: String) throws -> [(zone: ReplicaZone, name: RecordName)] {
        var found: [(ReplicaZone, RecordName)] = []
        for zone in try zones where zone.name != .zones {
            var names: [String] = [key]
            if let schema = try schemas.schema(of: zone), let table = schema[table] {
                var values = [RecordValue.text(key)]
                if let number = Int64(key) { values.append(.integer(number)) }
                names += values.compactMap { table.rowName(of: [$0])?.text }
            }
            found += names.compactMap { try? RecordName($0) }.map { (zone, $0) }
        }
        return found
    }

    func explanation(
        of zone: ReplicaZone, _ container: RecordContainer, isFull: Bool, hasCloud: Bool
    ) throws -> Baton_Control_V1_Explanation {
        let counts = try shown(zone)
        var rows = try held(in: zone, limit: 5).map { "\($0.name) (\($0.reason))" }
        rows += try untaken(in: zone, limit: 5).map { "\($0.name) (this device's app has it: \($0.reason))" }
        let heldText =
            counts.held == 0
            ? "No row is held back." : "\(counts.held) rows are held: \(rows.joined(separator: "; "))."
        return .init(
            "\(container.identifier) \(zone.name)",
            [
                Baton_Link_V1_Stage(
                    "read", zone.isComplete || !hasCloud ? .ok : .failed,
                    !hasCloud
                        ? "Devices that come near give what they have. The account has no cloud."
                        : zone.isComplete
                            ? "All that the account has is here." : "Not everything of the account has been read yet.",
                    !zone.isComplete && hasCloud ? "“baton explain sync” says what the reading waits for." : ""),
                Baton_Link_V1_Stage(
                    "shown", counts.held == 0 ? .ok : .failed, heldText,
                    counts.held == 0
                        ? ""
                        : "Held rows are tried again when what they need comes, and when the app has another schema."),
                Baton_Link_V1_Stage(
                    "sent", !hasCloud || (counts.waiting == 0 && !isFull) ? .ok : .failed,
                    !hasCloud
                        ? "Devices that come near get everything."
                        : isFull
                            ? "The account's cloud is full: \(counts.waiting) records wait."
                            : counts.waiting == 0
                                ? "Nothing waits to be sent." : "\(counts.waiting) records wait to be sent.",
                    counts.waiting > 0 && hasCloud ? "“baton explain sync” says what the sending waits for." : ""),
            ])
    }
}
