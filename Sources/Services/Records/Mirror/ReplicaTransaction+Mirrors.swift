import BatonCore
import BatonWire
import Crypto
import FileSync
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// Changes that an app has committed to tables that are mirrored.
extension ReplicaTransaction {
    /// The author of what a mirror writes: another one where the zone was made anew, so that none gives one number twice.
    static func actor(_ mirror: Data, in zone: ReplicaZone) -> ActorID {
        var hash = SHA256()
        hash.update(data: Data("baton-record-mirror-v1".utf8))
        hash.update(data: zone.identity)
        hash.update(data: mirror)
        let number = Array(hash.finalize()).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return ActorID(rawValue: max(1, number))
    }

    private func check(mirror: Data) throws {
        guard mirror.count == 16 else { throw RecordsError.invalid("A mirror names itself with 16 bytes.") }
    }

    func setSchema(
        _ request: Baton_App_V1_SetSchemaRequest, device: String
    ) throws -> Baton_App_V1_SetSchemaResponse {
        try check(mirror: request.actor)
        let name = try RecordsWire.zoneName(request.zone)
        // Judged before anything is made.
        _ = try SchemaCache.schema(request.tables)
        let tables = try SchemaCache.bytes(of: request.tables)
        if let zone = try self.zone(name), zone.state == .purged { throw RecordsError.zonePurged(name.rawValue) }
        try saveZone(name)
        let zone = try presentZone(name)
        let isOther = try setTables(tables, of: zone)
        if !isOther, request.retry { try retryAll(in: zone) }
        if !isOther, !request.retry { try retryContents(in: zone) }
        let taken = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT taken FROM mirror WHERE zone = ? AND actor = ?"),
            arguments: [zone.id, request.actor])
        if taken == nil {
            let count = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT COUNT(*) FROM mirror WHERE zone = ?"), arguments: [zone.id])
            if (count ?? 0) >= RecordsBounds.mirrors { try removeOldestMirror(of: zone) }
            try db.cachedStatement(sql: "INSERT INTO mirror (zone, actor, taken, clock) VALUES (?, ?, 0, 0)").execute(
                arguments: [zone.id, request.actor])
            try note(Self.actor(request.actor, in: zone), on: device)
        }
        try db.cachedStatement(sql: "UPDATE mirror SET used = ?, lost = 0 WHERE zone = ? AND actor = ?").execute(
            arguments: [Int64(clamping: wall), zone.id, request.actor])
        let isKnown =
            !request.cursor.isEmpty
            && (try? ReplicaToken(request.cursor, identity: zone.identity, last: last).check(removed: zone.removed))
                != nil
        let refused = try untaken(after: 0, of: request.actor, in: zone)
        return .with {
            $0.taken = UInt64(clamping: taken ?? 0)
            $0.changed = isOther
            $0.cursorKnown = isKnown
            $0.refused = refused
        }
    }

    /// Databases come and go with reinstallations and copies. One that comes back after all is known again.
    private func removeOldestMirror(of zone: ReplicaZone) throws {
        let oldest = try Data.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT actor FROM mirror m WHERE zone = ?1
                        AND NOT EXISTS (SELECT 1 FROM staged WHERE zone = ?1 AND actor = m.actor) ORDER BY used, actor LIMIT 1
                    """), arguments: [zone.id])
        guard let oldest else { throw RecordsError.limit("A zone has at most \(RecordsBounds.mirrors) mirrors.") }
        for table in ["mirror", "untaken"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE zone = ? AND actor = ?").execute(arguments: [
                zone.id, oldest,
            ])
        }
    }

    // MARK: Groups

    func send(_ request: Baton_App_V1_SendRowsRequest) throws -> Baton_App_V1_SendRowsResponse {
        try check(mirror: request.actor)
        let zone = try presentZone(try RecordsWire.zoneName(request.zone))
        guard let schema = try schemas.schema(of: zone),
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT taken, clock FROM mirror WHERE zone = ? AND actor = ?"),
                arguments: [zone.id, request.actor])
        else { throw RecordsError.invalid("The mirror has not said its schema. Set it first.") }
        guard request.groups.reduce(0, { $0 + $1.changes.count }) <= RecordsBounds.rows else {
            throw RecordsError.limit("A call takes \(RecordsBounds.rows) changes of rows at most.")
        }
        let (seen, former) = try copy(request.cursor, of: zone)
        let actor = Self.actor(request.actor, in: zone)
        let mayLag = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM obstacle WHERE zone = ? AND stays = 1)"),
            arguments: [zone.id])
        var taken: Int64 = row["taken"]
        var time = HybridTimestamp(rawValue: UInt64(bitPattern: row["clock"]))
        var touched: Set<RecordName> = []
        // No later part is taken alone of rows that the app may not know to be refused.
        let known = request.hasKnown ? Int64(clamping: request.known) : nil
        var refused: [RecordName: Baton_App_V1_HeldRow] = [:]
        if let known {
            for row in try untaken(after: known, of: request.actor, in: zone) where schema[row.table] != nil {
                refused[try ShownRows.name(row.table, row.key, schema)] = row
            }
        }
        var view = RecordView(schema: schema, source: ReplicaSource(self, zone: zone.id))
        for group in request.groups {
            guard let number = Int64(exactly: group.sequence), number > 0 else {
                throw RecordsError.invalid("A group's sequence is not 0.")
            }
            guard number > taken else { continue }
            // Another process of the app has sent its first lines; their differences would be added twice.
            if group.first > 0, Int64(clamping: group.first) <= taken { throw RecordsError.rowsTaken }
            if group.continues {
                try stage(group, of: request.actor, in: zone)
                continue
            }
            let whole = try takeStaged(group, of: request.actor, in: zone)
            beginGroup()
            time = self.time(of: whole, after: time)
            var editor = RecordEditor(
                schema: schema, source: ReplicaSource(self, zone: zone.id),
                copy: MirrorCopy(
                    transaction: self, zone: zone.id, actor: actor, seen: seen, former: former, mayLag: mayLag == true),
                actor: actor)
            var changes: [RecordChange] = []
            var problems = refused.mapValues(\.reason)
            for row in whole.refused { problems[try ShownRows.name(row.table, row.key, schema)] = row.reason }
            for change in whole.changes {
                do {
                    if let made = try self.change(change, whole.initial, schema, zone, &view) { changes.append(made) }
                } catch let error as BatonError where known != nil && error.reason == "limit_exceeded" {
                    problems[try ShownRows.name(change.table, change.key, schema)] = error.message
                }
            }
            changes.removeAll { problems[$0.name] != nil }
            if former != nil {
                for case .delete(let name) in changes { try noteAbsent(name, cursor: request.cursor, in: zone) }
            }
            let stamp = Stamp(time: time, actor: actor)
            var records: [RecordMerge.Record] = []
            if known == nil {
                records = try editor.apply(changes, at: stamp)
            } else {
                let (made, failures) = try editor.applyEach(changes, at: stamp)
                records = made
                problems.merge(failures.mapValues(\.message)) { first, _ in first }
                changes.removeAll { failures[$0.name] != nil }
            }
            for record in records { touched.formUnion(try save(record, in: zone)) }
            // The app's table shows something else than it was sent, also where no record is another one.
            let names = editor.touched(by: changes)
            touched.formUnion(names)
            try forgetUntaken(names, of: request.actor, in: zone)
            let new = try Self.held(whole, problems, schema).filter { refused[$0.key] == nil }
            try noteUntaken(new, of: request.actor, in: zone)
            refused.merge(new) { first, _ in first }
            taken = number
        }
        try settle(zone, touched)
        try db.cachedStatement(sql: "UPDATE mirror SET taken = ?, clock = ?, used = ? WHERE zone = ? AND actor = ?")
            .execute(arguments: [
                taken, Int64(bitPattern: time.rawValue), Int64(clamping: wall), zone.id, request.actor,
            ])
        return .with {
            $0.taken = UInt64(clamping: taken)
            $0.position = ReplicaToken.bytes(of: last)
            $0.refused = Array(refused.values)
        }
    }

    /// Rows that were not taken, by the keys that the app gave them.
    private static func held(
        _ group: Baton_App_V1_RowGroup, _ problems: [RecordName: String], _ schema: RecordSchema
    ) throws -> [RecordName: Baton_App_V1_HeldRow] {
        guard !problems.isEmpty else { return [:] }
        var rows: [RecordName: Baton_App_V1_HeldRow] = [:]
        let named =
            group.changes.map { ($0.table, $0.key, $0.first) } + group.refused.map { ($0.table, $0.key, $0.number) }
        for (table, key, first) in named {
            let name = try ShownRows.name(table, key, schema)
            guard let reason = problems[name] else { continue }
            rows[name] = .with {
                $0.table = table
                $0.key = key
                $0.reason = reason.shortened(toBytes: 500)
                $0.number = [first, group.first, group.sequence].first { $0 > 0 } ?? 1
            }
        }
        return rows
    }

    /// The state that the tables had shown: up to a change of this replica; or of another replica of the zone, for each author up to when.
    /// - Throws: `change_token_expired` for what is no cursor.
    private func copy(_ cursor: Data, of zone: ReplicaZone) throws -> (seen: Int64, former: RecordAuthors?) {
        guard !cursor.isEmpty else { return (0, nil) }
        let token = try ReplicaToken(cursor)
        guard token.identity == zone.identity, token.sequence <= last else { return (0, token.authors) }
        return (token.sequence, nil)
    }

    /// When it was committed: never later than now, and after what the same mirror sent before.
    private func time(of group: Baton_App_V1_RowGroup, after last: HybridTimestamp) -> HybridTimestamp {
        let now = stamp().time
        let committed = HybridTimestamp(milliseconds: group.time, counter: 0)
        let next = HybridTimestamp(rawValue: last.rawValue < .max ? last.rawValue + 1 : .max)
        return min(max(committed, next), now)
    }

    private func change(
        _ change: Baton_App_V1_RowChange, _ isInitial: Bool, _ schema: RecordSchema, _ zone: ReplicaZone,
        _ view: inout RecordView<ReplicaSource>
    ) throws -> RecordChange? {
        let name = try ShownRows.name(change.table, change.key, schema)
        if change.deleted { return .delete(name: name) }
        var values: [RecordField: RecordValue] = [:]
        for value in change.values {
            guard RecordNames.isField(value.column) else { throw RecordsError.invalid("A column has no name.") }
            values[.value(value.column)] = try RecordsWire.value(value.value, zone: zone.name, asset: asset)
        }
        // The key is written once.
        let old = try record(name, in: zone.id)?.record
        for (column, value) in zip(schema[change.table]?.primaryKey ?? [], change.key)
        where old?.fields[.value(column)] == nil {
            values[.value(column)] = try RecordsWire.plainValue(value)
        }
        let table = change.table
        if isInitial {
            // An earlier row does not come back where its deletion is known: the table loses it.
            let isBuried = try old == nil && grave(of: name, in: zone.id) != nil
            if isBuried || old.map({ !$0.isPresent && $0.deletion != nil }) == true {
                try showRemoval(of: name, change, zone)
                return nil
            }
            // A number that is known here has what others have counted: an earlier one is not to be added to it.
            let counters = (schema[table]?.columns ?? []).filter { $0.isCounter && old?.fields[.value($0.name)] != nil }
            for column in counters { values[.value(column.name)] = nil }
            if !counters.isEmpty, values.isEmpty { return nil }
            return .adopt(name: name, type: table, values: values)
        }
        for column in schema[table]?.columns ?? [] where column.isCounter {
            guard let value = values[.value(column.name)] else { continue }
            values[.value(column.name)] = try view.counterStart(column.name, of: name, showing: value)
        }
        let differences = change.differences.reduce(into: [String: Int64]()) { sums, difference in
            sums[difference.column, default: 0] &+= difference.value
        }
        return .save(
            name: name, type: table, values: values, differences: differences, emptied: Set(change.emptied))
    }

    private func showRemoval(of name: RecordName, _ change: Baton_App_V1_RowChange, _ zone: ReplicaZone) throws {
        let content: Data = try Baton_App_V1_ShownRow.with {
            $0.table = change.table
            $0.key = change.key
        }.serializedData()
        try db.cachedStatement(
            sql: """
                INSERT INTO shown (zone, name, tbl, state, content, hold, sequence) VALUES (?, ?, ?, 0, ?, '', ?)
                    ON CONFLICT (zone, name) DO UPDATE SET content = excluded.content, sequence = excluded.sequence
                    WHERE state = 0
                """
        ).execute(arguments: [zone.id, name.text, change.table, content, sequence])
        try note(zone)
    }
}

/// The changes that an app's database had applied when it wrote.
struct MirrorCopy: RecordCopy {
    let transaction: ReplicaTransaction
    let zone: Int64
    let actor: ActorID
    /// The last change that it had applied.
    let seen: Int64
    /// The changes of another replica that it had applied.
    var former: RecordAuthors?
    /// Some rows stay in it as they were before.
    var mayLag = false

    func hasSeen(_ dot: Dot, of record: RecordName) throws -> Bool {
        if dot.actor == actor { return true }
        if try mayLag && lags(record) { return false }
        guard let kept = try transaction.record(record, in: zone), let number = kept.arrivals[dot] else { return true }
        return number <= seen || former?.haveTold(dot, of: kept.record) == true
    }

    private func lags(_ record: RecordName) throws -> Bool {
        try Bool.fetchOne(
            transaction.db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM obstacle WHERE zone = ? AND name = ? AND stays = 1)"),
            arguments: [zone, record.text]) == true
    }

    /// The change that took its row away had not been applied, or there was none.
    func hasApart(_ member: RecordName) throws -> Bool {
        let row = try Row.fetchOne(
            transaction.db.cachedStatement(sql: "SELECT state, sequence FROM shown WHERE zone = ? AND name = ?"),
            arguments: [zone, member.text])
        guard let row, row["state"] as Int == 0 else { return true }
        return row["sequence"] as Int64 > seen
    }
}
