import GRDB

/// The rows that have to stay in their tables, since rows that do not sync refer to them with `NO ACTION` or `RESTRICT`.
///
/// Foreign keys are deferred while changes are applied, so SQLite would refuse all of them at their end.
struct RowHolders {
    private struct Reference {
        var table: String
        /// Nil for columns that do not sync.
        var shape: TableShape?
        /// The columns, with those of the target that they name.
        var columns: [(from: String, to: String)]
    }

    private let db: Database
    /// By the target.
    private var references: [String: [Reference]] = [:]
    /// Whether rows that do not sync hold any.
    private var isNeeded = false

    init(_ shapes: [String: TableShape], in db: Database) throws {
        self.db = db
        guard try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else { return }
        let synced = Dictionary(shapes.values.map { ($0.name.lowercased(), $0) }) { first, _ in first }
        // Virtual tables have no page of their own.
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        for table in tables {
            let rows = try Row.fetchAll(db, sql: "PRAGMA foreign_key_list(\(table.sqlName))")
            for (_, rows) in Dictionary(grouping: rows, by: { row -> Int in row["id"] }) {
                let rows = rows.sorted { ($0["seq"] as Int) < ($1["seq"] as Int) }
                guard let first = rows.first, let target = synced[(first["table"] as String).lowercased()]
                else { continue }
                try add(rows, of: table, to: target, onDelete: first["on_delete"], synced[table.lowercased()])
            }
        }
    }

    private mutating func add(
        _ rows: [Row], of table: String, to target: TableShape, onDelete: String, _ shape: TableShape?
    ) throws {
        let columns = zip(rows, target.key).map { row, key in
            (from: row["from"] as String, to: row["to"] as String? ?? key.name)
        }
        let isSynced = shape.map { shape in columns.allSatisfy { shape.column($0.from) != nil } } ?? false
        switch TableShape.DeleteAction(rawValue: onDelete.uppercased()) ?? .noAction {
        case .setNull, .setDefault: return
        // Rows that go with their target hold nothing by themselves.
        case .cascade where !isSynced: return
        case .cascade: break
        case .noAction, .restrict: if !isSynced { isNeeded = true }
        }
        references[target.name, default: []].append(
            Reference(table: table, shape: isSynced ? shape : nil, columns: columns))
    }

    /// The table that holds a row, or one that goes with it.
    func holder(of key: RowKey, in shape: TableShape) throws -> String? {
        guard isNeeded else { return nil }
        var known: Set<String> = []
        var open = [(shape, key)]
        while let (shape, key) = open.popLast() {
            guard known.insert("\(shape.name) \(key.journalText)").inserted else { continue }
            let isRow = shape.key.map { "p.\($0.name.sqlName) = ?" }.joined(separator: " AND ")
            for reference in references[shape.name] ?? [] {
                let isNamed = reference.columns.map { "c.\($0.from.sqlName) = p.\($0.to.sqlName)" }
                    .joined(separator: " AND ")
                let columns = reference.shape?.key.map { "c.\($0.name.sqlName)" }.joined(separator: ", ") ?? "1"
                let rows = try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT \(columns) FROM \(shape.name.sqlName) AS p JOIN \(reference.table.sqlName) AS c \
                            ON \(isNamed) WHERE \(isRow)\(reference.shape == nil ? " LIMIT 1" : "")
                            """), arguments: StatementArguments(values: key.values))
                guard let child = reference.shape else {
                    if !rows.isEmpty { return reference.table }
                    continue
                }
                open += rows.map { (child, RowKey(Array($0.databaseValues))) }
            }
        }
        return nil
    }
}
