import GRDB

/// Reads rows by key, with one statement a table.
struct RowReader {
    let db: Database
    private var statements: [String: Statement] = [:]
    private var known: [String: [String: Int]] = [:]

    init(db: Database) { self.db = db }

    /// The synced columns of a row; nil when there is none.
    ///
    /// - Returns: also whether a text of it has a NUL, at which it is cut here.
    mutating func values(
        of key: RowKey, in shape: TableShape
    ) throws -> (columns: [String: DatabaseValue], isCut: Bool)? {
        let statement = try statement(for: shape)
        guard let row = try Row.fetchOne(statement, arguments: StatementArguments(values: key.values)) else {
            return nil
        }
        let columns = Dictionary(zip(shape.columns.map(\.name), row.databaseValues)) { first, _ in first }
        return (columns, row[shape.columns.count])
    }

    mutating func positions(of shape: TableShape) throws -> [String: Int] {
        if let positions = known[shape.name] { return positions }
        let positions = try CaptureTriggers.knownPositions(of: shape.name, in: db)
        known[shape.name] = positions
        return positions
    }

    private mutating func statement(for shape: TableShape) throws -> Statement {
        if let statement = statements[shape.name] { return statement }
        let names = shape.columns.map(\.name.sqlName)
        let isCut = names.map { "(typeof(\($0)) = 'text' AND instr(\($0), char(0)) > 0)" }
        let columns = (names + [isCut.isEmpty ? "0" : isCut.joinedByOr]).joined(separator: ", ")
        let statement = try db.makeStatement(
            sql: "SELECT \(columns) FROM \(shape.name.sqlName) WHERE \(shape.keyCondition)")
        statements[shape.name] = statement
        return statement
    }
}

extension TableShape {
    /// Whether case or spaces at the end make no other row: two devices may have spelled the key of one in two ways.
    var foldsKey: Bool { key.contains { $0.collation != .binary } }

    /// The key's text in the one way in which ``RowKey/folded(in:)`` has it.
    func foldedKeySQL(_ row: String) -> String {
        key.map { column in
            let name = "\(row).\(column.name.sqlName)"
            let folded: String? =
                switch column.collation {
                case .binary: nil
                case .nocase: "lower(\(name))"
                case .rtrim: "rtrim(\(name))"
                }
            return "quote(" + (folded.map { "CASE typeof(\(name)) WHEN 'text' THEN \($0) ELSE \(name) END" } ?? name)
                + ")"
        }.joined(separator: " || ',' || ")
    }

    /// `IS` compares by the column's collation, as the primary key does.
    var keyCondition: String { key.map { "\($0.name.sqlName) = ?" }.joined(separator: " AND ") }
}
