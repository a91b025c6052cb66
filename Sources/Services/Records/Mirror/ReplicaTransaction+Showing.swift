import BatonCore
import BatonWire
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// The state that the tables of a mirrored zone show.
extension ReplicaTransaction {
    /// Settles what has changed, and notes what the app's tables are to show. In a zone that mirrors nothing there is nothing to do.
    /// - Parameter onlyOthers: rows that are as they were last sent are not sent again.
    func settle(_ zone: ReplicaZone, _ touched: Set<RecordName>, onlyOthers: Bool = false) throws {
        guard !touched.isEmpty, let schema = try schemas.schema(of: zone) else { return }
        var view = RecordView(schema: schema, source: ReplicaSource(self, zone: zone.id))
        let retried = try forgetObstacles(to: touched, in: zone, &view)
        let update = try view.update(touched.union(retried))
        for record in update.written { try save(record, in: zone) }
        for row in update.rows {
            try keep(row, schema, zone, onlyOthers: onlyOthers && !retried.contains(row.name))
        }
    }

    func keep(
        _ row: RecordRow, _ schema: RecordSchema, _ zone: ReplicaZone, onlyOthers: Bool = false
    ) throws {
        let (name, id) = (row.name.text, zone.id)
        // A row that is shown replaces whatever was kept of it.
        let isNeeded = if case .shown = row.state { onlyOthers } else { true }
        let old =
            try isNeeded
            ? Row.fetchOne(
                db.cachedStatement(sql: "SELECT state, content, hold FROM shown WHERE zone = ? AND name = ?"),
                arguments: [id, name]) : nil
        let oldContent: Data? = old?["content"]
        var content = oldContent ?? Data()
        var hold = ""
        var state = Int(row.told.state.rawValue)
        switch row.state {
        case .shown(let columns):
            guard let table = schema[row.table] else { return }
            var message = ShownRows.message(columns, table, zone.name)
            content = try message.serializedData()
            if content.count > RecordsBounds.shownBytes {
                message.values = []
                content = try message.serializedData()
                hold = "it is too large to be shown"
                state = Int(RecordToldRow.State.held.rawValue)
            }
        case .hidden, .held:
            if case .held(let reason) = row.state { hold = ShownRows.text(of: reason) }
            if let oldContent, !oldContent.isEmpty {
                var message = try Baton_App_V1_ShownRow(serializedBytes: oldContent)
                message.values = []
                content = try message.serializedData()
            } else {
                // The app may have inserted it itself.
                content = try keyOnly(row, schema, zone)
            }
        }
        let shownAs = row.told.shownAs?.text
        if onlyOthers {
            let (oldState, oldHold): (Int, String) = (old?["state"] ?? 0, old?["hold"] ?? "")
            if oldState == state, (oldContent ?? content) == content, oldHold == hold {
                try db.cachedStatement(sql: "UPDATE shown SET shown_as = ? WHERE zone = ? AND name = ?").execute(
                    arguments: [shownAs, id, name])
                return try keepValues(row, schema, zone)
            }
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO shown (zone, name, tbl, state, content, hold, shown_as, sequence) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (zone, name) DO UPDATE SET tbl = excluded.tbl, state = excluded.state,
                        content = excluded.content, hold = excluded.hold, shown_as = excluded.shown_as,
                        sequence = excluded.sequence
                """
        ).execute(arguments: [id, name, row.table, state, content, hold, shownAs, sequence])
        try keepValues(row, schema, zone)
        try note(zone)
    }

    /// The key that a table needs to remove the row; empty where its record does not say it.
    private func keyOnly(_ row: RecordRow, _ schema: RecordSchema, _ zone: ReplicaZone) throws -> Data {
        guard let table = schema[row.table], let record = try record(row.name, in: zone.id)?.record else {
            return Data()
        }
        let key = table.primaryKey.map { record[.value($0)] }
        guard table.rowName(of: key) != nil else { return Data() }
        return try Baton_App_V1_ShownRow.with {
            $0.table = table.name
            $0.key = key.map { RecordsWire.message($0, in: zone.name) }
        }.serializedData()
    }

    private func keepValues(_ row: RecordRow, _ schema: RecordSchema, _ zone: ReplicaZone) throws {
        // Values of an earlier schema went with it.
        guard schema[row.table]?.uniqueKeys.isEmpty == false else { return }
        try db.cachedStatement(sql: "DELETE FROM unique_value WHERE zone = ? AND name = ?").execute(arguments: [
            zone.id, row.name.text,
        ])
        for value in row.told.uniqueValues {
            try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO unique_value (zone, tbl, key, value, name) VALUES (?, ?, ?, ?, ?)"
            ).execute(arguments: [zone.id, value.table, value.key, value.value, row.name.text])
        }
    }

    // MARK: The schema

    /// - Returns: whether it is another one.
    func setTables(_ tables: Data, of zone: ReplicaZone) throws -> Bool {
        guard zone.tables != tables else { return false }
        try db.cachedStatement(sql: "UPDATE zone SET tables = ? WHERE id = ?").execute(arguments: [tables, zone.id])
        guard let zone = try self.zone(zone.name) else { return true }
        try rebuildLinks(in: zone)
        let staying = try String.fetchAll(
            db.cachedStatement(sql: "SELECT name FROM obstacle WHERE zone = ? AND stays = 1"), arguments: [zone.id])
        try db.cachedStatement(sql: "DELETE FROM obstacle WHERE zone = ?").execute(arguments: [zone.id])
        // They are numbered by the earlier unique keys. All rows are looked at anew.
        try db.cachedStatement(sql: "DELETE FROM unique_value WHERE zone = ?").execute(arguments: [zone.id])
        try settleAll(zone)
        // Their tables have something else than was last sent.
        try settle(zone, Set(staying.map { try RecordName($0) }))
        return true
    }

    /// Shows all rows as they are now. Unchanged rows are not sent.
    private func settleAll(_ zone: ReplicaZone) throws {
        // By pages, so that a million of them need no memory.
        var last = ""
        while true {
            let some = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT name FROM record WHERE zone = ?1 AND name > ?2
                            UNION SELECT name FROM shown WHERE zone = ?1 AND name > ?2 ORDER BY 1 LIMIT 2000
                        """), arguments: [zone.id, last])
            guard let end = some.last else { return }
            last = end
            try settle(zone, Set(some.map { try RecordName($0) }), onlyOthers: true)
        }
    }

    // MARK: Fetching

    /// The rows that the tables are to show since a cursor, as they are now; they are complete when there are no more.
    func rows(_ request: Baton_App_V1_FetchRowsRequest) throws -> Baton_App_V1_FetchRowsResponse {
        let zone = try presentZone(try RecordsWire.zoneName(request.zone))
        let isFirst = request.cursor.isEmpty
        let token =
            isFirst
            ? ReplicaToken(identity: zone.identity, sequence: 0)
            : try ReplicaToken(request.cursor, identity: zone.identity, last: last)
        try token.check(removed: isFirst ? 0 : zone.removed)
        let began = isFirst ? last : token.began
        let limit = request.limit == 0 ? RecordsBounds.pageRows : min(Int(request.limit), RecordsBounds.pageRows)
        // From the start there is nothing to remove, nor while that goes on; but an app is to know which rows are held.
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT name, state, content, hold, sequence FROM shown
                    WHERE zone = ? AND (sequence, name) > (?, ?) AND LENGTH(content) > 0
                        AND (state > 0 OR ? = 0)
                    ORDER BY sequence, name
                """,
            arguments: [
                zone.id, token.first, token.after, isFirst,
            ])
        var group = Baton_App_V1_ShownGroup()
        var place: (sequence: Int64, name: String)?
        var (count, bytes, hasMore) = (0, 0, false)
        while let row = try cursor.next() {
            let content: Data = row[2]
            bytes += content.count
            guard count == 0 || (count < limit && bytes <= RecordsBounds.pageBytes) else {
                hasMore = true
                break
            }
            count += 1
            place = (row[4], row[0])
            var message = try Baton_App_V1_ShownRow(serializedBytes: content)
            message.held = row[3]
            if row[1] as Int == 2 { group.put.append(message) } else { group.remove.append(message) }
        }
        let authors = try authors(of: zone.id)
        return .with { response in
            if count > 0 { response.groups = [group] }
            response.more = hasMore
            response.continues = hasMore
            let end =
                hasMore
                ? ReplicaToken(
                    identity: zone.identity, sequence: place?.sequence ?? token.sequence, after: place?.name ?? "",
                    began: began)
                : ReplicaToken(identity: zone.identity, sequence: last, authors: authors)
            response.cursor = end.bytes
            response.position = ReplicaToken.bytes(of: hasMore ? end.sequence - 1 : end.sequence)
        }
    }

    func list(_ request: Baton_App_V1_ListRowsRequest) throws -> Baton_App_V1_ListRowsResponse {
        let zone = try presentZone(try RecordsWire.zoneName(request.zone))
        let after = String(decoding: request.page, as: UTF8.self)
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT name, content FROM shown WHERE zone = ? AND tbl = ? AND state = 2 AND name > ? ORDER BY name
                """, arguments: [zone.id, request.table, after])
        var (rows, bytes, next): ([Baton_App_V1_ShownRow], Int, String) = ([], 0, "")
        var place = ""
        while let row = try cursor.next() {
            let content: Data = row["content"]
            bytes += content.count
            guard rows.isEmpty || (rows.count < RecordsBounds.pageRows && bytes <= RecordsBounds.pageBytes) else {
                next = place
                break
            }
            rows.append(try Baton_App_V1_ShownRow(serializedBytes: content))
            place = row["name"]
        }
        return .with {
            $0.rows = rows
            $0.page = Data(next.utf8)
            $0.cursor = ReplicaToken(identity: zone.identity, sequence: last).bytes
        }
    }
}
