import RecordMerge

/// An app's database, with as much of SQLite as the tables of the cases need.
struct SimulatedApp {
    struct Row {
        var table: String
        var columns: [String: RecordValue]
        /// Changes of people that it shows.
        var writes: Set<Int> = []
    }

    struct Transaction {
        var changes: [RecordChange] = []
        /// Columns that a foreign key's action emptied: the app did not write them.
        var consequences: Set<Cell> = []
        var deleted: [RecordName: Set<Int>] = [:]
        /// No person has written it.
        var isBackfill = false
    }

    struct Cell: Hashable {
        var row: RecordName
        var column: String
    }

    private(set) var rows: [RecordName: Row] = [:]
    /// Transactions that the daemon does not know yet.
    private(set) var journal: [Transaction] = []
    /// How many of them it knows for sure.
    private(set) var sent = 0
    /// The last update that is in the tables.
    private(set) var cursor = 0
    /// A constraint of this version of the app.
    var hasCheck = false
    /// The tables of this version of the app.
    private(set) var tables = SampleSchema.tables

    private var before: [RecordName: Row] = [:]
    private var touched: Set<RecordName> = []
    private var dropped: Set<RecordName> = []
    private var emptied: Set<Cell> = []

    // MARK: A transaction

    mutating func begin() {
        before = rows
        touched = []
        dropped = []
        emptied = []
    }

    /// - Returns: nil: nothing has changed.
    mutating func commit() -> Transaction? {
        var transaction = Transaction()
        transaction.consequences = emptied.filter {
            rows[$0.row]?.columns[$0.column] == .nothing && before[$0.row] != nil && !dropped.contains($0.row)
        }
        for name in touched.sorted() {
            switch (before[name], rows[name]) {
            case (let old?, nil):
                transaction.changes.append(.delete(name: name))
                transaction.deleted[name] = old.writes
            case (let old?, let new?) where !dropped.contains(name):
                var values: [RecordField: RecordValue] = [:]
                var differences: [String: Int64] = [:]
                for (column, value) in new.columns where old.columns[column] != value {
                    if column == "views" {
                        differences[column] = Self.number(value) - Self.number(old.columns[column])
                    } else {
                        values[.value(column)] = value
                    }
                }
                if values.isEmpty && differences.isEmpty { continue }
                transaction.changes.append(
                    .save(
                        name: name, type: new.table, values: values, differences: differences,
                        emptied: Set(transaction.consequences.filter { $0.row == name }.map(\.column))))
            case (_, let new?):
                var values: [RecordField: RecordValue] = [:]
                for (column, value) in new.columns where column != "views" { values[.value(column)] = value }
                transaction.changes.append(.save(name: name, type: new.table, values: values))
            default: break
            }
        }
        guard !transaction.changes.isEmpty else { return nil }
        journal.append(transaction)
        return transaction
    }

    // MARK: Versions

    private func table(_ name: String) -> RecordTable? { tables.first { $0.name == name } }

    /// While there are no rows that its tables do not have.
    mutating func becomeEarlier() {
        tables = SampleSchema.earlier
        for (name, row) in rows {
            let known = Set(table(row.table)?.columns.map(\.name) ?? [])
            rows[name]?.columns = row.columns.filter { known.contains($0.key) }
        }
    }

    /// The newest version: its new columns are NULL, which writes nothing.
    mutating func becomeNewest() {
        tables = SampleSchema.tables
        for (name, row) in rows {
            for column in table(row.table)?.columns ?? [] where row.columns[column.name] == nil {
                rows[name]?.columns[column.name] = .nothing
            }
        }
    }

    /// A version that writes its new column into every row.
    mutating func backfill() {
        let items = rows.filter { $0.value.table == "items" }.keys
        guard !items.isEmpty else { return }
        var transaction = Transaction(isBackfill: true)
        for name in items.sorted() {
            rows[name]?.columns["done"] = .integer(0)
            transaction.changes.append(.save(name: name, type: "items", values: [.value("done"): .integer(0)]))
        }
        journal.append(transaction)
    }

    private static func number(_ value: RecordValue?) -> Int64 {
        if case .integer(let number)? = value { number } else { 0 }
    }

    mutating func noteWrite(_ write: Int, to name: RecordName) { rows[name]?.writes.insert(write) }

    // MARK: Statements, which fail as SQLite's do

    mutating func upsert(_ newest: RecordTable, _ values: [String: RecordValue]) {
        guard let table = self.table(newest.name) else { return }
        let columns = values.filter { value in table.columns.contains { $0.name == value.key } }
        guard let name = table.rowName(of: table.primaryKey.map { columns[$0] ?? .nothing }) else { return }
        var row = rows[name] ?? Row(table: table.name, columns: [:], writes: before[name]?.writes ?? [])
        row.columns.merge(columns) { $1 }
        for column in table.columns where row.columns[column.name] == nil { row.columns[column.name] = .nothing }
        guard isAllowed(row, name, table) else { return }
        rows[name] = row
        touched.insert(name)
        for column in columns.keys { emptied.remove(Cell(row: name, column: column)) }
    }

    private func isAllowed(_ row: Row, _ name: RecordName, _ table: RecordTable) -> Bool {
        if hasCheck, row.columns["text"] == .text("long") { return false }
        for key in table.foreignKeys {
            let values = key.columns.map { row.columns[$0] ?? .nothing }
            if values.contains(.nothing) {
                if table.needs(key) && key.columns != ["after"] { return false } else { continue }
            }
            guard let target = self.table(key.target)?.rowName(of: values),
                rows[target] != nil || target == name
            else { return false }
        }
        for key in table.uniqueKeys {
            let values = key.columns.map { row.columns[$0] ?? .nothing }
            if values.contains(.nothing) { continue }
            let isTaken = rows.contains { other, old in
                other != name && old.table == table.name && key.columns.map { old.columns[$0] ?? .nothing } == values
            }
            if isTaken { return false }
        }
        return true
    }

    /// Two rows change their values of a unique column, as by a third value.
    mutating func swap(_ column: String, _ left: RecordName, _ right: RecordName) {
        guard let first = rows[left]?.columns[column], let second = rows[right]?.columns[column], first != second
        else { return }
        rows[left]?.columns[column] = second
        rows[right]?.columns[column] = first
        touched.formUnion([left, right])
    }

    mutating func delete(_ name: RecordName) {
        var rows = rows
        var gone: Set<RecordName> = []
        var empty: Set<Cell> = []
        var open = [name]
        while let name = open.popLast() {
            guard let row = rows.removeValue(forKey: name) else { continue }
            gone.insert(name)
            for (other, referrer) in rows {
                guard let table = self.table(referrer.table) else { continue }
                for key in table.foreignKeys where key.target == row.table {
                    let target = self.table(key.target)?
                        .rowName(of: key.columns.map { referrer.columns[$0] ?? .nothing })
                    guard target == name else { continue }
                    switch key.onDelete {
                    case .cascade: open.append(other)
                    case .setNull, .setDefault:
                        for column in key.columns {
                            rows[other]?.columns[column] = .nothing
                            empty.insert(Cell(row: other, column: column))
                        }
                    case .noAction, .restrict: if !open.contains(other) { return }
                    }
                }
            }
        }
        self.rows = rows
        touched.formUnion(gone)
        dropped.formUnion(gone)
        emptied.formUnion(empty)
        touched.formUnion(empty.map(\.row))
    }

    // MARK: The mirror

    mutating func forgetSent(_ count: Int) {
        journal.removeFirst(count)
        sent += count
    }

    /// Applies the daemon's rows, in one transaction.
    ///
    /// - Returns: a row that a constraint of the table refused. Then nothing has changed.
    mutating func apply(_ told: [RecordName: SimulatedReplica.Told], upTo sequence: Int) throws -> RecordName? {
        var fresh = rows
        for (name, told) in told where told.sequence > cursor {
            guard case .shown(let columns) = told.row.state else {
                fresh[name] = nil
                continue
            }
            if hasCheck, columns["text"] == .text("long") { return name }
            var all = columns
            guard let table = self.table(told.row.table) else { continue }
            for column in table.columns where all[column.name] == nil { all[column.name] = .nothing }
            fresh[name] = Row(table: told.row.table, columns: all, writes: told.writes)
        }
        try check(fresh)
        rows = fresh
        cursor = sequence
        return nil
    }

    /// R and U.
    private func check(_ rows: [RecordName: Row]) throws {
        var unique: [RecordUniqueValue: RecordName] = [:]
        for (name, row) in rows {
            guard let table = self.table(row.table) else { continue }
            guard table.rowName(of: table.primaryKey.map { row.columns[$0] ?? .nothing }) == name else {
                throw Violation("R: \(name) has another key")
            }
            for key in table.foreignKeys {
                let values = key.columns.map { row.columns[$0] ?? .nothing }
                if values.contains(.nothing) { continue }
                let target = self.table(key.target)?.rowName(of: values)
                guard let target, rows[target] != nil else {
                    throw Violation("R: \(name).\(key.columns) names \(values), which is not there")
                }
            }
            for (index, key) in table.uniqueKeys.enumerated() {
                guard case .text(let text)? = row.columns[key.columns[0]] else { continue }
                let value = RecordUniqueValue(table: table.name, key: index, value: text)
                if let other = unique.updateValue(name, forKey: value) {
                    throw Violation("U: \(name) and \(other) both have \(text)")
                }
            }
        }
    }
}
