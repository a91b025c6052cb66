import GRDB

extension RowApplier {
    /// Puts a row that its table does not have, where it goes in as it is and all that it refers to is there.
    ///
    /// - Returns: false where it does not go in. Nothing has changed then.
    mutating func fill(_ row: ShownRow) throws -> Bool {
        guard row.held == nil, row.unreadable == nil, care.reason(row) == nil, let shape = shape(of: row) else {
            return false
        }
        for index in shape.references.indices where try !isThere(index, of: row, shape) { return false }
        do {
            try insert(row, shape, local: [:])
        } catch let error as DatabaseError where error.isOfRow {
            forgetStatements()
            if !db.isInsideTransaction { throw StuckRow(row, Self.reason(error)) }
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
}
