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
    static func keep(_ refused: [RefusedRow], upTo number: Int64, in db: Database) throws {
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
        for row in refused {
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO baton_held (tbl, key, reason, isTold) VALUES (?, ?, ?, \(MirrorTables.unsent))
                    """,
                arguments: [row.table, row.key.text(in: db), row.reason])
        }
        // The service has taken that there is no row under the old key.
        try db.execute(
            sql: """
                UPDATE baton_journal SET oldKey = NULL,
                    op = -CASE op WHEN \(CaptureTriggers.Operation.rekey.rawValue)
                        THEN \(CaptureTriggers.Operation.insert.rawValue) ELSE op END
                WHERE seq <= ? AND op > 0 AND EXISTS (
                    SELECT 1 FROM baton_held AS h
                    WHERE h.tbl = baton_journal.tbl AND h.key = baton_journal.key AND h.isTold = \(MirrorTables.unsent))
                """,
            arguments: [number])
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
