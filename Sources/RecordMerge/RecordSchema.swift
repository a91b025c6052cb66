package import BatonCore

/// The tables that an app syncs, as the app's database has them now.
package struct RecordSchema: Hashable, Sendable {
    package private(set) var tables: [String: RecordTable]

    /// - Throws: `invalid_argument` for what cannot be synced, with the reasons `no_primary_key`, `reference_outside`,
    ///   `reserved_name`, `bad_schema`. The text names table and column.
    package init(_ tables: [RecordTable]) throws(BatonError) {
        self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard self.tables.count == tables.count else {
            throw BatonError(.invalidArgument, reason: "bad_schema", "A table is named twice. Name it once.")
        }
        try validate()
    }

    package subscript(table: String) -> RecordTable? { tables[table] }

    /// For zones of an app that speaks CloudKit: each record with a dot is shown, with all its fields.
    package static let plain = RecordSchema()
    private init() { tables = [:] }
}

package struct RecordTable: Hashable, Sendable {
    package var name: String
    /// All columns that sync, with those of the key. Local ones are not among them.
    package var columns: [RecordColumn]
    /// The columns of the primary key, in its order.
    package var primaryKey: [String]
    package var foreignKeys: [RecordForeignKey]
    package var uniqueKeys: [RecordUniqueKey]

    package init(
        name: String, columns: [RecordColumn], primaryKey: [String], foreignKeys: [RecordForeignKey] = [],
        uniqueKeys: [RecordUniqueKey] = []
    ) {
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
        self.foreignKeys = foreignKeys
        self.uniqueKeys = uniqueKeys
    }
}

package struct RecordColumn: Hashable, Sendable {
    package enum Collation: String, Hashable, Sendable { case binary, nocase, rtrim }

    package var name: String
    package var isNullable: Bool
    /// The literal after `DEFAULT`; nil: none, or an expression.
    package var defaultValue: RecordValue?
    package var collation: Collation
    /// Writing it keeps no row alive.
    package var isQuiet: Bool
    /// It adds up differences.
    package var isCounter: Bool

    package init(
        name: String, isNullable: Bool = true, defaultValue: RecordValue? = nil, collation: Collation = .binary,
        isQuiet: Bool = false, isCounter: Bool = false
    ) {
        self.name = name
        self.isNullable = isNullable
        self.defaultValue = defaultValue
        self.collation = collation
        self.isQuiet = isQuiet
        self.isCounter = isCounter
    }
}

/// Columns that name the primary key of a row of another table, or of the same.
package struct RecordForeignKey: Hashable, Sendable {
    package enum Action: String, Hashable, Sendable, CaseIterable {
        case noAction, restrict, cascade, setNull, setDefault
    }

    /// In the order of the target's primary key.
    package var columns: [String]
    package var target: String
    package var onDelete: Action

    package init(columns: [String], target: String, onDelete: Action = .noAction) {
        self.columns = columns
        self.target = target
        self.onDelete = onDelete
    }
}

/// Columns of a unique index besides the primary key.
package struct RecordUniqueKey: Hashable, Sendable {
    package enum Collision: Hashable, Sendable {
        /// Two rows become one, for good.
        case merge
        /// The row with the lesser stamp of that column gets `NULL` in it.
        case clear(column: String)
    }

    package var columns: [String]
    package var collision: Collision

    package init(columns: [String], collision: Collision) {
        self.columns = columns
        self.collision = collision
    }
}

/// A link that the replica indexes: which records name a row.
package struct RecordLink: Hashable, Sendable {
    /// The table of the referring record and the number of the foreign key in its list.
    package var table: String
    package var key: Int
    package var target: RecordName

    package init(table: String, key: Int, target: RecordName) {
        self.table = table
        self.key = key
        self.target = target
    }
}

/// A value of a unique key. The replica keeps an index of those of shown rows.
package struct RecordUniqueValue: Hashable, Sendable {
    package var table: String
    /// Its number in the table's list.
    package var key: Int
    /// A text of which equal values have the same one: folded by the columns' collations.
    package var value: String

    package init(table: String, key: Int, value: String) {
        self.table = table
        self.key = key
        self.value = value
    }
}
