import GRDB

/// How a transaction of rows is done again that could not be kept.
package struct ApplyCare: Sendable {
    /// Rows with which nothing of the transaction was kept: they are refused beforehand.
    var without: [RefusedRow] = []
    /// References were broken in the end, and not by the rows alone: by a trigger, say. Each row goes in or out by itself.
    var isCareful = false

    package init() {}

    func reason(_ row: ShownRow) -> String? {
        guard !without.isEmpty else { return nil }
        let key = ByteText(text: row.key.journalText)
        return without.first { $0.table == row.table && ByteText(text: $0.key.journalText) == key }?.reason
    }
}

/// A row with which nothing of the transaction can be kept.
struct StuckRow: Error {
    var row: RefusedRow

    init(_ row: ShownRow, _ reason: String) {
        self.row = RefusedRow(table: row.table, key: row.key, reason: reason)
    }
}

/// A transaction would end with references to nothing, and SQLite would not commit it.
struct BrokenReferences: Error {}
