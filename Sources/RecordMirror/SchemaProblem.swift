/// A table that cannot sync as it is.
package enum SchemaProblem: Error, Sendable, Equatable {
    case noSuchTable(table: String)
    case noSuchColumn(table: String, column: String)
    case noPrimaryKey(table: String)
    case integerPrimaryKey(table: String, column: String)
    case undeclaredUnique(table: String, columns: [String])
    case nothingToClear(table: String, columns: [String])
    case referenceOutside(table: String, columns: [String], target: String)
    case referenceBesideKey(table: String, columns: [String], target: String)
    case generatedColumn(table: String, column: String)
    case reservedName(table: String, column: String?)

    /// One to three sentences for the app's developer.
    package var sentence: String {
        switch self {
        case .noSuchTable(let table):
            """
            The database has no table “\(table)” that can sync. Create it before RecordSync is made; views and virtual \
            tables do not sync.
            """
        case .noSuchColumn(let table, let column):
            "The table “\(table)” has no column “\(column)”, which its SyncedTable names. Correct the SyncedTable."
        case .noPrimaryKey(let table):
            """
            The table “\(table)” has no primary key, so its rows have no name that other devices know. Give it one, for \
            example “id TEXT PRIMARY KEY NOT NULL”.
            """
        case .integerPrimaryKey(let table, let column):
            """
            The primary key “\(column)” of the table “\(table)” is an integer that SQLite counts up, so two devices would \
            give one number to two rows. Make a table with text keys: “CREATE TABLE \(table)_new (\(column) TEXT PRIMARY \
            KEY NOT NULL DEFAULT (lower(hex(randomblob(16)))), …)”, copy the rows with “INSERT INTO \(table)_new SELECT \
            lower(hex(randomblob(16))), … FROM \(table)”, give the tables that refer to it the new keys, drop “\(table)” \
            and rename the new table.
            """
        case .undeclaredUnique(let table, let columns):
            """
            The table “\(table)” has a unique index on \(Self.list(columns)), and two devices may give one value to two \
            rows. Say what happens then: SyncedTable("\(table)", unique: [[\(columns.map { "\"\($0)\"" }
                .joined(separator: ", "))]: .merge]), or .clear. Unique indexes on expressions or with WHERE do not sync.
            """
        case .nothingToClear(let table, let columns):
            """
            A collision of \(Self.list(columns)) of the table “\(table)” cannot be settled with .clear, since none of the columns \
            may be NULL. Allow NULL in one of them, or declare .merge.
            """
        case .referenceOutside(let table, let columns, let target):
            """
            The table “\(table)” refers with \(Self.list(columns)) to the table “\(target)”, which does not sync, so the \
            row may be missing on other devices. Add SyncedTable("\(target)"), or remove the foreign key.
            """
        case .generatedColumn(let table, let column):
            """
            The column “\(column)” of the table “\(table)” is generated, and is part of a unique index or of a foreign key, for which \
            other devices need values that are written. Make it an ordinary column that the app or a trigger writes.
            """
        case .referenceBesideKey(let table, let columns, let target):
            """
            The table “\(table)” refers with \(Self.list(columns)) to columns of “\(target)” that are not its primary key. \
            Refer to the primary key, whose values no other device gives twice.
            """
        case .reservedName(let table, let column?):
            """
            The column “\(column)” of the table “\(table)” has a name that cannot sync. Use ASCII letters, digits and \
            “_”, and do not begin with “_” or “baton_”.
            """
        case .reservedName(let table, nil):
            """
            The table “\(table)” has a name that cannot sync. Use ASCII letters, digits and “_”, and do not begin with \
            “_”, “baton_” or “sqlite_”.
            """
        }
    }

    private static func list(_ columns: [String]) -> String {
        columns.map { "“\($0)”" }.joined(separator: ", ")
    }
}
