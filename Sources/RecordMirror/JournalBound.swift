package import GRDB

/// Keeps the journal small while the service does not take it: a line goes whose contents later lines repeat.
///
/// The rest has at most a line for each column of each row that was changed, so it is bounded by the rows of the tables and by
/// those that were deleted.
package enum JournalBound {
    /// Nothing is done below.
    package static let minimumLines = 10_000
    /// Lines that are removed in one transaction, so that others who write do not wait for long.
    private static let linesAtOnce = 2_000

    /// The lines that may go, as the journal was when it was looked through.
    private struct Plan: Sendable {
        var lines = 0
        /// Lines of which later ones say all.
        var superseded: [Int64] = []
        var sums: [Sum] = []
    }

    /// Differences of a column that one line is to say.
    private struct Sum: Sendable {
        var line: Int64
        var position: Int
        var difference: Int64
        /// The lines that it stands for besides itself.
        var others: [Int64] = []
    }

    /// Looks through the journal while others write, and removes what may go, some lines at a time. Lines written or sent
    /// meanwhile make no difference: a line that later ones repeat stays one.
    /// - Returns: how many lines are left.
    package static func enforce(in database: any DatabaseWriter) async throws -> Int {
        let plan = try await database.read { try Self.plan(in: $0) }
        var left = plan.lines
        var rest = plan.superseded[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(linesAtOnce))
            rest = rest.dropFirst(piece.count)
            left -= try await database.write { try remove(piece, in: $0) }
        }
        var sums = plan.sums[...]
        while !sums.isEmpty {
            var (piece, lines): ([Sum], Int) = ([], 0)
            while let sum = sums.first, lines < linesAtOnce {
                piece.append(sum)
                lines += 1 + sum.others.count
                sums = sums.dropFirst()
            }
            left -= try await database.write { [piece] in try add(piece, in: $0) }
        }
        return left
    }

    /// In one transaction.
    /// - Returns: how many lines are left.
    package static func enforce(in db: Database) throws -> Int {
        let plan = try plan(in: db)
        return try plan.lines - remove(plan.superseded, in: db) - add(plan.sums, in: db)
    }

    /// The later lines of one row.
    private struct Later {
        var columns: Set<Int> = []
        var isWhole = false
        /// By position: the place of the sum that the later line is to say.
        var counts: [Int: Int] = [:]
    }

    /// Goes through the rows, each from its last line back. SQLite sorts the lines, in a file where they are many, so that in memory are
    /// one row's later lines and the number of each line that goes.
    private static func plan(in db: Database) throws -> Plan {
        var row: (table: ByteText, key: ByteText)?
        var later = Later()
        var plan = Plan()
        let sent = try MirrorTables.sent(in: db)
        // A line that changes a key is the end of the row under the old one.
        let lines = try Row.fetchCursor(
            db,
            sql: """
                SELECT tbl, key, seq, op, mask, oldKey IS NOT NULL, 0 FROM baton_journal WHERE op > 0
                UNION ALL
                SELECT tbl, oldKey, seq, op, NULL, 0, 1 FROM baton_journal WHERE op > 0 AND oldKey IS NOT NULL
                ORDER BY 1, 2, 3 DESC
                """)
        while let line = try lines.next() {
            let (table, key) = (ByteText(text: line[0]), ByteText(text: line[1]))
            if row?.table != table || row?.key != key { (row, later) = ((table, key), Later()) }
            if line[6] as Bool {
                later.isWhole = true
                continue
            }
            plan.lines += 1
            guard let operation = CaptureTriggers.Operation(rawValue: line[3]) else { continue }
            let (number, isKeyChange): (Int64, Bool) = (line[2], line[5])
            if operation == .count {
                noteCount(line[4], number, sent: sent, &later, &plan)
                continue
            }
            let columns = CaptureTriggers.positions(inMask: line[4])
            if !isKeyChange,
                later.isWhole || ([.update, .empty].contains(operation) && columns.isSubset(of: later.columns))
            {
                plan.superseded.append(number)
                continue
            }
            later.columns.formUnion(columns)
            if ![.update, .before, .empty].contains(operation) { later.isWhole = true }
        }
        plan.sums.removeAll(where: \.others.isEmpty)
        return plan
    }

    private static func noteCount(
        _ mask: DatabaseValue, _ number: Int64, sent: Int64, _ later: inout Later, _ plan: inout Plan
    ) {
        guard let count = CaptureTriggers.count(inMask: mask) else { return }
        // The number that the row has since it was written anew includes it.
        if later.isWhole { return plan.superseded.append(number) }
        // The service may have it: in another line it would be counted twice.
        if sent >= number { return }
        if let known = later.counts[count.position] {
            plan.sums[known].difference &+= count.difference
            plan.sums[known].others.append(number)
        } else {
            later.counts[count.position] = plan.sums.count
            plan.sums.append(Sum(line: number, position: count.position, difference: count.difference))
        }
    }

    /// - Returns: how many were there. A line that says nothing any more stays, for its number.
    private static func remove(_ lines: [Int64], in db: Database) throws -> Int {
        let delete = try db.cachedStatement(sql: "DELETE FROM baton_journal WHERE seq = ? AND op > 0")
        return try lines.reduce(0) { count, line in
            try delete.execute(arguments: [line])
            return count + db.changesCount
        }
    }

    /// A sum of which a line was sent meanwhile, or is gone, stays as it is.
    /// - Returns: how many lines were removed.
    private static func add(_ sums: [Sum], in db: Database) throws -> Int {
        let sent = try MirrorTables.sent(in: db)
        let there = try db.cachedStatement(sql: "SELECT 1 FROM baton_journal WHERE seq = ? AND op > 0")
        let update = try db.cachedStatement(sql: "UPDATE baton_journal SET mask = ? WHERE seq = ?")
        var count = 0
        for sum in sums {
            let isWhole = try ([sum.line] + sum.others).allSatisfy { line in
                try line > sent && Int.fetchOne(there, arguments: [line]) != nil
            }
            guard isWhole else { continue }
            try update.execute(
                arguments: [CaptureTriggers.mask(position: sum.position, difference: sum.difference), sum.line])
            count += try remove(sum.others, in: db)
        }
        return count
    }
}
