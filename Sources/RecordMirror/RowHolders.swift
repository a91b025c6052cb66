import GRDB

/// The rows that have to stay in their tables, since rows that do not sync refer to them, or to what goes with them.
///
/// Foreign keys are deferred while changes are applied, so SQLite would refuse all of them at their end.
struct RowHolders {
    private enum Kind {
        /// Rows that go with their target hold nothing by themselves.
        case goes
        /// `NO ACTION` or `RESTRICT`.
        case holds
        /// `SET DEFAULT`, with the default. It holds where no other row has that.
        case falls([DatabaseValue])
        /// Rows that do not sync and stay, and no longer say to which row they belonged.
        case loses

        var goes: Bool { if case .goes = self { true } else { false } }
        var holds: Bool {
            switch self {
            case .holds, .falls: true
            case .goes, .loses: false
            }
        }
    }

    private struct Reference {
        var table: String
        var target: String
        /// The columns, with those of the target that they name.
        var columns: [(from: String, to: String)]
        var kind: Kind
        /// All of its columns travel.
        var isSynced: Bool
    }

    private struct RowID: Hashable {
        var table: String
        var key: RowKey
        /// Values that are equal to Swift may have other bytes.
        var text: ByteText

        init(_ table: String, _ key: RowKey) {
            (self.table, self.key, text) = (table, key, ByteText(text: key.journalText))
        }
    }

    private let db: Database
    /// By the target. Empty where rows that do not sync hold none.
    private var references: [String: [Reference]] = [:]
    /// By the target: what goes with rows of synced tables. Empty where no rows go or lose anything that do not sync.
    private var companions: [String: [Reference]] = [:]
    /// Tables whose rows may go with others, or by themselves.
    private var going: Set<String> = []

    init(_ shapes: [String: TableShape], in db: Database) throws {
        self.db = db
        guard try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else { return }
        // Virtual tables have no page of their own.
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        let names = Dictionary(tables.map { ($0.lowercased(), $0) }) { first, _ in first }
        var all: [Reference] = []
        for table in tables {
            let rows = try Row.fetchAll(db, sql: "PRAGMA foreign_key_list(\(table.sqlName))")
            for (_, rows) in Dictionary(grouping: rows, by: { row -> Int in row["id"] }) {
                let rows = rows.sorted { ($0["seq"] as Int) < ($1["seq"] as Int) }
                guard let first = rows.first, let target = names[(first["table"] as String).lowercased()],
                    let reference = try Self.reference(rows, of: table, to: target, shapes[table], in: db)
                else { continue }
                all.append(reference)
            }
        }
        choose(all, Set(shapes.keys))
    }

    private static func reference(
        _ rows: [Row], of table: String, to target: String, _ shape: TableShape?, in db: Database
    ) throws -> Reference? {
        let key = try db.primaryKey(target).columns
        let columns = rows.enumerated().compactMap { index, row -> (from: String, to: String)? in
            let to = row["to"] as String? ?? (key.indices.contains(index) ? key[index] : nil)
            return to.map { (from: row["from"], to: $0) }
        }
        guard columns.count == rows.count, let action = rows.first?["on_delete"] as String? else { return nil }
        let isSynced = shape.map { shape in columns.allSatisfy { shape.column($0.from) != nil } } ?? false
        let kind: Kind
        switch TableShape.DeleteAction(rawValue: action.uppercased()) ?? .noAction {
        case .setNull where isSynced: return nil
        case .setNull: kind = .loses
        // The service shows the row with its default.
        case .setDefault where isSynced: return nil
        case .setDefault:
            let defaults = try defaults(of: columns.map(\.from), in: table, db)
            // It may refer to nothing then.
            kind = defaults.contains(where: \.isNull) ? .loses : .falls(defaults)
        case .cascade: kind = .goes
        case .noAction, .restrict: kind = isSynced ? .goes : .holds
        }
        return Reference(table: table, target: target, columns: columns, kind: kind, isSynced: isSynced)
    }

    private static func defaults(of columns: [String], in table: String, _ db: Database) throws -> [DatabaseValue] {
        let rows = try Row.fetchAll(db, sql: "PRAGMA table_xinfo(\(table.sqlName))")
        return try columns.map { column in
            let row = rows.first { ($0["name"] as String).lowercased() == column.lowercased() }
            return try SchemaReader.value(ofDefault: row?["dflt_value"], in: db)
        }
    }

    /// Keeps the references by which rows of synced tables take others with them, and only those that lead to one that holds.
    private mutating func choose(_ all: [Reference], _ synced: Set<String>) {
        let ways = all.filter(\.kind.goes)
        let reached = Self.closure(of: synced, by: ways.map { ($0.target, $0.table) })
        if all.contains(where: { !$0.isSynced && reached.contains($0.target) }) {
            companions = Dictionary(grouping: all.filter { $0.kind.goes || !$0.isSynced }, by: \.target)
        }
        let holding = all.filter { $0.kind.holds && reached.contains($0.target) }
        // A row that holds another may itself go with the first.
        let leading = Self.closure(
            of: Set(holding.flatMap { [$0.target, $0.table] }), by: ways.map { ($0.table, $0.target) })
        let chosen = holding + ways.filter { reached.contains($0.target) && leading.contains($0.table) }
        if holding.isEmpty { return }
        references = Dictionary(grouping: chosen, by: \.target)
        going = synced.union(chosen.filter(\.kind.goes).map(\.table))
    }

    private static func closure(of start: Set<String>, by steps: [(from: String, to: String)]) -> Set<String> {
        var (found, count) = (start, -1)
        while found.count > count {
            count = found.count
            for step in steps where found.contains(step.from) { found.insert(step.to) }
        }
        return found
    }

    /// The table that holds a row, or one that goes with it.
    func holder(of key: RowKey, in shape: TableShape) throws -> String? {
        guard references[shape.name] != nil, let own = try shape.ownKey(of: key, in: db) else { return nil }
        let first = RowID(shape.name, own)
        var (gone, open): (Set<RowID>, [RowID]) = ([first], [first])
        var holding: [RowID] = []
        while let target = open.popLast() {
            for reference in references[target.table] ?? [] {
                let rows = try rows(of: reference, to: target)
                if reference.kind.goes {
                    open += rows.filter { gone.insert($0).inserted }
                } else if !rows.isEmpty, !going.contains(reference.table) {
                    return reference.table
                } else {
                    holding += rows
                }
            }
        }
        return holding.first { !gone.contains($0) }?.table
    }

    /// The table that does not sync of which rows would go with a row, or would not refer to anything any more.
    func companion(of key: RowKey, in shape: TableShape) throws -> String? {
        guard companions[shape.name] != nil, let own = try shape.ownKey(of: key, in: db) else { return nil }
        let first = RowID(shape.name, own)
        var (gone, open): (Set<RowID>, [RowID]) = ([first], [first])
        while let target = open.popLast() {
            for reference in companions[target.table] ?? [] {
                let rows = try rows(of: reference, to: target)
                if !reference.isSynced, !rows.isEmpty { return reference.table }
                open += rows.filter { gone.insert($0).inserted }
            }
        }
        return nil
    }

    private func rows(of reference: Reference, to target: RowID) throws -> [RowID] {
        let columns = try db.primaryKey(reference.table).columns.map { "c.\($0.sqlName)" }.joined(separator: ", ")
        let key = try db.primaryKey(target.table).columns.map(\.sqlName)
        var conditions = key.map { "p.\($0) IS ?" }
        // In this order: a foreign key compares by its target's collation.
        conditions += reference.columns.map { "p.\($0.to.sqlName) = c.\($0.from.sqlName)" }
        var arguments = target.key.values
        if case .falls(let defaults) = reference.kind {
            let isDefault = reference.columns.map { "d.\($0.to.sqlName) = ?" }.joined(separator: " AND ")
            let isSame = key.map { "d.\($0) IS p.\($0)" }.joined(separator: " AND ")
            conditions.append(
                "NOT EXISTS (SELECT 1 FROM \(target.table.sqlName) AS d WHERE \(isDefault) AND NOT (\(isSame)))")
            arguments += defaults
        }
        let isOneEnough = !reference.kind.goes && !going.contains(reference.table)
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM \(target.table.sqlName) AS p CROSS JOIN \(reference.table.sqlName) AS c \
                    WHERE \(conditions.joined(separator: " AND "))\(isOneEnough ? " LIMIT 1" : "")
                    """), arguments: StatementArguments(values: arguments))
        return rows.map { RowID(reference.table, RowKey(Array($0.databaseValues))) }
    }
}

extension TableShape {
    /// The key of a row as its table spells it; nil where there is no such row.
    func ownKey(of key: RowKey, in db: Database) throws -> RowKey? {
        let columns = self.key.map(\.name.sqlName).joined(separator: ", ")
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM \(name.sqlName) WHERE \(keyCondition)"),
            arguments: StatementArguments(values: key.values))
        return row.map { RowKey(Array($0.databaseValues)) }
    }
}
