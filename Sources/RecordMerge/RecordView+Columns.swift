import FileSync

extension RecordView {
    /// The columns of a row that is shown.
    mutating func shownColumns(of row: JoinedRow) throws -> [String: RecordValue] {
        var columns: [String: RecordValue] = [:]
        for column in row.table.columns {
            if row.table.primaryKey.contains(column.name) {
                columns[column.name] = row.value(column.name)
            } else if column.isCounter, row.fields[column.name] != nil || row.counts[column.name] != nil {
                // Where no device has set or counted anything the table may have a value that a migration computed.
                columns[column.name] = count(in: column.name, of: row)
            } else if let field = row.fields[column.name] {
                columns[column.name] = field.value
            }
        }
        for reference in try references(of: row) {
            let key = row.table.foreignKeys[reference.key]
            if row.table.needs(key) {
                try show(reference.row, named: reference.named, by: key, in: &columns)
            } else if try isShown(reference.row) {
                try show(reference.row, named: reference.named, by: key, in: &columns)
            } else if rules.has(.emptied) {
                try empty(key, of: row.table, in: &columns)
            }
        }
        return columns
    }

    /// A row that was named is another one now.
    private mutating func show(
        _ row: RecordName, named: RecordName, by key: RecordForeignKey, in columns: inout [String: RecordValue]
    ) throws {
        guard row != named, rules.has(.follow), let values = try keyValues(of: row) else { return }
        for (column, value) in zip(key.columns, values) { columns[column] = value }
    }

    /// Applies `SET NULL` and `SET DEFAULT` to columns. The record keeps their values.
    private mutating func empty(
        _ key: RecordForeignKey, of table: RecordTable, in columns: inout [String: RecordValue]
    ) throws {
        if key.onDelete == .setDefault {
            let defaults = key.columns.map { table.column($0)?.defaultValue ?? .nothing }
            let values = Dictionary(zip(key.columns, defaults), uniquingKeysWith: { first, _ in first })
            if let target = schema.target(of: key, in: { values[$0] ?? .nothing }) {
                let row = try resolved(target)
                if try isShown(row) {
                    columns.merge(values) { $1 }
                    return try show(row, named: target, by: key, in: &columns)
                }
            }
        }
        for column in key.columns { columns[column] = .nothing }
    }

    private func count(in column: String, of row: JoinedRow) -> RecordValue {
        let sum = row.counts[column] ?? 0
        switch row.fields[column]?.value {
        case .integer(let start): return .integer(start &+ sum)
        case .real(let start): return .real(start + Double(sum))
        default: return .integer(sum)
        }
    }
}

extension RecordTable {
    /// Whether a row cannot be without the target of a foreign key.
    package func needs(_ key: RecordForeignKey) -> Bool {
        switch key.onDelete {
        case .noAction, .restrict, .cascade: true
        case .setNull, .setDefault:
            key.columns.contains { primaryKey.contains($0) || column($0)?.isNullable == false }
        }
    }

    var hasReferenceInKey: Bool { foreignKeys.contains { $0.columns.contains(where: primaryKey.contains) } }

    /// The unique values of a row that is shown so. `NULL` collides with nothing.
    func uniqueValues(of columns: [String: RecordValue]) -> Set<RecordUniqueValue> {
        var result: Set<RecordUniqueValue> = []
        for (index, key) in uniqueKeys.enumerated() {
            let parts = key.columns.compactMap { name in
                folded(columns[name] ?? column(name)?.defaultValue ?? .nothing, in: name)
            }
            guard parts.count == key.columns.count else { continue }
            result.insert(RecordUniqueValue(table: name, key: index, value: parts.joined(separator: "/")))
        }
        return result
    }
}
