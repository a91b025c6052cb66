package import GRDB

/// Writes the triggers that put each change into the journal.
///
/// They are plain SQL, so every connection of every process runs them. They compare bytes, whatever collation a column has.
package enum CaptureTriggers {
    package enum Operation: Int, Sendable {
        /// Says nothing, and keeps a number from being given again (``MirrorJournal/forget(upTo:in:)``).
        case nothing = 0
        case insert = 1
        case update = 2
        case delete = 3
        /// A row has another key: the old row is gone, and a new one is there.
        case rekey = 4
        /// A row from before sync began.
        case before = 5
        /// Columns that a foreign key has emptied since its target is gone.
        case empty = 6
        /// A column that counts has grown. The mask is `POSITION:DIFFERENCE`.
        case count = 7
    }

    /// SQLite's integers have 64 bits; 60 columns a number keep clear of the sign.
    static let columnsPerNumber = 60

    static let prefix = "baton_capture_"
    /// The end of each name. SQLite names the trigger where it refuses a migration on its account.
    static let advice = ", which RecordSync.removeTriggers(db) removes before a migration"

    /// Makes the triggers as they should be, and touches none that are.
    package static func install(for shapes: [TableShape], in db: Database) throws {
        var wanted: [String: String] = [:]
        for shape in shapes {
            let positions = try positions(of: shape, in: db)
            for (kind, sql) in triggers(of: shape, positions: positions) {
                let name = "\(prefix)\(kind)_\(shape.name)\(advice)"
                wanted[name] = "CREATE TRIGGER \(name.sqlName) \(sql)"
            }
        }
        for row in try existing(in: db) {
            let name: String = row["name"]
            if wanted[name] == row["sql"] as String? {
                wanted[name] = nil
            } else {
                try db.execute(sql: "DROP TRIGGER \(name.sqlName)")
            }
        }
        for (_, sql) in wanted.sorted(by: { $0.key < $1.key }) { try db.execute(sql: sql) }
    }

    /// For a migration that drops or renames what the triggers name.
    package static func remove(in db: Database) throws {
        for row in try existing(in: db) { try db.execute(sql: "DROP TRIGGER \((row["name"] as String).sqlName)") }
    }

    private static func existing(in db: Database) throws -> [Row] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, \(prefix.count)) = ?
                """,
            arguments: [prefix])
    }

    // MARK: Masks

    /// A column keeps its bit for as long as the database is there, so that old lines stay readable.
    static func positions(of shape: TableShape, in db: Database) throws -> [String: Int] {
        var positions = try knownPositions(of: shape.name, in: db)
        var next = (positions.values.max() ?? -1) + 1
        for column in shape.columns where positions[column.name] == nil {
            try db.execute(
                sql: "INSERT INTO baton_columns (tbl, position, name) VALUES (?, ?, ?)",
                arguments: [shape.name, next, column.name])
            positions[column.name] = next
            next += 1
        }
        return positions
    }

    static func knownPositions(of table: String, in db: Database) throws -> [String: Int] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT name, position FROM baton_columns WHERE tbl = ?", arguments: [table])
        return Dictionary(rows.map { ($0["name"] as String, $0["position"] as Int) }) { $1 }
    }

    /// A mask as SQL, with a term for each position that adds its bit.
    private static func mask(_ terms: [(position: Int, sql: (Int) -> String)]) -> String {
        let numbers = Dictionary(grouping: terms) { $0.position / columnsPerNumber }
        let count = (numbers.keys.max() ?? 0) + 1
        let sums = (0..<count).map { number in
            let sum = (numbers[number] ?? []).map { $0.sql($0.position % columnsPerNumber) }.joined(separator: " + ")
            return sum.isEmpty ? "0" : sum
        }
        return count == 1 ? sums[0] : sums.map { "(\($0))" }.joined(separator: " || ',' || ")
    }

    /// SQLite would add up constants for each row.
    static func fullMask(_ positions: [Int]) -> String {
        let value = maskValue(positions)
        if case .string(let text) = value.storage { return text.sqlText }
        return "\(value)"
    }

    /// A mask as a value, as the triggers would write it.
    static func maskValue(_ positions: [Int]) -> DatabaseValue {
        var numbers = [Int64](repeating: 0, count: (positions.max() ?? 0) / columnsPerNumber + 1)
        for position in positions { numbers[position / columnsPerNumber] |= 1 << Int64(position % columnsPerNumber) }
        if numbers.count == 1 { return numbers[0].databaseValue }
        return numbers.map(String.init).joined(separator: ",").databaseValue
    }

    /// The positions of a mask.
    static func positions(inMask value: DatabaseValue) -> Set<Int> {
        let numbers: [Int64] =
            switch value.storage {
            case .int64(let number): [number]
            case .string(let text): text.split(separator: ",").map { Int64($0) ?? 0 }
            default: []
            }
        var positions: Set<Int> = []
        for (index, number) in numbers.enumerated() where number != 0 {
            for bit in 0..<columnsPerNumber where number & (1 << Int64(bit)) != 0 {
                positions.insert(index * columnsPerNumber + bit)
            }
        }
        return positions
    }

    /// The contents of a line of ``Operation/count``. A difference that is no whole number is ignored.
    static func count(inMask value: DatabaseValue) -> (position: Int, difference: Int64)? {
        guard case .string(let text) = value.storage else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = Int(parts[0]), let difference = Int64(parts[1]) else { return nil }
        return (position, difference)
    }

    static func mask(position: Int, difference: Int64) -> DatabaseValue { "\(position):\(difference)".databaseValue }

    // MARK: SQL

    static func keySQL(_ shape: TableShape, _ row: String) -> String {
        shape.key.map { "quote(\(row).\($0.name.sqlName))" }.joined(separator: " || ',' || ")
    }

    private static func triggers(of shape: TableShape, positions: [String: Int]) -> [(kind: String, sql: String)] {
        let table = shape.name.sqlName
        // Without `'now'`, which would be parsed for each row.
        let time = "CAST((julianday() - 2440587.5) * 86400000.0 AS INTEGER)"
        let active = "(SELECT applying FROM baton_state) IS NOT 1"
        let (old, new) = (keySQL(shape, "OLD"), keySQL(shape, "NEW"))
        let synced = shape.columns.compactMap { column in positions[column.name].map { (column.name.sqlName, $0) } }
        let full = fullMask(synced.map(\.1))
        // `UPDATE OF` costs nothing where another column is set.
        func setting(_ columns: [String]) -> String { "AFTER UPDATE OF \(columns.joined(separator: ", ")) ON \(table)" }
        let isSameKey = shape.key.map { "OLD.\($0.name.sqlName) IS NEW.\($0.name.sqlName) COLLATE BINARY" }
            .joined(separator: " AND ")
        let emptying = emptyingTests(shape)
        let counters = Set(shape.columns.filter(\.isCounter).map(\.name.sqlName))
        let changes = synced.filter { !counters.contains($0.0) }.map { name, position in
            let isChanged = "OLD.\(name) IS NOT NEW.\(name) COLLATE BINARY"
            return (position: position, test: emptying[name].map { "(\(isChanged) AND NOT (\($0)))" } ?? isChanged)
        }
        func line(_ columns: String, _ values: String) -> String {
            "BEGIN INSERT INTO baton_journal (time, tbl, key, \(columns)) VALUES (\(time), \(shape.name.sqlText), \(values)); END"
        }
        var triggers = [
            (
                "insert",
                "AFTER INSERT ON \(table) WHEN \(active) "
                    + line("op, mask", "\(new), \(Operation.insert.rawValue), \(full)")
            ),
            (
                "delete",
                "AFTER DELETE ON \(table) WHEN \(active) " + line("op", "\(old), \(Operation.delete.rawValue)")
            ),
            (
                "rekey",
                "\(setting(shape.key.map(\.name.sqlName))) WHEN \(active) AND NOT (\(isSameKey)) "
                    + line("oldKey, op, mask", "\(new), \(old), \(Operation.rekey.rawValue), \(full)")
            ),
        ]
        if !changes.isEmpty {
            let isChanged = changes.map(\.test).joinedByOr
            let changed = mask(
                changes.map { change in (change.position, { "(\(change.test)) * \(Int64(1) << Int64($0))" }) })
            triggers.append(
                (
                    "update",
                    "\(setting(synced.map(\.0).filter { !counters.contains($0) })) WHEN \(active) AND \(isSameKey) AND (\(isChanged)) "
                        + line("op, mask", "\(new), \(Operation.update.rawValue), \(changed)")
                ))
        }
        let emptied = synced.compactMap { name, position in
            emptying[name].map { test in
                (position: position, test: "OLD.\(name) IS NOT NEW.\(name) COLLATE BINARY AND \(test)")
            }
        }
        if !emptied.isEmpty {
            let isEmptied = emptied.map { "(\($0.test))" }.joinedByOr
            let which = mask(
                emptied.map { column in (column.position, { "(\(column.test)) * \(Int64(1) << Int64($0))" }) })
            triggers.append(
                (
                    "empty",
                    "\(setting(synced.map(\.0).filter { emptying[$0] != nil })) WHEN \(active) AND \(isSameKey) AND (\(isEmptied)) "
                        + line("op, mask", "\(new), \(Operation.empty.rawValue), \(which)")
                ))
        }
        for (name, position) in synced where counters.contains(name) {
            triggers.append(
                (
                    "count\(position)",
                    "\(setting([name])) WHEN \(active) AND \(isSameKey) AND OLD.\(name) IS NOT NEW.\(name) "
                        + line("op, mask", "\(new), \(Operation.count.rawValue), \(countMask(name, position))")
                ))
        }
        return triggers
    }

    private static func countMask(_ column: String, _ position: Int) -> String {
        let number = { (row: String) in "IFNULL(CAST(\(row).\(column) AS INTEGER), 0)" }
        return "'\(position):' || (\(number("NEW")) - \(number("OLD")))"
    }

    /// For columns of foreign keys with `SET NULL` or `SET DEFAULT`: whether it was the foreign key that changed them, since the row
    /// that they named is not there any more.
    private static func emptyingTests(_ shape: TableShape) -> [String: String] {
        var tests: [String: String] = [:]
        for reference in shape.references where [.setNull, .setDefault].contains(reference.onDelete) {
            let wasSet = reference.columns.map { "OLD.\($0.sqlName) IS NOT NULL" }.joined(separator: " AND ")
            let isTarget = zip(reference.columns, reference.targetColumns)
                .map { "p.\($1.sqlName) = OLD.\($0.sqlName)" }.joined(separator: " AND ")
            let test = "\(wasSet) AND NOT EXISTS (SELECT 1 FROM \(reference.table.sqlName) AS p WHERE \(isTarget))"
            for column in reference.columns { tests[column.sqlName] = test }
        }
        return tests
    }
}
