package import GRDB

/// Compares the tables with everything that the replica shows.
///
/// The rows of the replica are put into a temporary table, page by page, so that a million of them need no memory. What
/// differs goes into the journal or into the tables, in one transaction.
package struct ReplicaComparison {
    package struct Outcome: Sendable {
        package var refused: [RefusedRow] = []
        /// Rows that were to be removed, and that the database does not let go.
        package var kept: [RefusedRow] = []
        /// Rows that the service holds, and that stay in their tables while it lacks changes that it may hold them for.
        package var staying: [RefusedRow] = []
        /// Rows that the service holds, and that stay since rows that do not sync would go with them.
        package var accompanied: [RefusedRow] = []
        /// Lines that were added to the journal.
        package var lines = 0
        /// Rows that were changed in the tables.
        package var applied = 0
        package var touched: Set<String> = []
        /// Tables that lacked so many rows that they were filled from the replica.
        package var restored: Set<String> = []
        /// So many rows are missing that they are put before the end, some at a time (``ReplicaFilling``). Nothing was put.
        package var isUnfilled = false
    }

    private let db: Database
    /// As the tables were at the last start: a table or a column that is new is filled from the replica.
    private let before: KnownColumns
    private let mode: MirrorTables.Comparison
    private let filling: ReplicaFilling.Bounds
    private let care: ApplyCare
    /// There are rows that were not sent.
    private var stays = false
    private var hasHeld = false
    private var outcome = Outcome()

    package init(
        db: Database, before: KnownColumns, mode: MirrorTables.Comparison, filling: ReplicaFilling.Bounds,
        care: ApplyCare = ApplyCare()
    ) {
        self.care = care
        self.db = db
        self.before = before
        self.mode = mode
        self.filling = filling
    }

    // MARK: The replica's rows

    package static func begin(in db: Database) throws {
        try end(in: db)
        try db.execute(
            sql: """
                CREATE TEMPORARY TABLE baton_replica (
                    tbl TEXT NOT NULL, key TEXT NOT NULL, columns BLOB NOT NULL, held TEXT, folded TEXT,
                    PRIMARY KEY (tbl, key)) WITHOUT ROWID;
                CREATE INDEX temp.baton_replica_folded ON baton_replica (tbl, folded) WHERE folded IS NOT NULL;
                CREATE TEMPORARY TABLE baton_put (
                    tbl TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (tbl, key)) WITHOUT ROWID;
                CREATE TEMPORARY TABLE baton_fill (
                    tbl TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (tbl, key)) WITHOUT ROWID;
                CREATE TEMPORARY TABLE baton_kept (
                    tbl TEXT NOT NULL, key TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (tbl, key)) WITHOUT ROWID;
                CREATE TEMPORARY TABLE baton_gone (tbl TEXT NOT NULL, key TEXT NOT NULL);
                """)
    }

    package static func end(in db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.baton_replica;
                DROP TABLE IF EXISTS temp.baton_put;
                DROP TABLE IF EXISTS temp.baton_fill;
                DROP TABLE IF EXISTS temp.baton_gone;
                DROP TABLE IF EXISTS temp.baton_kept;
                """)
    }

    package static func add(_ group: ShownGroup, _ shapes: [TableShape], in db: Database) throws {
        let folding = Dictionary(shapes.filter(\.foldsKey).map { ($0.name, $0) }) { first, _ in first }
        let delete = try db.cachedStatement(sql: "DELETE FROM temp.baton_replica WHERE tbl = ? AND key = ?")
        let keep = try db.cachedStatement(sql: "INSERT OR REPLACE INTO temp.baton_kept VALUES (?, ?, ?)")
        let release = try db.cachedStatement(sql: "DELETE FROM temp.baton_kept WHERE tbl = ? AND key = ?")
        for row in group.remove {
            let key = try row.key.text(in: db)
            try delete.execute(arguments: [row.table, key])
            try release.execute(arguments: [row.table, key])
            if let reason = row.held { try keep.execute(arguments: [row.table, key, reason]) }
        }
        let insert = try db.cachedStatement(sql: "INSERT OR REPLACE INTO temp.baton_replica VALUES (?, ?, ?, ?, ?)")
        for row in group.put {
            let folded = try folding[row.table].map { try row.key.folded(in: $0).text(in: db) }
            try insert.execute(
                arguments: [row.table, row.key.text(in: db), PackedRow.pack(row.values), row.held, folded])
        }
    }

    /// Rows that the service holds and does not show.
    ///
    /// - Parameter all: whether every row that it shows was put: what was held before is not any more, unless it was refused again.
    static func noteHeld(all: Bool, _ shapes: [TableShape], in db: Database) throws {
        if all {
            try db.execute(
                sql: """
                    DELETE FROM baton_held WHERE EXISTS (
                        SELECT 1 FROM temp.baton_replica AS r WHERE r.tbl = baton_held.tbl AND r.key = baton_held.key)
                    AND isTold <> \(MirrorTables.unsent)
                    """)
            let find = try db.cachedStatement(sql: "SELECT 1 FROM temp.baton_replica WHERE tbl = ? AND folded = ?")
            try MirrorTables.releaseSpellings(shapes, in: db) { shape, folded in
                try Int.fetchOne(find, arguments: [shape.name, folded]) != nil
            }
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO baton_held (tbl, key, reason, isTold)
                    SELECT k.tbl, k.key, k.reason, 1 FROM temp.baton_kept AS k
                    WHERE NOT EXISTS (SELECT 1 FROM temp.baton_replica AS r WHERE r.tbl = k.tbl AND r.key = k.key)
                    AND NOT EXISTS (
                        SELECT 1 FROM baton_held AS h
                        WHERE h.tbl = k.tbl AND h.key = k.key AND h.isTold = \(MirrorTables.unsent))
                """)
    }

    // MARK: The comparison

    /// Within a transaction with deferred foreign keys, while the journal is empty.
    package mutating func run(_ shapes: [TableShape]) throws -> Outcome {
        // An earlier comparison may not have come to its end.
        try db.execute(
            sql: "DELETE FROM temp.baton_put; DELETE FROM temp.baton_fill; DELETE FROM temp.baton_gone")
        stays = try UnsentRows.isAny(in: db)
        hasHeld = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM baton_held)") == true
        for shape in shapes { try compare(shape) }
        // A row of the tables that the replica does not know may be one with a row of the replica, by a unique key: it is sent
        // first, and then compared once more.
        guard outcome.lines == 0 else { return outcome }
        let missing = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM temp.baton_fill") ?? 0
        outcome.isUnfilled = missing > filling.rowsAtEnd
        if !outcome.isUnfilled { try put(shapes) }
        return outcome
    }

    /// The end of a comparison that has left missing rows to ``ReplicaFilling``: puts what is left of them, and the rest.
    package mutating func conclude(_ shapes: [TableShape]) throws -> Outcome {
        try put(shapes)
        return outcome
    }

    private mutating func compare(_ shape: TableShape) throws {
        let positions = try CaptureTriggers.knownPositions(of: shape.name, in: db)
        var wins = mode == .tablesWin && before.has(shape.name)
        if wins, try isEmptied(shape) {
            wins = false
            outcome.restored.insert(shape.name)
        }
        let mine = shape.columns.map { wins && before.has(shape.name, $0.name) }
        let defaults = try shape.columns.map { try SchemaReader.value(ofDefault: $0.defaultValue, in: db) }
        let columns = shape.columns.map { ", t.\($0.name.sqlName)" }.joined()
        // The planner does not find it by itself.
        let index = shape.foldsKey ? "INDEXED BY baton_replica_folded" : ""
        let isKnown = "r.tbl = ?1 AND \(Self.sameKey(shape))"
        try noteUnknown(
            shape, "NOT EXISTS (SELECT 1 FROM temp.baton_replica AS r \(index) WHERE \(isKnown))", wins: wins,
            Array(positions.values))
        let heldHere =
            hasHeld ? "(SELECT h.reason FROM baton_held AS h WHERE h.tbl = ?1 AND h.key = r.key)" : "NULL"
        // In this order, since the replica's rows have an index.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT r.columns, r.key, coalesce(r.held, \(heldHere))\(columns) FROM \(shape.name.sqlName) AS t
                CROSS JOIN temp.baton_replica AS r \(index) ON \(isKnown)
                \(stays ? "WHERE " + Self.isNotHeld(shape, as: [MirrorTables.unsent]) : "")
                """,
            arguments: [shape.name])
        while let row = try rows.next() {
            let (packed, key): (DatabaseValue, String) = (row[0], row[1])
            let known = PackedRow.unpack(packed)
            // A row that is held is left alone, and reported to the service. What its table has is from before it was refused.
            let isHeld = row[2] as String? != nil
            var (changed, filled, isOld): ([Int], [Int], Bool) = ([], [], isHeld)
            for (index, column) in shape.columns.enumerated() {
                let value = row[index + 3] as DatabaseValue
                if let other = known[column.name] {
                    guard !Self.isEqual(value, other, column) else { continue }
                    if isHeld { continue }
                    if mine[index], column.isCounter {
                        try noteCount(shape, key, positions[column.name], from: other, to: value)
                    } else if mine[index] {
                        changed.append(index)
                    } else {
                        isOld = true
                    }
                } else if value != defaults[index] {
                    // A change of the schema writes nothing; only what a migration computed is kept, under the least stamp, and what a row
                    // from before sync has that was changed since.
                    filled.append(index)
                }
            }
            let position = { (index: Int) in positions[shape.columns[index].name] }
            if !changed.isEmpty { try note(shape, key, .update, changed.compactMap(position)) }
            if mode != .last, !filled.isEmpty { try note(shape, key, .before, filled.compactMap(position)) }
            if isOld { try willPut(shape.name, key, changed.map { shape.columns[$0].name }) }
        }
        try compareMissing(shape, wins: wins)
    }

    /// Rows that the replica does not show, in one statement: there may be a million. One without a whole key stays here. So does one that
    /// was to be removed.
    private mutating func noteUnknown(
        _ shape: TableShape, _ isUnknown: String, wins: Bool, _ positions: [Int]
    ) throws {
        let isWhole = shape.key.map { "t.\($0.name.sqlName) IS NOT NULL AND NOT \(TableShape.isCut("t", $0.name))" }
            .joined(separator: " AND ")
        let key = CaptureTriggers.keySQL(shape, "t")
        let condition = "FROM \(shape.name.sqlName) AS t WHERE \(isWhole) AND \(isUnknown)"
        // Rows that the service holds are held here too, in their tables or not.
        let isNotKept =
            "NOT EXISTS (SELECT 1 FROM temp.baton_kept AS k WHERE k.tbl = ?1 AND k.key = \(key))"
        if stays {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT k.key, k.reason FROM temp.baton_kept AS k
                    WHERE k.tbl = ?1 AND k.key IN (SELECT \(key) \(condition))
                    """, arguments: [shape.name])
            outcome.staying += rows.compactMap { row in
                RowKey(journal: row[0]).map { RefusedRow(table: shape.name, key: $0, reason: row[1]) }
            }
        }
        guard mode != .last else {
            return try db.execute(
                sql: """
                    INSERT INTO temp.baton_gone SELECT ?1, \(key) \(condition)
                    AND \(Self.isNotHeld(shape, as: [MirrorTables.unsent]))\(stays ? " AND \(isNotKept)" : "")
                    """, arguments: [shape.name])
        }
        let operation: CaptureTriggers.Operation = wins ? .insert : .before
        try db.execute(
            sql: """
                INSERT INTO baton_journal (time, tbl, key, op, mask)
                SELECT \(Self.now), ?1, \(key), \(operation.rawValue), ?2 \(condition)
                AND \(Self.isNotHeld(shape, as: MirrorTables.inTheirTables))
                \(stays ? "AND \(isNotKept)" : "")
                """,
            arguments: [shape.name, CaptureTriggers.maskValue(positions)])
        outcome.lines += db.changesCount
    }

    private static func isNotHeld(_ shape: TableShape, as kinds: [Int]) -> String {
        """
        NOT EXISTS (
            SELECT 1 FROM baton_held AS h WHERE h.tbl = ?1 AND h.key = \(CaptureTriggers.keySQL(shape, "t"))
            AND h.isTold IN (\(kinds.map { "\($0)" }.joined(separator: ", "))))
        """
    }

    /// Fewer rows than these may all have been removed without triggers.
    static let emptiedRows = 50

    /// Whether the table lacks more than half of what the replica shows: a migration that did not copy its rows looks so, and would delete
    /// them on all devices. A removal that the triggers saw was sent before.
    private func isEmptied(_ shape: TableShape) throws -> Bool {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT COUNT(*), SUM(\(Self.isMissing(shape)))
                FROM temp.baton_replica AS r
                WHERE r.tbl = ?1 AND r.held IS NULL
                AND NOT EXISTS (SELECT 1 FROM baton_held AS h WHERE h.tbl = ?1 AND h.key = r.key)
                """,
            arguments: [shape.name])
        guard let row, let count = row[0] as Int?, let missing = row[1] as Int? else { return false }
        return count >= Self.emptiedRows && missing * 2 > count
    }

    /// Whether a row of the replica is one of the table.
    private static func sameKey(_ shape: TableShape) -> String {
        shape.foldsKey
            ? "r.folded = \(shape.foldedKeySQL("t"))" : "r.key = \(shape.wholeKeySQL("t"))"
    }

    private static func isMissing(_ shape: TableShape) -> String {
        let key = shape.foldsKey ? shape.foldedKeySQL("t") : shape.wholeKeySQL("t")
        return "\(shape.foldsKey ? "r.folded" : "r.key") NOT IN (SELECT \(key) FROM \(shape.name.sqlName) AS t)"
    }

    /// Rows of the replica that the table does not have.
    private mutating func compareMissing(_ shape: TableShape, wins: Bool) throws {
        let missing = """
            FROM temp.baton_replica AS r WHERE r.tbl = ?1
            AND \(Self.isMissing(shape))
            """
        if wins {
            // But for those that the table refused.
            try db.execute(
                sql: """
                    INSERT INTO baton_journal (time, tbl, key, op) SELECT \(Self.now), r.tbl, r.key, \
                    \(CaptureTriggers.Operation.delete.rawValue) \(missing)
                    AND r.held IS NULL
                    AND NOT EXISTS (SELECT 1 FROM baton_held AS h WHERE h.tbl = ?1 AND h.key = r.key)
                    """,
                arguments: [shape.name])
            outcome.lines += db.changesCount
        } else {
            // A table that seems to have lost its rows gets them at once: with some of them it would not seem so after a crash.
            let target = mode != .tablesWin || !before.has(shape.name) ? "baton_fill" : "baton_put"
            try db.execute(
                sql: "INSERT OR IGNORE INTO temp.\(target) SELECT r.tbl, r.key \(missing)", arguments: [shape.name])
        }
    }

    static let now = "CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)"

    private mutating func note(
        _ shape: TableShape, _ key: String, _ operation: CaptureTriggers.Operation, _ positions: [Int]
    ) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO baton_journal (time, tbl, key, op, mask) VALUES (\(Self.now), ?, ?, ?, ?)")
        try statement.execute(
            arguments: [shape.name, key, operation.rawValue, CaptureTriggers.maskValue(positions)])
        outcome.lines += 1
    }

    private mutating func noteCount(
        _ shape: TableShape, _ key: String, _ position: Int?, from old: DatabaseValue, to new: DatabaseValue
    ) throws {
        guard let position else { return }
        let (old, new) = (Int64.fromDatabaseValue(old) ?? 0, Int64.fromDatabaseValue(new) ?? 0)
        let statement = try db.cachedStatement(
            sql: "INSERT INTO baton_journal (time, tbl, key, op, mask) VALUES (\(Self.now), ?, ?, ?, ?)")
        try statement.execute(
            arguments: [
                shape.name, key, CaptureTriggers.Operation.count.rawValue,
                CaptureTriggers.mask(position: position, difference: new &- old),
            ])
        outcome.lines += 1
    }

    /// - Parameter except: columns in which the table is right.
    private func willPut(_ table: String, _ key: String, _ except: [String]) throws {
        if !except.isEmpty {
            let read = try db.cachedStatement(
                sql: "SELECT columns FROM temp.baton_replica WHERE tbl = ? AND key = ?")
            var values = PackedRow.unpack(try DatabaseValue.fetchOne(read, arguments: [table, key]) ?? .null)
            for column in except { values[column] = nil }
            let write = try db.cachedStatement(
                sql: "UPDATE temp.baton_replica SET columns = ? WHERE tbl = ? AND key = ?")
            try write.execute(arguments: [PackedRow.pack(values), table, key])
        }
        let insert = try db.cachedStatement(sql: "INSERT OR IGNORE INTO temp.baton_put VALUES (?, ?)")
        try insert.execute(arguments: [table, key])
    }

    private mutating func put(_ shapes: [TableShape]) throws {
        var applier = try RowApplier(db: db, shapes: shapes, care: care)
        try MirrorTables.silently(in: db) {
            var group = ShownGroup()
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT r.tbl, r.key, r.columns, r.held
                    FROM (SELECT tbl, key FROM temp.baton_put UNION ALL SELECT tbl, key FROM temp.baton_fill) AS p
                    JOIN temp.baton_replica AS r ON r.tbl = p.tbl AND r.key = p.key
                    """)
            while let row = try rows.next() {
                guard let key = RowKey(journal: row[1]) else { continue }
                let shown = ShownRow(table: row[0], key: key, values: PackedRow.unpack(row[2]), held: row[3])
                if care.isCareful { group.put.append(shown) } else { try applier.put(shown) }
            }
            let gone = try Row.fetchAll(
                db,
                sql: """
                    SELECT g.tbl, g.key, k.reason FROM temp.baton_gone AS g
                    LEFT JOIN temp.baton_kept AS k ON k.tbl = g.tbl AND k.key = g.key
                    """)
            for row in gone {
                guard let key = RowKey(journal: row[1]) else { continue }
                group.remove.append(ShownRow(table: row[0], key: key, held: row[2]))
            }
            try applier.apply(group)
        }
        (outcome.refused, outcome.kept) = (applier.refused, applier.kept)
        outcome.accompanied = applier.accompanied
        outcome.applied = applier.putCount + applier.removedCount
        outcome.touched = applier.touched
    }

    /// A column with the affinity of numbers may hold 1 for 1.0, and one of text "1" for 1.
    private static func isEqual(_ one: DatabaseValue, _ other: DatabaseValue, _ column: TableShape.Column) -> Bool {
        switch (one.storage, other.storage) {
        case (.string(let one), .string(let other)): return one.utf8.elementsEqual(other.utf8)
        case (.int64(let integer), .double(let real)), (.double(let real), .int64(let integer)):
            return Double(integer) == real
        default: return one == other
        }
    }
}
