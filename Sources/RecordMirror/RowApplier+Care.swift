import GRDB
import GRDBSQLite

/// Rows that go in or out by themselves, so that one that cannot keeps no other back.
extension RowApplier {
    private struct Step {
        var row: ShownRow
        var isRemoval: Bool
    }

    /// Again and again, until no more rows go; at last those that are left at once, since some may need each other.
    mutating func applyCarefully(_ group: ShownGroup) throws {
        var waiting = group.put.map { Step(row: $0, isRemoval: false) }
        waiting += group.remove.map { Step(row: $0, isRemoval: true) }
        while !waiting.isEmpty {
            var later: [Step] = []
            for step in waiting where try !attempt([step], isLast: false) { later.append(step) }
            if later.count == waiting.count { break }
            waiting = later
        }
        guard !waiting.isEmpty, try !attempt(waiting, isLast: true) else { return }
        for step in waiting where try !attempt([step], isLast: true) {
            let reason = "References of it, or to it, would lead to no row."
            let row = RefusedRow(table: step.row.table, key: step.row.key, reason: reason)
            if step.isRemoval { kept.append(row) } else { refused.append(row) }
        }
    }

    /// - Parameter isLast: what a table refuses then is refused.
    /// - Returns: whether it was done. Else nothing has changed.
    private mutating func attempt(_ steps: [Step], isLast: Bool) throws -> Bool {
        let before = self
        var isDone = false
        try db.inSavepoint {
            for step in steps { if step.isRemoval { try remove(step.row) } else { try put(step.row) } }
            try settle()
            isDone = !Self.hasBrokenReferences(db)
            if !isLast { isDone = isDone && refused.count == before.refused.count && kept.count == before.kept.count }
            return isDone ? .commit : .rollback
        }
        if !isDone { self = before }
        return isDone
    }

    /// Whether the transaction could not be committed now.
    static func hasBrokenReferences(_ db: Database) -> Bool {
        var (count, highest): (CInt, CInt) = (0, 0)
        guard let connection = db.sqliteConnection,
            sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0) == SQLITE_OK
        else { return false }
        return count > 0
    }

    // MARK: Rows that were not sent

    /// - Returns: false where a row that was not sent would go with it. Nothing has changed then.
    mutating func removeAlone(_ row: ShownRow, _ shape: TableShape) throws -> Bool {
        let count = try unsent.count(in: db, shapes)
        var isAlone = true
        try db.inSavepoint {
            try delete(row, shape)
            isAlone = try unsent.count(in: db, shapes) == count
            return isAlone ? .commit : .rollback
        }
        return isAlone
    }
}

extension ShownRow {
    /// Why a row cannot be written as it is: SQLite's programs see no text after its NUL, and would take one key for another.
    var unreadable: String? {
        let isCut = (key.values + values.values).contains { value in
            guard case .string(let text) = value.storage else { return false }
            return text.utf8.contains(0)
        }
        return isCut ? Self.cutText : nil
    }

    static let cutText = "A text of it has a NUL character. Keep such contents as BLOB."
    static let brokenText = "A text of it has bytes that are not UTF-8. Write it as UTF-8, or keep it as BLOB."
}
