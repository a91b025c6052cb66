import GRDB

/// Rows of which the service does not take the changes: the record would be too large, say.
///
/// Their lines stay in the journal with a negative operation, where nothing waits for them. The rows are in `baton_held`, with why. They are
/// sent again when they have changed, here or elsewhere, and at each start. Until then nothing that the service shows touches them, and
/// what it holds since it lacks them stays in its table.
struct UnsentRows: Sendable {
    /// By table: keys as in the journal.
    private let rows: [String: [ByteText: RowKey]]

    init(in db: Database) throws {
        var rows: [String: [ByteText: RowKey]] = [:]
        let held = try Row.fetchCursor(
            db, sql: "SELECT tbl, key FROM baton_held WHERE isTold = \(MirrorTables.unsent)")
        while let row = try held.next() {
            let (table, text): (String, String) = (row[0], row[1])
            if let key = RowKey(journal: text) { rows[table, default: [:]][ByteText(text: text)] = key }
        }
        self.rows = rows
    }

    var isEmpty: Bool { rows.isEmpty }

    func contains(_ row: ShownRow, _ shape: TableShape, in db: Database) throws -> Bool {
        guard let keys = rows[row.table] else { return false }
        let key = shape.foldsKey ? try shape.ownKey(of: row.key, in: db) ?? row.key : row.key
        return try keys[ByteText(text: key.text(in: db))] != nil
    }

    func contains(_ table: String, _ key: ByteText) -> Bool { rows[table]?[key] != nil }

    /// How many of them are in their tables.
    func count(in db: Database, _ shapes: [String: TableShape]) throws -> Int {
        var count = 0
        for (table, keys) in rows {
            guard let shape = shapes[table] else { continue }
            for key in keys.values where try shape.ownKey(of: key, in: db) != nil { count += 1 }
        }
        return count
    }

    // MARK: The journal

    static func isAny(in db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM baton_held WHERE isTold = \(MirrorTables.unsent))")
            == true
    }

    /// After the lines up to a number were sent, before they are forgotten.
    ///
    /// - Parameter newest: the last line when they were read: what was sent of the rows has all lines up to it.
    static func keep(_ refused: [RefusedRow], upTo number: Int64, newest: Int64, in db: Database) throws {
        if try isAny(in: db) {
            try db.execute(
                sql: """
                    DELETE FROM baton_held WHERE isTold = \(MirrorTables.unsent) AND (tbl, key) IN (
                        SELECT tbl, key FROM baton_journal WHERE seq <= ?1 AND op > 0
                        UNION SELECT tbl, oldKey FROM baton_journal WHERE seq <= ?1 AND op > 0 AND oldKey IS NOT NULL)
                    """,
                arguments: [number])
        }
        guard !refused.isEmpty else { return }
        try list(refused.map { ($0.table, try $0.key.text(in: db), $0.reason, $0.number) }, in: db)
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO baton_held (tbl, key, reason, isTold)
                    SELECT tbl, key, reason, \(MirrorTables.unsent) FROM temp.baton_listed;
                """)
        // Lines before the first that was not taken are taken: a count among them would be added twice.
        try db.execute(
            sql: """
                UPDATE baton_journal SET op = 0 WHERE op > 0 AND seq < (
                    SELECT number FROM temp.baton_listed AS r WHERE r.tbl = baton_journal.tbl AND r.key = baton_journal.key)
                """)
        // The service has taken that there is no row under the old key, where that was among the lines.
        try db.execute(
            sql: """
                INSERT INTO baton_journal (time, tbl, key, op)
                    SELECT time, tbl, oldKey, \(CaptureTriggers.Operation.delete.rawValue) FROM baton_journal
                    WHERE seq > ? AND seq <= ? AND op > 0 AND oldKey IS NOT NULL
                    AND (tbl, key) IN (SELECT tbl, key FROM temp.baton_listed) ORDER BY seq
                """,
            arguments: [number, newest])
        try db.execute(
            sql: """
                UPDATE baton_journal SET oldKey = NULL,
                    op = -CASE op WHEN \(CaptureTriggers.Operation.rekey.rawValue)
                        THEN \(CaptureTriggers.Operation.insert.rawValue) ELSE op END
                WHERE seq <= ? AND op > 0 AND (tbl, key) IN (SELECT tbl, key FROM temp.baton_listed)
                """,
            arguments: [newest])
        try db.execute(sql: "DELETE FROM temp.baton_listed")
    }

    /// Refusals whose answer was lost: lines up to a number were taken, but for theirs. The service takes none of those that may be on
    /// their way, so that all of them get other numbers.
    static func sendAgain(_ refused: [RefusedRow], upTo number: Int64, newest: Int64, in db: Database) throws {
        guard !refused.isEmpty else { return try keep([], upTo: number, newest: newest, in: db) }
        try list(refused.map { ($0.table, try $0.key.text(in: db), $0.reason, $0.number) }, in: db)
        let lost = try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT tbl, key FROM baton_journal AS j WHERE op > 0 AND seq <= ? AND seq >= (
                    SELECT number FROM temp.baton_listed AS r WHERE r.tbl = j.tbl AND r.key = j.key)
                """,
            arguments: [number]
        ).map { (table: $0[0] as String, key: $0[1] as String) }
        try db.execute(sql: "DELETE FROM temp.baton_listed")
        let keys = Set(lost.map { Line(table: $0.table, key: ByteText(text: $0.key)) })
        let rows = try refused.filter {
            keys.contains(Line(table: $0.table, key: ByteText(text: try $0.key.text(in: db))))
        }
        try keep(rows, upTo: number, newest: newest, in: db)
        try retry(lost, in: db)
    }

    private struct Line: Hashable {
        var table: String
        var key: ByteText
    }

    /// A row may be named twice; its first line counts.
    private static func list(
        _ rows: [(table: String, key: String, reason: String, number: Int64)], in db: Database
    ) throws {
        try db.execute(
            sql: """
                CREATE TEMPORARY TABLE IF NOT EXISTS baton_listed (
                    tbl TEXT NOT NULL, key TEXT NOT NULL, reason TEXT NOT NULL, number INTEGER NOT NULL,
                    PRIMARY KEY (tbl, key)) WITHOUT ROWID;
                DELETE FROM temp.baton_listed;
                """)
        let insert = try db.makeStatement(
            sql: """
                INSERT INTO temp.baton_listed VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET number = MIN(number, excluded.number)
                """)
        for row in rows { try insert.execute(arguments: [row.table, row.key, row.reason, row.number]) }
    }

    /// Rows that have changed since: all of their lines are sent.
    static func retryChanged(in db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT tbl, key FROM baton_held WHERE isTold = \(MirrorTables.unsent)
                INTERSECT SELECT tbl, key FROM baton_journal WHERE op > 0
                """)
        try retry(rows.map { ($0[0], $0[1]) }, in: db)
    }

    static func retryAll(in db: Database) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT DISTINCT tbl, key FROM baton_journal WHERE op < 0")
        try retry(rows.map { ($0[0], $0[1]) }, in: db)
    }

    static func retry(_ rows: [ShownRow], _ shapes: [TableShape], in db: Database) throws {
        let shapes = Dictionary(shapes.map { ($0.name, $0) }) { first, _ in first }
        try retry(
            rows.map { row in
                let own = try shapes[row.table].flatMap { $0.foldsKey ? try $0.ownKey(of: row.key, in: db) : nil }
                return (row.table, try (own ?? row.key).text(in: db))
            }, in: db)
    }

    /// Their lines, in their order, behind all others: the service takes no number twice.
    private static func retry(_ rows: [(table: String, key: String)], in db: Database) throws {
        guard !rows.isEmpty else { return }
        let sent = try MirrorTables.sent(in: db)
        try db.execute(
            sql: """
                CREATE TEMPORARY TABLE IF NOT EXISTS baton_retried (
                    tbl TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (tbl, key)) WITHOUT ROWID;
                DELETE FROM temp.baton_retried;
                """)
        let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.baton_retried VALUES (?, ?)")
        for (table, key) in rows { try insert.execute(arguments: [table, key]) }
        // The count of a line that may be on its way would be sent twice.
        try db.execute(
            sql: """
                DELETE FROM temp.baton_retried WHERE (tbl, key) IN (
                    SELECT tbl, key FROM baton_journal
                    WHERE op = \(CaptureTriggers.Operation.count.rawValue) AND seq <= ?)
                """,
            arguments: [sent])
        let last = try MirrorJournal.newest(in: db)
        let isRetried = "op <> 0 AND (tbl, key) IN (SELECT tbl, key FROM temp.baton_retried)"
        try db.execute(
            sql: """
                INSERT INTO baton_journal (time, tbl, key, oldKey, op, mask)
                    SELECT time, tbl, key, oldKey, abs(op), mask FROM baton_journal WHERE \(isRetried) ORDER BY seq
                """)
        let count = db.changesCount
        try db.execute(sql: "DELETE FROM baton_journal WHERE seq <= ? AND \(isRetried)", arguments: [last])
        try db.execute(sql: "DELETE FROM temp.baton_retried")
        // A row that changes often would have more lines each time.
        if count > 100 { _ = try JournalBound.enforce(in: db) }
    }
}
