import Foundation
import GRDB

/// Reads rows by key, with one statement a table.
struct RowReader {
    let db: Database
    private var statements: [String: Statement] = [:]
    private var known: [String: [String: Int]] = [:]

    init(db: Database) { self.db = db }

    /// The synced columns of a row; nil when there is none.
    ///
    /// - Returns: also why they cannot be sent: a text of it has a NUL, at which it is cut here, or is no text.
    mutating func values(
        of key: RowKey, in shape: TableShape
    ) throws -> (columns: [String: DatabaseValue], problem: String?)? {
        let statement = try statement(for: shape)
        guard let row = try Row.fetchOne(statement, arguments: StatementArguments(values: key.values)) else {
            return nil
        }
        let columns = Dictionary(zip(shape.columns.map(\.name), row.databaseValues)) { first, _ in first }
        if row[shape.columns.count] { return (columns, ShownRow.cutText) }
        return (columns, try isReplaced(columns, of: key, in: shape) ? ShownRow.brokenText : nil)
    }

    /// Whether a text has bytes that are not UTF-8, in place of which there are other characters here.
    private func isReplaced(
        _ columns: [String: DatabaseValue], of key: RowKey, in shape: TableShape
    ) throws -> Bool {
        for (name, value) in columns {
            guard case .string(let text) = value.storage, text.utf8.contains(0xEF),
                text.unicodeScalars.contains("\u{FFFD}")
            else { continue }
            // Compared there: the database may be in UTF-16.
            let isReplaced = try Bool.fetchOne(
                db,
                sql: """
                    SELECT CAST(\(name.sqlName) AS BLOB) IS NOT CAST(? AS BLOB) FROM \(shape.name.sqlName) \
                    WHERE \(shape.keyCondition)
                    """,
                arguments: StatementArguments(values: [value] + key.values))
            if isReplaced == true { return true }
        }
        return false
    }

    /// Whether there is a row whose key is this one up to a NUL, so that the journal has it by this key.
    func hasCutKey(_ key: RowKey, in shape: TableShape) throws -> Bool {
        var (conditions, arguments): ([String], [DatabaseValue]) = ([], [])
        for (column, value) in zip(shape.key, key.values) {
            let name = column.name.sqlName
            if case .string = value.storage {
                conditions.append("\(name) >= ? AND \(name) < ? || char(1) AND quote(\(name)) = quote(?)")
                arguments += [value, value, value]
            } else {
                conditions.append("\(name) = ?")
                arguments.append(value)
            }
        }
        let sql = "SELECT 1 FROM \(shape.name.sqlName) WHERE \(conditions.joined(separator: " AND "))"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: StatementArguments(values: arguments)) != nil
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
            let key = folded.map { "CASE typeof(\(name)) WHEN 'text' THEN \($0) ELSE \(name) END" } ?? name
            return "CASE WHEN \(Self.isCut(row, column.name)) THEN 'NULL' ELSE quote(\(key)) END"
        }.joined(separator: " || ',' || ")
    }

    /// The key's text as ``CaptureTriggers/keySQL(_:_:)`` has it, but for a text with a NUL, which has no name that others know.
    func wholeKeySQL(_ row: String) -> String {
        key.map { column in
            "CASE WHEN \(Self.isCut(row, column.name)) THEN 'NULL' ELSE quote(\(row).\(column.name.sqlName)) END"
        }.joined(separator: " || ',' || ")
    }

    /// Whether `quote()` would cut a value at its NUL.
    static func isCut(_ row: String, _ column: String) -> String {
        let name = "\(row).\(column.sqlName)"
        return "(typeof(\(name)) = 'text' AND instr(\(name), char(0)) > 0)"
    }

    /// `IS` compares by the column's collation, as the primary key does.
    var keyCondition: String { key.map { "\($0.name.sqlName) = ?" }.joined(separator: " AND ") }
}
