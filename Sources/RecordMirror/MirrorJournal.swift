package import GRDB

/// The journal: a line for each change that the service has not taken.
package enum MirrorJournal {
    package static let table = "baton_journal"

    /// Harmless when it is there.
    static func create(in db: Database) throws {
        // `mask` has a bit for each column of `baton_columns`; over 60 columns a text of such numbers. Not AUTOINCREMENT: that
        // writes a row of another table with each line. The lines that ``forget(upTo:in:)`` leaves keep numbers from being given
        // again.
        let make = """
            CREATE TABLE baton_journal (
                seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, tbl TEXT NOT NULL, key TEXT NOT NULL, oldKey TEXT,
                op INTEGER NOT NULL, mask)
            """
        let old = try String.fetchOne(
            db, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [table])
        guard let old else { return try db.execute(sql: make) }
        guard old.contains("AUTOINCREMENT") else { return }
        let last =
            try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table]) ?? 0
        // Without ALTER TABLE, which would look into the triggers.
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.baton_moved;
                CREATE TEMPORARY TABLE baton_moved AS SELECT seq, time, tbl, key, oldKey, op, mask FROM main.baton_journal;
                DROP TABLE main.baton_journal;
                \(make);
                INSERT INTO main.baton_journal (seq, time, tbl, key, oldKey, op, mask)
                    SELECT seq, time, tbl, key, oldKey, op, mask FROM temp.baton_moved;
                DROP TABLE temp.baton_moved;
                """)
        if last > 0 {
            try db.execute(
                sql: "INSERT OR IGNORE INTO baton_journal (seq, time, tbl, key, op) VALUES (?, 0, '', '', 0)",
                arguments: [last])
        }
    }

    /// Lines up to a number are with the service. The last of them stays and says nothing: SQLite gives the number after the
    /// greatest, and the service takes no number twice.
    package static func forget(upTo number: Int64, in db: Database) throws {
        let last = try Int64.fetchOne(db, sql: "SELECT MAX(seq) FROM baton_journal WHERE seq <= ?", arguments: [number])
        guard let last else { return }
        try db.execute(sql: "DELETE FROM baton_journal WHERE seq < ? AND op >= 0", arguments: [last])
        try db.execute(
            sql: """
                UPDATE baton_journal SET time = 0, tbl = '', key = '', oldKey = NULL, op = 0, mask = NULL
                WHERE seq = ? AND op > 0
                """,
            arguments: [last])
    }

    /// Before lines are forgotten: those of tables that this version of the app does not sync were not sent. They wait for a version that
    /// does. Bound: such lines as there were at the start, since that removes the triggers of those tables.
    static func setAside(upTo number: Int64, except tables: [String], in db: Database) throws {
        let known = tables.map(\.sqlText).joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO baton_aside (time, tbl, key, oldKey, op, mask)
                    SELECT time, tbl, key, oldKey, op, mask FROM baton_journal
                    WHERE seq <= ? AND op > 0 AND tbl NOT IN (\(known)) ORDER BY seq
                """,
            arguments: [number])
    }

    /// Lines that waited for one of these tables.
    static func takeBack(_ tables: [String], in db: Database) throws {
        let known = tables.map(\.sqlText).joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO baton_journal (time, tbl, key, oldKey, op, mask)
                    SELECT time, tbl, key, oldKey, op, mask FROM baton_aside WHERE tbl IN (\(known)) ORDER BY id;
                DELETE FROM baton_aside WHERE tbl IN (\(known));
                """)
    }

    /// Lines that wait to be sent.
    package static func waiting(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM baton_journal WHERE op > 0") ?? 0
    }

    /// The number of the last line; 0 for none.
    package static func newest(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT MAX(seq) FROM baton_journal")) ?? 0
    }

    /// Numbers that are given no more, so that later lines have others.
    static func leaveGap(in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO baton_journal (seq, time, tbl, key, op) SELECT IFNULL(MAX(seq), 0) + 1000000, 0, '', '', 0
                FROM baton_journal
                """)
    }

    package static func isWaiting(in db: Database) throws -> Bool {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM baton_journal WHERE op > 0 LIMIT 1")) != nil
    }
}
