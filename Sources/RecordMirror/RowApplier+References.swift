import GRDB

extension RowApplier {
    /// A row whose target is not there, since the target was refused, is held as well.
    mutating func settleReferences() throws {
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for row in done {
                guard let shape = shape(of: row) else { continue }
                for index in shape.references.indices where try isBroken(index, of: row.key, shape) {
                    hasChanged = try mend(shape.references[index], row, shape) || hasChanged
                }
            }
        }
    }

    private mutating func isBroken(_ index: Int, of key: RowKey, _ shape: TableShape) throws -> Bool {
        let reference = shape.references[index]
        let statement = try statement("broken \(index) \(shape.name)") {
            let pairs = zip(reference.columns, reference.targetColumns)
            let isSet = reference.columns.map { "c.\($0.sqlName) IS NOT NULL" }.joined(separator: " AND ")
            let isTarget = pairs.map { "p.\($1.sqlName) = c.\($0.sqlName)" }.joined(separator: " AND ")
            let isChild = shape.key.map { "c.\($0.name.sqlName) = ?" }.joined(separator: " AND ")
            return """
                SELECT 1 FROM \(shape.name.sqlName) AS c WHERE \(isChild) AND \(isSet) \
                AND NOT EXISTS (SELECT 1 FROM \(reference.table.sqlName) AS p WHERE \(isTarget))
                """
        }
        return try Int.fetchOne(statement, arguments: StatementArguments(values: key.values)) != nil
    }

    /// - Returns: whether anything changed.
    private mutating func mend(
        _ reference: TableShape.Reference, _ row: ShownRow, _ shape: TableShape
    ) throws -> Bool {
        let isCleared =
            reference.onDelete == .setNull && reference.columns.allSatisfy { shape.column($0)?.isRequired == false }
        let reason = "The row of the table \(reference.table) that it refers to is not there."
        do {
            if isCleared {
                let assignments = reference.columns.map { "\($0.sqlName) = NULL" }.joined(separator: ", ")
                try db.execute(
                    sql: "UPDATE \(shape.name.sqlName) SET \(assignments) WHERE \(shape.keyCondition)",
                    arguments: StatementArguments(values: row.key.values))
            } else if unsent.isEmpty {
                try delete(row, shape)
            } else if try !removeAlone(row, shape) {
                throw StuckRow(row, reason + " A row that has not been sent yet would go with it.")
            }
        } catch let error as DatabaseError where error.isOfRow {
            // A trigger or a constraint wants the row as it is, with a reference to nothing.
            throw StuckRow(row, reason + " " + Self.reason(error))
        }
        guard db.changesCount > 0 else { throw StuckRow(row, reason + " " + Self.passedOver) }
        if !isCleared { refused.append(RefusedRow(table: row.table, key: row.key, reason: reason)) }
        return true
    }
}
