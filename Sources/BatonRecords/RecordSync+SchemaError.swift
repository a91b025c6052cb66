public import Foundation
import RecordMirror

extension RecordSync {
    /// A table that cannot sync as it is. Its description is for the developer: it names table and column, and says what to do.
    public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
        /// The kind of fault.
        public enum Code: String, Sendable {
            /// There is no such table, or it is a view or virtual.
            case noSuchTable
            /// A `SyncedTable` names a column that the table does not have.
            case noSuchColumn
            /// Rows without a primary key have no name that other devices know.
            case noPrimaryKey
            /// SQLite counts the key up, so two devices would give one number twice.
            case integerPrimaryKey
            /// A unique index of which it is not said what a collision means.
            case undeclaredUnique
            /// `.clear` for a unique index none of whose columns may be NULL.
            case nothingToClear
            /// A foreign key to a table that does not sync.
            case referenceOutside
            /// A foreign key to other columns than the primary key.
            case referenceBesideKey
            /// A generated column in a unique index or a foreign key.
            case generatedColumn
            /// A name that cannot sync.
            case reservedName
        }

        /// The kind of fault.
        public let code: Code
        /// The table.
        public let table: String
        /// The columns, where it is about columns.
        public let columns: [String]
        /// One to three sentences.
        public let description: String

        /// The same as `description`.
        public var errorDescription: String? { description }

        init(_ problem: SchemaProblem) {
            description = problem.sentence
            switch problem {
            case .noSuchTable(let table): (code, self.table, columns) = (.noSuchTable, table, [])
            case .noSuchColumn(let table, let column): (code, self.table, columns) = (.noSuchColumn, table, [column])
            case .noPrimaryKey(let table): (code, self.table, columns) = (.noPrimaryKey, table, [])
            case .integerPrimaryKey(let table, let column):
                (code, self.table, columns) = (.integerPrimaryKey, table, [column])
            case .undeclaredUnique(let table, let columns):
                (code, self.table, self.columns) = (.undeclaredUnique, table, columns)
            case .nothingToClear(let table, let columns):
                (code, self.table, self.columns) = (.nothingToClear, table, columns)
            case .referenceOutside(let table, let columns, _):
                (code, self.table, self.columns) = (.referenceOutside, table, columns)
            case .referenceBesideKey(let table, let columns, _):
                (code, self.table, self.columns) = (.referenceBesideKey, table, columns)
            case .generatedColumn(let table, let column):
                (code, self.table, columns) = (.generatedColumn, table, [column])
            case .reservedName(let table, let column):
                (code, self.table, columns) = (.reservedName, table, column.map { [$0] } ?? [])
            }
        }
    }
}
