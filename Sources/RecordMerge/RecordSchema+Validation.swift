import BatonCore
import Foundation

extension RecordSchema {
    /// - Throws: `invalid_argument` with the reasons `no_primary_key`, `reference_outside`, `reserved_name`, `bad_schema` for what cannot
    ///   be synced. The text names table and column. Two devices must give one row one name, whichever tables each has.
    func validate() throws(BatonError) {
        guard tables.count <= RecordLimits.tables else {
            throw Self.error("bad_schema", "More than \(RecordLimits.tables) tables cannot be synced. Sync fewer.")
        }
        for table in tables.values.sorted(by: { $0.name < $1.name }) {
            try validateNames(of: table)
            guard !table.primaryKey.isEmpty else {
                throw Self.error(
                    "no_primary_key",
                    "The table \(table.name) has no primary key. Give it one, of text that is the same on all devices.")
            }
            for column in table.primaryKey where table.column(column)?.isCounter != false {
                throw Self.error(
                    "bad_schema",
                    "The column \(column) of the primary key of \(table.name) is missing or counts. Sync it as it is.")
            }
            for key in table.foreignKeys { try validate(key, of: table) }
            for key in table.uniqueKeys { try validate(key, of: table) }
        }
    }

    private func validateNames(of table: RecordTable) throws(BatonError) {
        let reserved = ["sqlite_", "baton_", "_"].contains { table.name.lowercased().hasPrefix($0) }
        guard table.name.isFieldName, RecordTable.namePrefix(of: table.name).utf8.count <= 128, !reserved else {
            throw Self.error(
                "reserved_name",
                "The name of the table \(table.name.prefix(40)) is reserved or too long. Give it another one.")
        }
        guard table.columns.count <= RecordLimits.fields, Set(table.columns.map(\.name)).count == table.columns.count
        else { throw Self.error("bad_schema", "The table \(table.name) has too many columns, or one twice.") }
        for column in table.columns where !column.name.isFieldName {
            throw Self.error(
                "reserved_name",
                "The column \(column.name.prefix(40)) of \(table.name) has a name that is too long or not in Unicode's normal form C. Rename it."
            )
        }
    }

    private func validate(_ key: RecordForeignKey, of table: RecordTable) throws(BatonError) {
        guard let target = self[key.target] else {
            throw Self.error(
                "reference_outside",
                "\(table.name).\(key.columns.joined(separator: ", ")) refers to \(key.target), which does not sync. Sync that table too, or declare the column local."
            )
        }
        let isWhole = key.columns.allSatisfy { table.column($0)?.isCounter == false }
        guard isWhole, !key.columns.isEmpty, key.columns.count == target.primaryKey.count else {
            throw Self.error(
                "bad_schema",
                "\(table.name).\(key.columns.joined(separator: ", ")) does not refer to the primary key of \(key.target). Let it refer to that."
            )
        }
    }

    private func validate(_ key: RecordUniqueKey, of table: RecordTable) throws(BatonError) {
        guard !key.columns.isEmpty, key.columns.allSatisfy({ table.column($0)?.isCounter == false }) else {
            throw Self.error(
                "bad_schema",
                "A unique key of \(table.name) has a column that does not sync or counts. Sync it as it is.")
        }
        guard case .clear(let column) = key.collision else { return }
        guard key.columns.contains(column), table.column(column)?.isNullable == true, !table.primaryKey.contains(column)
        else {
            throw Self.error(
                "bad_schema",
                "The column \(column) of \(table.name) cannot be cleared, since it is not in that key or cannot be NULL. Merge instead."
            )
        }
    }

    private static func error(_ reason: String, _ text: String) -> BatonError {
        BatonError(.invalidArgument, reason: reason, text)
    }
}

extension String {
    /// Whether it can name a field, a column, a type or a table. In one form of Unicode only: texts of two forms are one key to Swift,
    /// and two to SQLite.
    var isFieldName: Bool {
        let bytes = utf8
        guard (1...RecordLimits.nameBytes).contains(bytes.count), !bytes.contains(0) else { return false }
        if bytes.allSatisfy({ $0 < 0x80 }) { return true }
        return precomposedStringWithCanonicalMapping.utf8.elementsEqual(bytes)
    }
}
