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

    private static func plan(in db: Database) throws -> Plan {
        struct Later {
            var columns: Set<Int> = []
            var isWhole = false
            /// By position: the place of the sum that the later line is to say.
            var counts: [Int: Int] = [:]
        }
        var rows: [ByteText: Later] = [:]
        var plan = Plan()
        let sent = try MirrorTables.sent(in: db)
        let lines = try Row.fetchCursor(
            db, sql: "SELECT seq, tbl, key, oldKey, op, mask FROM baton_journal WHERE op > 0 ORDER BY seq DESC")
        while let line = try lines.next() {
            plan.lines += 1
            guard let operation = CaptureTriggers.Operation(rawValue: line["op"]) else { continue }
            let row = ByteText(text: (line["tbl"] as String) + " " + (line["key"] as String))
            let later = rows[row] ?? Later()
            if operation == .count {
                guard let count = CaptureTriggers.count(inMask: line["mask"]) else { continue }
                let number: Int64 = line["seq"]
                // Counts from before the row was written anew are in the number that it has since.
                if later.isWhole {
                    plan.superseded.append(number)
                } else if sent >= number {
                    // The service may have it: in another line it would be counted twice.
                    continue
                } else if let known = later.counts[count.position] {
                    plan.sums[known].difference &+= count.difference
                    plan.sums[known].others.append(number)
                } else {
                    rows[row, default: Later()].counts[count.position] = plan.sums.count
                    plan.sums.append(Sum(line: number, position: count.position, difference: count.difference))
                }
                continue
            }
            let columns = CaptureTriggers.positions(inMask: line["mask"])
            let isKeyChange = (line["oldKey"] as String?) != nil
            if !isKeyChange,
                later.isWhole || ([.update, .empty].contains(operation) && columns.isSubset(of: later.columns))
            {
                plan.superseded.append(line["seq"])
                continue
            }
            rows[row, default: Later()].columns.formUnion(columns)
            if ![.update, .before, .empty].contains(operation) { rows[row]?.isWhole = true }
            if let old: String = line["oldKey"] {
                rows[ByteText(text: (line["tbl"] as String) + " " + old), default: Later()].isWhole = true
            }
        }
        plan.sums.removeAll(where: \.others.isEmpty)
        return plan
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
