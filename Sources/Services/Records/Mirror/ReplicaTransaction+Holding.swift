import BatonCore
import BatonWire
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// Rows that are held: the app's table refuses them, or a content of them is away.
extension ReplicaTransaction {
    /// A row that was refused is tried again when it, another record of it, or a row that it names, has changed.
    /// - Returns: such rows.
    func forgetObstacles(
        to touched: Set<RecordName>, in zone: ReplicaZone, _ view: inout RecordView<ReplicaSource>
    ) throws -> Set<RecordName> {
        guard try hasObstacles(in: zone) else { return [] }
        var names: Set<RecordName> = []
        for name in touched {
            let row = try view.rowName(of: name)
            let waiting = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT name FROM obstacle WHERE zone = ?1 AND name IN (?2, ?3)
                            UNION SELECT o.name FROM link l CROSS JOIN obstacle o ON o.zone = l.zone AND o.name = l.name
                                WHERE l.zone = ?1 AND l.target = ?2
                        """), arguments: [zone.id, name.text, row.text])
            for row in waiting {
                try db.cachedStatement(sql: "DELETE FROM obstacle WHERE zone = ? AND name = ?").execute(arguments: [
                    zone.id, row,
                ])
                names.insert(try RecordName(row))
            }
        }
        return names
    }

    private func hasObstacles(in zone: ReplicaZone) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM obstacle WHERE zone = ?)"), arguments: [zone.id])
            == true
    }

    // MARK: Trying again

    /// Rows of which a content was away: this replica is not notified when it has come.
    func retryContents(in zone: ReplicaZone) throws {
        try retry("zone = ? AND reason = ?", [zone.id, ReplicaSource.contentAway], in: zone)
    }

    /// All that the table has refused.
    func retryAll(in zone: ReplicaZone) throws { try retry("zone = ?", [zone.id], in: zone) }

    private func retry(_ condition: String, _ arguments: StatementArguments, in zone: ReplicaZone) throws {
        while true {
            let names = try String.fetchAll(
                db.cachedStatement(
                    sql: "SELECT name FROM obstacle WHERE \(condition) LIMIT \(RecordsBounds.pageRows)"),
                arguments: arguments)
            if names.isEmpty { return }
            for name in names {
                try db.cachedStatement(sql: "DELETE FROM obstacle WHERE zone = ? AND name = ?").execute(arguments: [
                    zone.id, name,
                ])
            }
            try settle(zone, Set(names.map { try RecordName($0) }))
        }
    }

    func lacksContents(_ zone: ReplicaZone) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM obstacle WHERE zone = ? AND reason = ?)"),
            arguments: [zone.id, ReplicaSource.contentAway]) == true
    }

    /// Rows of which a content was away, of these records. The cloud has the records, and so all that they name.
    func lackingContents(of names: Set<RecordName>, in zone: ReplicaZone) throws -> Set<RecordName> {
        guard !names.isEmpty, try hasObstacles(in: zone), let schema = try schemas.schema(of: zone) else { return [] }
        let isAway = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM obstacle WHERE zone = ? AND name = ? AND reason = ?)")
        var view = RecordView(schema: schema, source: ReplicaSource(self, zone: zone.id))
        var rows: Set<RecordName> = []
        for name in names {
            let row = try view.rowName(of: name)
            let arguments: StatementArguments = [zone.id, row.text, ReplicaSource.contentAway]
            if try Bool.fetchOne(isAway, arguments: arguments) == true { rows.insert(row) }
        }
        return rows
    }

    // MARK: Reports

    /// The table refused these, or does not show them yet.
    ///
    /// Rows that are shown anew since the app fetched are passed over: it has refused another state of them.
    func hold(_ request: Baton_App_V1_ReportHeldRequest) throws {
        let zone = try presentZone(try RecordsWire.zoneName(request.zone))
        guard let schema = try schemas.schema(of: zone) else {
            throw RecordsError.invalid("The zone “\(zone.name)” mirrors no tables.")
        }
        guard request.rows.count <= RecordsBounds.rows else {
            throw RecordsError.limit("A call takes \(RecordsBounds.rows) rows at most.")
        }
        var seen = Int64.max
        if !request.cursor.isEmpty {
            // With a cursor of another replica the app compares its tables anew.
            guard let token = try? ReplicaToken(request.cursor, identity: zone.identity, last: last) else { return }
            seen = token.sequence
        }
        var names: Set<RecordName> = []
        for row in request.rows {
            let name = try ShownRows.name(row.table, row.key, schema)
            let shown = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT state, sequence FROM shown WHERE zone = ? AND name = ?"),
                arguments: [zone.id, name.text])
            let (state, sequence): (Int, Int64) = (shown?["state"] ?? 0, shown?["sequence"] ?? 0)
            guard sequence <= seen else { continue }
            let reason = row.reason.isEmpty ? "refused" : row.reason.shortened(toBytes: 500)
            let stays = row.stays && reason == ReplicaSource.contentAway && state == 2
            try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO obstacle (zone, name, reason, stays) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [zone.id, name.text, reason, stays])
            if !stays { names.insert(name) }
        }
        guard !names.isEmpty else { return }
        var view = RecordView(schema: schema, source: ReplicaSource(self, zone: zone.id))
        let update = try view.update(names)
        for record in update.written { try save(record, in: zone) }
        for row in update.rows { try keep(row, schema, zone) }
    }

    // MARK: Figures

    /// How many rows are not shown as the replica has them.
    func countHeld(in zone: ReplicaZone) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT (SELECT COUNT(*) FROM shown WHERE zone = ?1 AND state = 1)
                        + (SELECT COUNT(*) FROM obstacle WHERE zone = ?1 AND stays = 1)
                    """), arguments: [zone.id]) ?? 0
    }

    /// Some of them, for people.
    func held(in zone: ReplicaZone, limit: Int) throws -> [(name: String, reason: String)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT name, hold FROM shown WHERE zone = ?1 AND state = 1
                        UNION ALL SELECT name, ?2 FROM obstacle WHERE zone = ?1 AND stays = 1 ORDER BY 1 LIMIT ?3
                    """), arguments: [zone.id, ShownRows.earlierState, limit]
        ).map { ($0[0], $0[1]) }
    }

    /// Why a row is not shown as the replica has it; nil: it is.
    func hold(on name: RecordName, in zone: ReplicaZone) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT hold FROM shown WHERE zone = ?1 AND name = ?2 AND state = 1
                        UNION ALL SELECT ?3 FROM obstacle WHERE zone = ?1 AND name = ?2 AND stays = 1 LIMIT 1
                    """), arguments: [zone.id, name.text, ShownRows.earlierState])
    }
}
