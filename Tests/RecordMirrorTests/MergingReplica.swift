import BatonCore
import FileSync
import Foundation
import GRDB
import RecordMerge
import RecordMirror

/// The replica of one device in memory: the rules of merging, without a daemon around them.
struct MergingReplica: RecordSource {
    private struct Told {
        var row: RecordRow
        var sequence: Int
    }

    private(set) var schema = RecordSchema.plain
    private(set) var records: [RecordName: RecordMerge.Record] = [:]
    private(set) var sequence = 1
    private var told: [RecordName: Told] = [:]
    private var arrivals: [RecordName: [Dot: Int]] = [:]
    private var touched: Set<RecordName> = []
    private var obstacles: [RecordName: RecordHold] = [:]

    // MARK: RecordSource, by looking at everything

    func record(_ name: RecordName) -> RecordMerge.Record? { records[name] }
    func records(with link: RecordLink) -> [RecordName] {
        records.values.filter { schema.links(of: $0).contains(link) }.map(\.name)
    }
    func records(mergedInto name: RecordName) -> [RecordName] {
        records.values.filter { $0.mergedInto == name }.map(\.name)
    }
    func toldRow(_ name: RecordName) -> RecordToldRow? { told[name]?.row.told }
    func rows(holding value: RecordUniqueValue) -> [RecordName] {
        told.filter { $0.value.row.told.uniqueValues.contains(value) }.map(\.key)
    }
    func obstacle(to row: RecordName) -> RecordHold? { obstacles[row] }

    // MARK: Changing

    mutating func setSchema(_ new: RecordSchema) throws {
        guard schema != new else { return }
        schema = new
        obstacles = [:]
        touched.formUnion(records.keys)
        try update()
    }

    private mutating func put(_ record: RecordMerge.Record) {
        let old = records[record.name]
        guard old != record else { return }
        touched.formUnion(schema.touched(replacing: old, with: record))
        obstacles[record.name] = nil
        for dot in record.presence where arrivals[record.name]?[dot] == nil {
            arrivals[record.name, default: [:]][dot] = sequence
        }
        records[record.name] = record
    }

    /// Joins the records of another device.
    mutating func join(_ other: MergingReplica) throws {
        for record in other.records.values { put(records[record.name]?.joined(record) ?? record) }
        try update()
    }

    mutating func update() throws {
        guard !touched.isEmpty else { return }
        var view = RecordView(schema: schema, source: self)
        let update = try view.update(touched)
        for record in update.written { put(record) }
        for row in update.rows { told[row.name] = Told(row: row, sequence: sequence) }
        touched = []
        sequence += 1
    }

    /// - Returns: rows that it does not take.
    mutating func take(_ group: ChangeGroup, cursor: Int, actor: ActorID, stamp: Stamp) throws -> [RefusedRow] {
        var changes = try group.changes.filter { $0.problem == nil }
            .compactMap { try change(of: $0, isInitial: group.isInitial) }
        var editor = RecordEditor(schema: schema, source: self, copy: Copy(replica: self, cursor: cursor), actor: actor)
        let (records, refused) = try editor.applyEach(changes, at: stamp)
        changes.removeAll { refused[$0.name] != nil }
        let names = editor.touched(by: changes)
        for record in records { put(record) }
        touched.formUnion(names)
        try update()
        // The app's table shows something of them, whatever was sent before.
        var view = RecordView(schema: schema, source: self)
        for name in names where told[name]?.sequence != sequence - 1 {
            var row = try view.row(name)
            if row.table.isEmpty { row.table = self.records[name]?.type ?? "" }
            told[name] = Told(row: row, sequence: sequence)
        }
        sequence += 1
        return group.changes.compactMap { change in
            let name = schema[change.table]?.rowName(of: change.key.values.map(\.recordValue))
            return (change.problem ?? name.flatMap { refused[$0]?.message }).map {
                RefusedRow(
                    table: change.table, key: change.key, reason: $0,
                    number: change.first > 0 ? change.first : group.first)
            }
        }
    }

    private func change(of change: ChangeGroup.Change, isInitial: Bool) throws -> RecordChange? {
        guard let table = schema[change.table], let name = table.rowName(of: change.key.values.map(\.recordValue))
        else { return nil }
        if change.isDeleted { return .delete(name: name) }
        var values = [RecordField: RecordValue](
            uniqueKeysWithValues: change.values.map { (.value($0.key), $0.value.recordValue) })
        if isInitial || !values.isEmpty || change.emptied.isEmpty {
            for (column, value) in zip(table.primaryKey, change.key.values) {
                values[.value(column)] = value.recordValue
            }
        }
        if isInitial {
            // A row whose deletion is known stays deleted.
            if let record = records[name], !record.isPresent { return nil }
            for column in table.columns where column.isCounter && records[name]?.fields[.value(column.name)] != nil {
                values[.value(column.name)] = nil
            }
            return .adopt(name: name, type: change.table, values: values)
        }
        var view = RecordView(schema: schema, source: self)
        for (column, value) in change.values where table.column(column)?.isCounter == true {
            values[.value(column)] = try view.counterStart(column, of: name, showing: value.recordValue)
        }
        return .save(
            name: name, type: change.table, values: values, differences: change.differences, emptied: change.emptied)
    }

    /// - Parameter cursor: rows that are shown anew since are not meant.
    mutating func refuse(_ rows: [RefusedRow], cursor: Int) throws {
        for row in rows {
            guard let name = schema[row.table]?.rowName(of: row.key.values.map(\.recordValue)),
                told[name]?.sequence ?? 0 <= cursor
            else { continue }
            obstacles[name] = .refused(row.reason)
            touched.insert(name)
        }
        try update()
    }

    mutating func retryRefused() throws {
        touched.formUnion(obstacles.keys)
        obstacles = [:]
        try update()
    }

    /// Rows that were sent after a place.
    func shown(after cursor: Int) -> ShownGroup {
        var group = ShownGroup()
        for told in told.values where told.sequence > cursor {
            guard let table = schema[told.row.table], let record = records[told.row.name] else { continue }
            let key = RowKey(table.primaryKey.map { record[.value($0)].databaseValue })
            if case .shown(let columns) = told.row.state {
                let values = columns.filter { !table.primaryKey.contains($0.key) }.mapValues(\.databaseValue)
                group.put.append(ShownRow(table: told.row.table, key: key, values: values))
            } else {
                var row = ShownRow(table: told.row.table, key: key)
                if case .held(let hold) = told.row.state { row.held = "\(hold)" }
                group.remove.append(row)
            }
        }
        return group
    }

    private struct Copy: RecordCopy {
        let replica: MergingReplica
        let cursor: Int
        func hasSeen(_ dot: Dot, of record: RecordName) -> Bool { (replica.arrivals[record]?[dot] ?? .max) <= cursor }
        func hasApart(_ member: RecordName) -> Bool { (replica.told[member]?.sequence ?? .max) > cursor }
    }
}

/// A device's daemon: a replica with one mirror.
//
// @unchecked: a test calls it from one task at a time.
final class MergingDaemon: MirrorService, @unchecked Sendable {
    private(set) var replica = MergingReplica()
    private(set) var received: [ChangeGroup] = []
    private var taken: [Data: Int64] = [:]
    private var untaken: [RefusedRow] = []
    private var clock: UInt64
    /// It takes so many groups more.
    var groupsBeforeFailure: Int?
    /// It takes what is sent, and its answer is lost.
    var losesAnswer = false

    struct Failure: Error {}

    /// - Parameter clock: milliseconds that its clock is off.
    init(clock: UInt64 = 0) { self.clock = clock + 1_000_000 }

    func forget() { received = [] }
    func hear(_ other: MergingDaemon) throws { try replica.join(other.replica) }

    private static func cursor(_ position: Int) -> Data { Data("\(position)".utf8) }
    private static func position(_ cursor: Data) -> Int { Int(String(decoding: cursor, as: UTF8.self)) ?? 0 }

    func setSchema(
        _ shapes: [TableShape], actor: Data, cursor: Data, retry: Bool
    ) async throws -> (taken: Int64, isCursorKnown: Bool, refused: [RefusedRow]) {
        try replica.setSchema(RecordSchema(shapes.map(\.recordTable)))
        if retry { try replica.retryRefused() }
        return (taken[actor] ?? 0, !cursor.isEmpty, untaken)
    }

    func send(_ groups: [ChangeGroup], actor: Data, cursor: Data, known: Int64) async throws -> [RefusedRow] {
        let id = ActorID(rawValue: actor.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        for var group in groups where group.sequence > taken[actor] ?? 0 {
            if group.first <= taken[actor] ?? 0 {
                throw BatonError(.aborted, reason: "rows_taken", "Some of the group's lines were taken.")
            }
            if let limit = groupsBeforeFailure {
                if limit == 0 { throw Failure() }
                groupsBeforeFailure = limit - 1
            }
            received.append(group)
            let later = untaken.filter { $0.number > known }
            group.changes.removeAll { change in later.contains { $0.table == change.table && $0.key == change.key } }
            clock += 1
            let time = max(
                clock, replica.records.values.map { $0.newestStamp.time.milliseconds }.max().map { $0 + 1 } ?? 0)
            let refused = try replica.take(
                group, cursor: Self.position(cursor), actor: id,
                stamp: Stamp(time: HybridTimestamp(milliseconds: time, counter: 0), actor: id))
            for change in group.changes {
                untaken.removeAll { $0.table == change.table && $0.key == change.key }
            }
            untaken += refused
            taken[actor] = group.sequence
        }
        if losesAnswer { throw Failure() }
        return untaken.filter { $0.number > known }
    }

    func fetch(actor: Data, cursor: Data) async throws -> ShownPage {
        let position = Self.position(cursor)
        let group = replica.shown(after: position)
        return ShownPage(
            groups: group == ShownGroup() ? [] : [group], cursor: Self.cursor(replica.sequence - 1), hasMore: false,
            continues: false)
    }

    func report(_ rows: [RefusedRow], cursor: Data) async throws {
        try replica.refuse(rows, cursor: cursor.isEmpty ? .max : Self.position(cursor))
    }
}

extension TableShape {
    var recordTable: RecordTable {
        RecordTable(
            name: name,
            columns: (key + columns).map {
                RecordColumn(
                    name: $0.name, isNullable: !$0.isRequired, defaultValue: $0.defaultLiteral?.recordValue,
                    collation: RecordColumn.Collation(rawValue: $0.collation.rawValue.lowercased()) ?? .binary,
                    isQuiet: $0.isQuiet, isCounter: $0.isCounter)
            },
            primaryKey: key.map(\.name),
            foreignKeys: references.map { reference in
                let action: RecordForeignKey.Action =
                    switch reference.onDelete {
                    case .noAction: .noAction
                    case .restrict: .restrict
                    case .cascade: .cascade
                    case .setNull: .setNull
                    case .setDefault: .setDefault
                    }
                return RecordForeignKey(columns: reference.columns, target: reference.table, onDelete: action)
            },
            uniqueKeys: unique.map { key in
                RecordUniqueKey(
                    columns: key.columns, collision: key.collision == .merge ? .merge : .clear(column: key.columns[0]))
            })
    }
}

extension DatabaseValue {
    var recordValue: RecordValue {
        switch storage {
        case .null: .nothing
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let text): .text(text)
        case .blob(let data): .bytes(data)
        }
    }
}

extension RecordValue {
    var databaseValue: DatabaseValue {
        switch self {
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let data): data.databaseValue
        default: .null
        }
    }
}
