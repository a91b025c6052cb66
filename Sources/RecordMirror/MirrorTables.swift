package import Foundation
package import GRDB

/// The tables that the mirror keeps beside the app's own, and its state: one row.
package enum MirrorTables {
    package struct State: Sendable, Equatable {
        /// Names this database file to the service: 16 bytes, new for a copied or restored file.
        package var actor: Data
        /// The state that the tables show, by the service's name for it. Empty for nothing.
        package var cursor: Data
        /// Which file this is: inode, time of birth.
        package var file: String
        /// `PRAGMA schema_version` when the triggers were last seen to be whole.
        package var schemaVersion: Int
        /// The shapes of the tables that sync.
        package var shapes: String
        /// Whether the tables have to be compared with the replica before anything else.
        package var comparison: Comparison
        /// The cursor of another replica of the service, which the tables showed, until they are compared with this one. Empty for none.
        package var former: Data = Data()
        /// Names the system's run in which the mirror was started last. Empty: not known.
        package var boot = ""
    }

    package enum Comparison: Int, Sendable {
        case none = 0
        /// The tables win: something may have written that the triggers did not see.
        case tablesWin = 1
        /// The replica wins: the file is new to the service, or from the past.
        case replicaWins = 2
        /// The differences that one of the others found were sent: now the replica knows every row, and the tables show its rows.
        case last = 3
    }

    /// Harmless when they are there. An app may call it in a migration, so that its own triggers can read the flag.
    package static func create(in db: Database) throws {
        try MirrorJournal.create(in: db)
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS baton_columns (
                    tbl TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (tbl, position));
                CREATE TABLE IF NOT EXISTS baton_state (
                    id INTEGER PRIMARY KEY CHECK (id = 1), applying INTEGER NOT NULL DEFAULT 0, actor BLOB, cursor BLOB,
                    file TEXT, schemaVersion INTEGER, shapes TEXT, comparison INTEGER NOT NULL DEFAULT 0,
                    sent INTEGER NOT NULL DEFAULT 0, former BLOB, boot TEXT);
                CREATE TABLE IF NOT EXISTS baton_held (
                    tbl TEXT NOT NULL, key TEXT NOT NULL, reason TEXT NOT NULL, isTold INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (tbl, key)) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS baton_aside (
                    id INTEGER PRIMARY KEY, time INTEGER NOT NULL, tbl TEXT NOT NULL, key TEXT NOT NULL, oldKey TEXT,
                    op INTEGER NOT NULL, mask);
                INSERT OR IGNORE INTO baton_state (id) VALUES (1);
                """)
        // Files of earlier versions.
        let columns = try db.columns(in: "baton_state").map(\.name)
        if !columns.contains("sent") {
            try db.execute(sql: "ALTER TABLE baton_state ADD COLUMN sent INTEGER NOT NULL DEFAULT 0")
        }
        if !columns.contains("former") { try db.execute(sql: "ALTER TABLE baton_state ADD COLUMN former BLOB") }
        if !columns.contains("boot") { try db.execute(sql: "ALTER TABLE baton_state ADD COLUMN boot TEXT") }
    }

    /// Nil before the first start.
    package static func state(in db: Database) throws -> State? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM baton_state WHERE id = 1 AND actor IS NOT NULL") else {
            return nil
        }
        return State(
            actor: row["actor"], cursor: row["cursor"] ?? Data(), file: row["file"] ?? "",
            schemaVersion: row["schemaVersion"] ?? 0, shapes: row["shapes"] ?? "",
            comparison: Comparison(rawValue: row["comparison"]) ?? .replicaWins, former: row["former"] ?? Data(),
            boot: row["boot"] ?? "")
    }

    package static func save(_ state: State, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE baton_state
                SET actor = ?, cursor = ?, file = ?, schemaVersion = ?, shapes = ?, comparison = ?, former = ?, boot = ?
                WHERE id = 1
                """,
            arguments: [
                state.actor, state.cursor, state.file, state.schemaVersion, state.shapes, state.comparison.rawValue,
                state.former, state.boot,
            ])
    }

    static func setCursor(_ cursor: Data, in db: Database) throws {
        try db.execute(sql: "UPDATE baton_state SET cursor = ? WHERE id = 1", arguments: [cursor])
    }

    /// The service may have lines up to here: it was called, and may not have answered.
    static func sent(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT sent FROM baton_state WHERE id = 1") ?? 0
    }

    /// Before the service is called.
    package static func willSend(upTo number: Int64, in db: Database) throws {
        try db.execute(sql: "UPDATE baton_state SET sent = MAX(sent, ?) WHERE id = 1", arguments: [number])
    }

    /// While the body runs the triggers are silent: in this transaction only, which no other connection sees.
    static func silently<Output>(in db: Database, _ body: () throws -> Output) throws -> Output {
        try db.execute(sql: "UPDATE baton_state SET applying = 1 WHERE id = 1")
        let output = try body()
        try db.execute(sql: "UPDATE baton_state SET applying = 0 WHERE id = 1")
        return output
    }

    // MARK: Held rows

    /// Kept until the service has been notified, and until the table shows the row after all.
    package static func hold(_ rows: [RefusedRow], in db: Database) throws {
        for row in rows {
            try db.execute(
                sql: "INSERT OR REPLACE INTO baton_held (tbl, key, reason) VALUES (?, ?, ?)",
                arguments: [row.table, row.key.text(in: db), row.reason])
        }
    }

    /// Rows that the service has removed and that the database does not let go. They are not reported: the service shows nothing there.
    static func keep(_ rows: [RefusedRow], as kind: Int = keptHere, in db: Database) throws {
        for row in rows {
            try db.execute(
                sql: "INSERT OR REPLACE INTO baton_held (tbl, key, reason, isTold) VALUES (?, ?, ?, ?)",
                arguments: [row.table, row.key.text(in: db), row.reason, kind])
        }
    }

    /// In place of whether the service was notified.
    static let keptHere = 2
    /// The service holds the row, and it stays in its table while the service lacks changes that it may hold it for.
    static let staying = 3
    /// The service holds the row, and it stays in its table as it was, since rows that do not sync would go with it.
    static let accompanied = 5
    /// The service does not take the row's changes (``UnsentRows``).
    static let unsent = 4
    /// Those whose rows are in their tables, though the service does not show them.
    static let inTheirTables = [keptHere, staying, accompanied, unsent]

    /// Rows that were kept, to be removed now, and those that stayed and may not need to any more.
    static func takeKept(in db: Database) throws -> [ShownRow] {
        let held = try UnsentRows.isAny(in: db) ? "\(accompanied)" : "\(accompanied), \(staying)"
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT tbl, key, CASE isTold WHEN \(keptHere) THEN NULL ELSE reason END AS held FROM baton_held
                WHERE isTold IN (\(keptHere), \(held))
                """)
        if !rows.isEmpty {
            try db.execute(sql: "DELETE FROM baton_held WHERE isTold = \(keptHere)")
            try db.execute(sql: "UPDATE baton_held SET isTold = 1 WHERE isTold IN (\(held))")
        }
        return rows.compactMap { row in
            RowKey(journal: row["key"]).map { ShownRow(table: row["tbl"], key: $0, held: row["held"]) }
        }
    }

    /// Rows that the service itself holds: there is no need to report them.
    static func noteHeld(_ group: ShownGroup, in db: Database) throws {
        for row in group.remove {
            guard let reason = row.held else { continue }
            try db.execute(
                sql: """
                    INSERT INTO baton_held (tbl, key, reason, isTold) VALUES (?, ?, ?, 1)
                        ON CONFLICT DO UPDATE SET reason = excluded.reason, isTold = 1 WHERE isTold <> \(unsent)
                    """,
                arguments: [row.table, row.key.text(in: db), reason])
        }
    }

    package static func release(_ group: ShownGroup, in db: Database) throws {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM baton_held)") == true else { return }
        for row in group.put + group.remove {
            try db.execute(
                sql: "DELETE FROM baton_held WHERE tbl = ? AND key = ? AND isTold <> \(unsent)",
                arguments: [row.table, row.key.text(in: db)])
        }
    }

    /// Held rows that are shown anew under another spelling of the key, which their table takes for the same.
    static func releaseSpellings(of groups: [ShownGroup], _ shapes: [TableShape], in db: Database) throws {
        var shown: [String: Set<ByteText>] = [:]
        try releaseSpellings(shapes, in: db) { shape, folded in
            if shown[shape.name] == nil {
                let rows = groups.lazy.flatMap { $0.put + $0.remove }.filter { $0.table == shape.name }
                shown[shape.name] = try Set(rows.map { ByteText(text: try $0.key.folded(in: shape).text(in: db)) })
            }
            return shown[shape.name]?.contains(ByteText(text: folded)) == true
        }
    }

    static func releaseSpellings(
        _ shapes: [TableShape], in db: Database, where isShown: (TableShape, String) throws -> Bool
    ) throws {
        for shape in shapes where shape.foldsKey {
            let held = try String.fetchAll(
                db, sql: "SELECT key FROM baton_held WHERE tbl = ? AND isTold <> \(unsent)", arguments: [shape.name])
            for text in held {
                guard let folded = try RowKey(journal: text)?.folded(in: shape).text(in: db), try isShown(shape, folded)
                else { continue }
                try db.execute(sql: "DELETE FROM baton_held WHERE tbl = ? AND key = ?", arguments: [shape.name, text])
            }
        }
    }

    /// At most 1,000.
    package static func untoldHeld(_ shapes: [TableShape], in db: Database) throws -> [RefusedRow] {
        let shapes = Dictionary(shapes.map { ($0.name, $0) }) { first, _ in first }
        return try Row.fetchAll(db, sql: "SELECT tbl, key, reason FROM baton_held WHERE NOT isTold LIMIT 1000")
            .compactMap { line in
                guard let key = RowKey(journal: line["key"]) else { return nil }
                var row = RefusedRow(table: line["tbl"], key: key, reason: line["reason"])
                if row.reason == RefusedRow.contentAway {
                    row.stays = try shapes[row.table]?.ownKey(of: key, in: db) != nil
                }
                return row
            }
    }

    package static func heldIsTold(_ rows: [RefusedRow], in db: Database) throws {
        for row in rows {
            try db.execute(
                sql: "UPDATE baton_held SET isTold = 1 WHERE tbl = ? AND key = ?",
                arguments: [row.table, row.key.text(in: db)])
        }
    }

    package static func held(in db: Database) throws -> [RefusedRow] {
        try Row.fetchAll(db, sql: "SELECT tbl, key, reason FROM baton_held LIMIT 1000").compactMap { row in
            RowKey(journal: row["key"]).map { RefusedRow(table: row["tbl"], key: $0, reason: row["reason"]) }
        }
    }

    // MARK: Figures

    package static func schemaVersion(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
    }
}
