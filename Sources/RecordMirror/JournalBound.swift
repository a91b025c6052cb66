package import GRDB

/// Keeps the journal small while nobody takes it: a line goes that says nothing which later lines do not say.
///
/// What is left has at most a line for each column of each row that was changed, so it is bounded by the rows of the tables and by
/// those that were deleted.
package enum JournalBound {
    /// Nothing is done below.
    package static let minimumLines = 10_000

    /// - Returns: how many lines are left.
    package static func enforce(in db: Database) throws -> Int {
        struct Later {
            var columns: Set<Int> = []
            var isWhole = false
            /// By position: the later line to which differences are added.
            var counts: [Int: (sequence: Int64, sum: Int64)] = [:]
        }
        var rows: [ByteText: Later] = [:]
        var superseded: [Int64] = []
        var count = 0
        let sent = try MirrorTables.sent(in: db)
        let lines = try Row.fetchCursor(
            db, sql: "SELECT seq, tbl, key, oldKey, op, mask FROM baton_journal WHERE op > 0 ORDER BY seq DESC")
        while let line = try lines.next() {
            count += 1
            guard let operation = CaptureTriggers.Operation(rawValue: line["op"]) else { continue }
            let row = ByteText(text: (line["tbl"] as String) + " " + (line["key"] as String))
            let later = rows[row] ?? Later()
            if operation == .count {
                guard let count = CaptureTriggers.count(inMask: line["mask"]) else { continue }
                // What was counted before the row was written anew is in the number that it has since.
                if later.isWhole {
                    superseded.append(line["seq"])
                } else if sent >= line["seq"] as Int64 {
                    // The service may have it: in another line it would be counted twice.
                    continue
                } else if let known = later.counts[count.position] {
                    rows[row]?.counts[count.position] = (known.sequence, known.sum &+ count.difference)
                    superseded.append(line["seq"])
                } else {
                    rows[row, default: Later()].counts[count.position] = (line["seq"], count.difference)
                }
                continue
            }
            let columns = CaptureTriggers.positions(inMask: line["mask"])
            let isKeyChange = (line["oldKey"] as String?) != nil
            if !isKeyChange,
                later.isWhole || ([.update, .empty].contains(operation) && columns.isSubset(of: later.columns))
            {
                superseded.append(line["seq"])
                continue
            }
            rows[row, default: Later()].columns.formUnion(columns)
            if ![.update, .before, .empty].contains(operation) { rows[row]?.isWhole = true }
            if let old: String = line["oldKey"] {
                rows[ByteText(text: (line["tbl"] as String) + " " + old), default: Later()].isWhole = true
            }
        }
        let delete = try db.cachedStatement(sql: "DELETE FROM baton_journal WHERE seq = ?")
        for sequence in superseded { try delete.execute(arguments: [sequence]) }
        let update = try db.cachedStatement(sql: "UPDATE baton_journal SET mask = ? WHERE seq = ?")
        for later in rows.values {
            for (position, count) in later.counts {
                try update.execute(
                    arguments: [CaptureTriggers.mask(position: position, difference: count.sum), count.sequence])
            }
        }
        return count - superseded.count
    }
}
