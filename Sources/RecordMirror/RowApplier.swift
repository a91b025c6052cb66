package import GRDB

/// Makes the tables show what the service says, within a transaction of the caller's.
///
/// Rows are put first, so that a row that moves away is not taken by its old target's cascade; then rows are removed; then
/// come the rows whose unique values were still taken. Two rows that exchange a unique value are given a stand-in first.
package struct RowApplier {
    let db: Database
    let shapes: [String: TableShape]
    let care: ApplyCare
    /// Rows of which the service has not taken the changes.
    let unsent: UnsentRows
    private var statements: [String: Statement] = [:]
    private var rowStatements: [RowKind: RowStatements] = [:]
    private var postponed: [(row: ShownRow, local: [String: DatabaseValue])] = []
    var done: [ShownRow] = []
    package internal(set) var refused: [RefusedRow] = []
    /// Rows that were to be removed, and that the database does not let go.
    package internal(set) var kept: [RefusedRow] = []
    /// Rows that the service holds, and that stay in their tables while it lacks changes that it may hold them for.
    private(set) var staying: [RefusedRow] = []
    /// Rows that the service holds, and that stay in their tables as they were: rows that do not sync would go with them.
    private(set) var accompanied: [RefusedRow] = []
    /// Rows that were shown and not touched, since the service has not taken their changes.
    private(set) var skipped: [ShownRow] = []
    private var holders: RowHolders?
    /// Tables of which a row has changed.
    package internal(set) var touched: Set<String> = []
    package internal(set) var putCount = 0
    package private(set) var removedCount = 0

    package init(db: Database, shapes: [TableShape]) throws { try self.init(db: db, shapes: shapes, care: ApplyCare()) }

    init(db: Database, shapes: [TableShape], care: ApplyCare) throws {
        self.db = db
        self.shapes = Dictionary(shapes.map { ($0.name, $0) }) { first, _ in first }
        self.care = care
        unsent = try UnsentRows(in: db)
    }

    /// Foreign keys are checked at the commit, and what would fail there is taken out before and reported.
    package static func prepare(_ db: Database) throws { try db.execute(sql: "PRAGMA defer_foreign_keys = ON") }

    package mutating func apply(_ group: ShownGroup) throws {
        if care.isCareful { return try applyCarefully(group) }
        for row in group.put { try put(row) }
        for row in group.remove { try remove(row) }
        try settle()
    }

    // MARK: Rows

    package mutating func put(_ row: ShownRow) throws {
        guard let shape = shape(of: row) else { return }
        if try unsent.contains(row, shape, in: db) { return skipped.append(row) }
        if let held = row.held ?? care.reason(row) ?? row.unreadable {
            refused.append(RefusedRow(table: row.table, key: row.key, reason: held))
            return
        }
        do {
            try write(row, shape, local: [:])
        } catch let error as DatabaseError where error.isUniqueness {
            try checkTransaction(row, error)
            postponed.append((row, try localValues(of: row.key, shape)))
        } catch let error as DatabaseError where error.isOfRow {
            try refuse(row, error)
        }
    }

    package mutating func remove(_ row: ShownRow) throws {
        guard let shape = shape(of: row) else { return }
        if try unsent.contains(row, shape, in: db) { return skipped.append(row) }
        if let reason = care.reason(row) { return try keep(row, shape, reason) }
        if let held = row.held, !unsent.isEmpty {
            if try shape.ownKey(of: row.key, in: db) == nil { return }
            return staying.append(RefusedRow(table: row.table, key: row.key, reason: held))
        }
        if let held = row.held, try rowHolders().companion(of: row.key, in: shape) != nil {
            return accompanied.append(RefusedRow(table: row.table, key: row.key, reason: held))
        }
        if let holder = try rowHolders().holder(of: row.key, in: shape) {
            return try keep(
                row, shape,
                """
                It was deleted, and a row of the table \(holder), which does not sync, refers to it or to a row that goes \
                with it.
                """)
        }
        do {
            guard try unsent.isEmpty || removeAlone(row, shape) else {
                return try keep(row, shape, "It was deleted, and a row that has not been sent yet would go with it.")
            }
            if unsent.isEmpty { try delete(row, shape) }
        } catch let error as DatabaseError where error.isOfRow {
            // A trigger of the app's.
            forgetStatements()
            try checkTransaction(row, error)
            return try keep(row, shape, Self.reason(error))
        }
        guard db.changesCount > 0 else {
            // RAISE(IGNORE). Such a row would be taken for a new one when tables are compared.
            if try shape.ownKey(of: row.key, in: db) != nil { try keep(row, shape, Self.passedOver) }
            return
        }
        removedCount += 1
        touched.insert(shape.name)
    }

    mutating func delete(_ row: ShownRow, _ shape: TableShape) throws {
        let statement = try statement("delete \(shape.name)") {
            "DELETE FROM \(shape.name.sqlName) WHERE \(shape.keyCondition)"
        }
        try statement.execute(arguments: StatementArguments(values: row.key.values))
    }

    static let passedOver = "A trigger passed over the row."

    /// Under the key as the table spells it, by which a comparison knows the row again.
    private mutating func keep(_ row: ShownRow, _ shape: TableShape, _ reason: String) throws {
        let key = try shape.ownKey(of: row.key, in: db) ?? row.key
        kept.append(RefusedRow(table: row.table, key: key, reason: reason))
    }

    private mutating func rowHolders() throws -> RowHolders {
        let holders = try holders ?? RowHolders(shapes, in: db)
        self.holders = holders
        return holders
    }

    /// At the end of each group.
    package mutating func settle() throws {
        try settlePostponed()
        try settleReferences()
        done = []
    }

    func shape(of row: ShownRow) -> TableShape? {
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
        let differs = try Bool.fetchOne(
            statements.differs, arguments: StatementArguments(values: values + row.key.values))
        if let differs {
            // RAISE(IGNORE). What the table has would be taken for the app's change when tables are compared.
            guard differs else { return }
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: Self.passedOver)
        }
        try insert(row, shape, local: local)
        written(row, shape)
    }

    mutating func insert(_ row: ShownRow, _ shape: TableShape, local: [String: DatabaseValue]) throws {
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
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: Self.passedOver)
        }
    }

    // MARK: Statements

    /// The statements for rows of one table with values for the same columns.
    private struct RowStatements {
        /// Nil where there is no column besides the key.
        var update: Statement?
        /// Whether the row that is there is another one; nothing where there is none.
        var differs: Statement
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
            differs: try db.makeStatement(
                sql: "SELECT \(Self.isDifferent(names)) FROM \(shape.name.sqlName) WHERE \(shape.keyCondition)"),
            insert: try db.makeStatement(sql: Self.insertSQL(shape, shape.key.map(\.name) + names)))
        // Bounded: rows of one table name mostly the same columns.
        if rowStatements.count >= 256 { rowStatements = [:] }
        rowStatements[kind] = made
        return (made, values)
    }

    private static func updateSQL(_ shape: TableShape, _ columns: [String]) -> String? {
        guard !columns.isEmpty else { return nil }
        return """
            UPDATE\(shape.conflictClause) \(shape.name.sqlName) SET \(columns.map { "\($0.sqlName) = ?" }.joined(separator: ", ")) \
            WHERE \(shape.keyCondition) AND (\(isDifferent(columns)))
            """
    }

    private static func isDifferent(_ columns: [String]) -> String {
        columns.isEmpty ? "0" : columns.map { "\($0.sqlName) IS NOT ? COLLATE BINARY" }.joinedByOr
    }

    private static func insertSQL(_ shape: TableShape, _ columns: [String]) -> String {
        """
        INSERT\(shape.conflictClause) INTO \(shape.name.sqlName) (\(columns.map(\.sqlName).joined(separator: ", "))) \
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
    }

    mutating func forgetStatements() { (statements, rowStatements) = ([:], [:]) }

    private mutating func written(_ row: ShownRow, _ shape: TableShape) {
        putCount += 1
        touched.insert(shape.name)
        // Without its values: there may be a million of them.
        if !shape.references.isEmpty { done.append(ShownRow(table: row.table, key: row.key)) }
    }

    private mutating func refuse(_ row: ShownRow, _ error: DatabaseError) throws {
        try checkTransaction(row, error)
        refused.append(RefusedRow(table: row.table, key: row.key, reason: Self.reason(error)))
    }

    /// RAISE(ROLLBACK): nothing of the transaction is left.
    private func checkTransaction(_ row: ShownRow, _ error: DatabaseError) throws {
        guard db.isInsideTransaction else { throw StuckRow(row, Self.reason(error)) }
    }

    static func reason(_ error: DatabaseError) -> String {
        String((error.message ?? "The table refused the row.").prefix(400))
    }

    mutating func statement(_ name: String, _ sql: () -> String) throws -> Statement {
        if let statement = statements[name] { return statement }
        let statement = try db.makeStatement(sql: sql())
        // Bounded: rows of one table name mostly the same columns.
        if statements.count >= 256 { statements = [:] }
        statements[name] = statement
        return statement
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
                    if isStuck { try refuse(row, error) } else { postponed.append((row, local)) }
                } catch let error as DatabaseError where error.isOfRow {
                    try refuse(row, error)
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
        } catch let error as DatabaseError where error.isOfRow {
            // The stand-in is refused; so will the row be, with its own sentence.
            try checkTransaction(row, error)
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
}

extension DatabaseError {
    /// Whether another row may go in nevertheless: a constraint, a trigger, or an expression of the app's refuses this one. An index for
    /// texts that does not fit its table says that it is corrupt.
    var isOfRow: Bool {
        switch resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG: true
        default: extendedResultCode == .SQLITE_CORRUPT_VTAB
        }
    }

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
