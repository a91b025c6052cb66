package import GRDB

/// Makes the tables show what the service says, within a transaction of the caller's.
///
/// Rows are put first, so that a row that moves away is not taken by its old target's cascade; then rows are removed; then
/// come the rows whose unique values were still taken. Two rows that exchange a unique value are given a stand-in first.
package struct RowApplier {
    private let db: Database
    private let shapes: [String: TableShape]
    private var statements: [String: Statement] = [:]
    private var rowStatements: [RowKind: RowStatements] = [:]
    private var postponed: [(row: ShownRow, local: [String: DatabaseValue])] = []
    private var done: [ShownRow] = []
    package private(set) var refused: [RefusedRow] = []
    /// Rows that were to be removed, and that the database does not let go.
    package private(set) var kept: [RefusedRow] = []
    private var holders: RowHolders?
    /// Tables of which a row has changed.
    package private(set) var touched: Set<String> = []
    package private(set) var putCount = 0
    package private(set) var removedCount = 0

    package init(db: Database, shapes: [TableShape]) {
        self.db = db
        self.shapes = Dictionary(shapes.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Foreign keys are checked at the commit, and what would fail there is taken out before and reported.
    package static func prepare(_ db: Database) throws { try db.execute(sql: "PRAGMA defer_foreign_keys = ON") }

    package mutating func apply(_ group: ShownGroup) throws {
        for row in group.put { try put(row) }
        for row in group.remove { try remove(row) }
        try settle()
    }

    // MARK: Rows

    package mutating func put(_ row: ShownRow) throws {
        guard let shape = shape(of: row) else { return }
        if let held = row.held {
            refused.append(RefusedRow(table: row.table, key: row.key, reason: held))
            return
        }
        do {
            try write(row, shape, local: [:])
        } catch let error as DatabaseError where error.isUniqueness {
            postponed.append((row, try localValues(of: row.key, shape)))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            refuse(row, error)
        }
    }

    package mutating func remove(_ row: ShownRow) throws {
        guard let shape = shape(of: row) else { return }
        if let holder = try findHolder(of: row.key, in: shape) {
            return try keep(
                row, shape,
                """
                It was deleted, and a row of the table \(holder), which does not sync, refers to it or to a row that goes \
                with it.
                """)
        }
        let statement = try statement("delete \(shape.name)") {
            "DELETE FROM \(shape.name.sqlName) WHERE \(shape.keyCondition)"
        }
        do {
            try statement.execute(arguments: StatementArguments(values: row.key.values))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // A trigger of the app's.
            forgetStatements()
            return try keep(row, shape, Self.reason(error))
        }
        guard db.changesCount > 0 else { return }
        removedCount += 1
        touched.insert(shape.name)
    }

    /// Under the key as the table spells it, by which a comparison knows the row again.
    private mutating func keep(_ row: ShownRow, _ shape: TableShape, _ reason: String) throws {
        let key = try shape.ownKey(of: row.key, in: db) ?? row.key
        kept.append(RefusedRow(table: row.table, key: key, reason: reason))
    }

    private mutating func findHolder(of key: RowKey, in shape: TableShape) throws -> String? {
        let holders = try holders ?? RowHolders(shapes, in: db)
        self.holders = holders
        return try holders.holder(of: key, in: shape)
    }

    /// At the end of each group.
    package mutating func settle() throws {
        try settlePostponed()
        try settleReferences()
        done = []
    }

    private func shape(of row: ShownRow) -> TableShape? {
        guard let shape = shapes[row.table], shape.key.count == row.key.values.count, row.key.isWhole else {
            return nil
        }
        return shape
    }

    private mutating func write(_ row: ShownRow, _ shape: TableShape, local: [String: DatabaseValue]) throws {
        do {
            try execute(row, shape, local: local)
        } catch {
            // A statement that has failed says so again when it is run next.
            forgetStatements()
            throw error
        }
    }

    private mutating func execute(_ row: ShownRow, _ shape: TableShape, local: [String: DatabaseValue]) throws {
        let (statements, values) = try plan(row, shape)
        // Only what differs is written: an update of a unique column, even to what it is, costs its index.
        if let update = statements.update {
            try update.execute(arguments: StatementArguments(values: values + row.key.values + values))
            if db.changesCount > 0 { return written(row, shape) }
        }
        if try Int.fetchOne(statements.exists, arguments: StatementArguments(values: row.key.values)) != nil { return }
        try insert(row, shape, local: local)
        written(row, shape)
    }

    private mutating func insert(_ row: ShownRow, _ shape: TableShape, local: [String: DatabaseValue]) throws {
        let (statements, values) = try plan(row, shape)
        let locals = local.sorted { $0.key < $1.key }
        var insert = statements.insert
        if !locals.isEmpty {
            let columns = shape.columns.map(\.name).filter { row.values[$0] != nil }
            insert = try db.makeStatement(
                sql: Self.insertSQL(shape, shape.key.map(\.name) + columns + locals.map(\.key)))
        }
        try insert.execute(arguments: StatementArguments(values: row.key.values + values + locals.map(\.value)))
        // RAISE(IGNORE). A row that is missing without a reason would be taken for deleted when tables are compared.
        guard db.changesCount > 0 else {
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "A trigger passed over the row.")
        }
    }

    // MARK: Statements

    /// The statements for rows of one table with values for the same columns.
    private struct RowStatements {
        /// Nil where there is no column besides the key.
        var update: Statement?
        var exists: Statement
        var insert: Statement
    }

    private struct RowKind: Hashable {
        var table: String
        var columns: [Bool]
    }

    /// - Returns: also the values of the columns that the row has, in the order of the table.
    private mutating func plan(
        _ row: ShownRow, _ shape: TableShape
    ) throws -> (statements: RowStatements, values: [DatabaseValue]) {
        var values: [DatabaseValue] = []
        var kind = RowKind(table: shape.name, columns: [])
        kind.columns.reserveCapacity(shape.columns.count)
        for column in shape.columns {
            let value = row.values[column.name]
            kind.columns.append(value != nil)
            if let value { values.append(value) }
        }
        if let known = rowStatements[kind] { return (known, values) }
        let names = zip(shape.columns, kind.columns).filter(\.1).map(\.0.name)
        let made = RowStatements(
            update: try Self.updateSQL(shape, names).map { try db.makeStatement(sql: $0) },
            exists: try db.makeStatement(sql: "SELECT 1 FROM \(shape.name.sqlName) WHERE \(shape.keyCondition)"),
            insert: try db.makeStatement(sql: Self.insertSQL(shape, shape.key.map(\.name) + names)))
        // Bounded: rows of one table name mostly the same columns.
        if rowStatements.count >= 256 { rowStatements = [:] }
        rowStatements[kind] = made
        return (made, values)
    }

    private static func updateSQL(_ shape: TableShape, _ columns: [String]) -> String? {
        guard !columns.isEmpty else { return nil }
        let isDifferent = columns.map { "\($0.sqlName) IS NOT ? COLLATE BINARY" }.joinedByOr
        return """
            UPDATE\(shape.conflictClause) \(shape.name.sqlName) SET \(columns.map { "\($0.sqlName) = ?" }.joined(separator: ", ")) \
            WHERE \(shape.keyCondition) AND (\(isDifferent))
            """
    }

    private static func insertSQL(_ shape: TableShape, _ columns: [String]) -> String {
        """
        INSERT\(shape.conflictClause) INTO \(shape.name.sqlName) (\(columns.map(\.sqlName).joined(separator: ", "))) \
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
    }

    private mutating func forgetStatements() { (statements, rowStatements) = ([:], [:]) }

    private mutating func written(_ row: ShownRow, _ shape: TableShape) {
        putCount += 1
        touched.insert(shape.name)
        // Without its values: there may be a million of them.
        if !shape.references.isEmpty { done.append(ShownRow(table: row.table, key: row.key)) }
    }

    private mutating func refuse(_ row: ShownRow, _ error: DatabaseError) {
        refused.append(RefusedRow(table: row.table, key: row.key, reason: Self.reason(error)))
    }

    private static func reason(_ error: DatabaseError) -> String {
        String((error.message ?? "The table refused the row.").prefix(400))
    }

    private mutating func statement(_ name: String, _ sql: () -> String) throws -> Statement {
        if let statement = statements[name] { return statement }
        let statement = try db.makeStatement(sql: sql())
        // Bounded: rows of one table name mostly the same columns.
        if statements.count >= 256 { statements = [:] }
        statements[name] = statement
        return statement
    }

    // MARK: Filling

    /// Puts a row that its table does not have, where it goes in as it is and all that it refers to is there.
    ///
    /// - Returns: false where it does not go in. Nothing has changed then.
    mutating func fill(_ row: ShownRow) throws -> Bool {
        guard row.held == nil, let shape = shape(of: row) else { return false }
        for index in shape.references.indices where try !isThere(index, of: row, shape) { return false }
        do {
            try insert(row, shape, local: [:])
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            forgetStatements()
            return false
        }
        putCount += 1
        touched.insert(shape.name)
        return true
    }

    /// Whether the target of a row that is not in the table yet is there, or it has none.
    private mutating func isThere(_ index: Int, of row: ShownRow, _ shape: TableShape) throws -> Bool {
        let reference = shape.references[index]
        var values: [DatabaseValue] = []
        for column in reference.columns {
            let part = shape.key.firstIndex { $0.name == column }
            // It is not known here to which row a default refers.
            guard let value = part.map({ row.key.values[$0] }) ?? row.values[column] else {
                return shape.column(column)?.defaultValue == nil
            }
            if value.isNull { return true }
            values.append(value)
        }
        if reference.table == shape.name, reference.targetColumns == shape.key.map(\.name), values == row.key.values {
            return true
        }
        let statement = try statement("there \(index) \(shape.name)") {
            let isTarget = reference.targetColumns.map { "\($0.sqlName) = ?" }.joined(separator: " AND ")
            return "SELECT 1 FROM \(reference.table.sqlName) WHERE \(isTarget)"
        }
        return try Int.fetchOne(statement, arguments: StatementArguments(values: values)) != nil
    }

    // MARK: Unique values

    private mutating func settlePostponed() throws {
        var isStuck = false
        while !postponed.isEmpty {
            let waiting = postponed
            postponed = []
            for (row, local) in waiting {
                guard let shape = shape(of: row) else { continue }
                do {
                    try write(row, shape, local: local)
                } catch let error as DatabaseError where error.isUniqueness {
                    if isStuck { refuse(row, error) } else { postponed.append((row, local)) }
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    refuse(row, error)
                }
            }
            guard postponed.count == waiting.count else { continue }
            // Each waits for another of them.
            for (row, _) in postponed {
                if let shape = shape(of: row) { try giveStandIns(row, shape) }
            }
            isStuck = true
        }
    }

    /// Frees the unique values of a row that is about to be written.
    private func giveStandIns(_ row: ShownRow, _ shape: TableShape) throws {
        let columns = Set(shape.unique.flatMap(\.columns)).intersection(row.values.keys).compactMap(shape.column)
        guard !columns.isEmpty else { return }
        let values = columns.map { column in
            switch (column.isRequired, column.type) {
            case (false, _): "NULL"
            case (true, let type) where type.contains("INT"): "-abs(random() / 2) - 1"
            case (true, let type) where type.contains("REAL") || type.contains("FLOA"): "-abs(random() / 2) - 1.5"
            case (true, let type) where type.contains("BLOB"): "randomblob(16)"
            default: "'baton:' || lower(hex(randomblob(16)))"
            }
        }
        let assignments = zip(columns, values).map { "\($0.name.sqlName) = \($1)" }.joined(separator: ", ")
        do {
            try db.execute(
                sql: "UPDATE \(shape.name.sqlName) SET \(assignments) WHERE \(shape.keyCondition)",
                arguments: StatementArguments(values: row.key.values))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // The stand-in is refused; so will the row be, with its own sentence.
        }
    }

    private func localValues(of key: RowKey, _ shape: TableShape) throws -> [String: DatabaseValue] {
        let synced = Set((shape.key + shape.columns).map(\.name))
        // Generated ones cannot be written.
        let columns = try Row.fetchAll(db, sql: "PRAGMA table_xinfo(\(shape.name.sqlName))")
            .filter { ($0["hidden"] as Int) == 0 }.map { $0["name"] as String }.filter { !synced.contains($0) }
        guard !columns.isEmpty else { return [:] }
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT \(columns.map(\.sqlName).joined(separator: ", ")) FROM \(shape.name.sqlName) \
                WHERE \(shape.keyCondition)
                """,
            arguments: StatementArguments(values: key.values))
        guard let row else { return [:] }
        return Dictionary(zip(columns, row.databaseValues)) { first, _ in first }
    }

    // MARK: References

    /// A row whose target is not there, since the target was refused, is held as well.
    private mutating func settleReferences() throws {
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for row in done {
                guard let shape = shape(of: row) else { continue }
                for index in shape.references.indices where try isBroken(index, of: row.key, shape) {
                    hasChanged = try mend(shape.references[index], row, shape) || hasChanged
                }
            }
        }
    }

    private mutating func isBroken(_ index: Int, of key: RowKey, _ shape: TableShape) throws -> Bool {
        let reference = shape.references[index]
        let statement = try statement("broken \(index) \(shape.name)") {
            let pairs = zip(reference.columns, reference.targetColumns)
            let isSet = reference.columns.map { "c.\($0.sqlName) IS NOT NULL" }.joined(separator: " AND ")
            let isTarget = pairs.map { "p.\($1.sqlName) = c.\($0.sqlName)" }.joined(separator: " AND ")
            let isChild = shape.key.map { "c.\($0.name.sqlName) = ?" }.joined(separator: " AND ")
            return """
                SELECT 1 FROM \(shape.name.sqlName) AS c WHERE \(isChild) AND \(isSet) \
                AND NOT EXISTS (SELECT 1 FROM \(reference.table.sqlName) AS p WHERE \(isTarget))
                """
        }
        return try Int.fetchOne(statement, arguments: StatementArguments(values: key.values)) != nil
    }

    /// - Returns: whether anything changed.
    private mutating func mend(
        _ reference: TableShape.Reference, _ row: ShownRow, _ shape: TableShape
    ) throws -> Bool {
        if reference.onDelete == .setNull, reference.columns.allSatisfy({ shape.column($0)?.isRequired == false }) {
            let assignments = reference.columns.map { "\($0.sqlName) = NULL" }.joined(separator: ", ")
            try db.execute(
                sql: "UPDATE \(shape.name.sqlName) SET \(assignments) WHERE \(shape.keyCondition)",
                arguments: StatementArguments(values: row.key.values))
            return db.changesCount > 0
        }
        try db.execute(
            sql: "DELETE FROM \(shape.name.sqlName) WHERE \(shape.keyCondition)",
            arguments: StatementArguments(values: row.key.values))
        guard db.changesCount > 0 else { return false }
        refused.append(
            RefusedRow(
                table: row.table, key: row.key,
                reason: "The row of the table \(reference.table) that it refers to is not there."))
        return true
    }
}

extension DatabaseError {
    /// Another row has the value.
    fileprivate var isUniqueness: Bool {
        [.SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID].contains(
            extendedResultCode)
    }
}

extension StatementArguments {
    /// GRDB's own way looks up the type of the values each time.
    init(values: [DatabaseValue]) { self.init(values.map { $0 as (any DatabaseValueConvertible)? }) }
}
