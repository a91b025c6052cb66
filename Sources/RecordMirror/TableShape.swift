package import GRDB

/// A table as the database has it, with what the app declares of it.
package struct TableShape: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        package var name: String
        /// As it was declared, in capitals: `TEXT`, `INTEGER`, or empty.
        package var type: String
        package var isRequired: Bool
        /// SQL, or nil.
        package var defaultValue: String?
        /// The default in the SQL, where it is a literal.
        package var defaultLiteral: DatabaseValue?
        package var collation: Collation
        package var isQuiet: Bool
        package var isCounter: Bool
    }

    package enum Collation: String, Sendable, Equatable {
        case binary = "BINARY"
        case nocase = "NOCASE"
        case rtrim = "RTRIM"
    }

    package enum DeleteAction: String, Sendable, Equatable {
        case noAction = "NO ACTION"
        case restrict = "RESTRICT"
        case cascade = "CASCADE"
        case setNull = "SET NULL"
        case setDefault = "SET DEFAULT"
    }

    package struct Reference: Sendable, Equatable {
        package var columns: [String]
        package var table: String
        package var targetColumns: [String]
        package var onDelete: DeleteAction
    }

    package var name: String
    /// In the order of the primary key.
    package var key: [Column]
    /// The columns that sync, besides the key.
    package var columns: [Column]
    package var references: [Reference]
    package var unique: [MirrorTable.UniqueKey]
    /// A constraint of it says `ON CONFLICT`: it may remove other rows, or pass over one, and say nothing.
    package var resolvesConflicts = false

    /// For statements that are to say what a constraint refuses.
    var conflictClause: String { resolvesConflicts ? " OR ABORT" : "" }

    package func column(_ name: String) -> Column? { (key + columns).first { $0.name == name } }
}

extension [String] {
    /// Conditions, in two levels: SQLite refuses an expression with 1,000 of them.
    var joinedByOr: String {
        guard count > 100 else { return joined(separator: " OR ") }
        return stride(from: 0, to: count, by: 100)
            .map { "(\(self[$0..<Swift.min($0 + 100, count)].joined(separator: " OR ")))" }.joined(separator: " OR ")
    }
}

extension String {
    /// As an identifier in SQL.
    var sqlName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }

    /// As a text in SQL.
    var sqlText: String { "'" + replacing("'", with: "''") + "'" }
}
