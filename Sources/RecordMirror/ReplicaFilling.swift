package import GRDB

/// Puts the rows that tables lack, as those of a new device, some at a time in transactions of their own. So others who write to the
/// database wait for some thousand rows, and not for a million.
///
/// A row goes in once the rows that it refers to are there, so each transaction leaves whole references. Tables come after those that
/// they refer to; a row that refers to a later one of its own table, or of a circle of tables, goes in in another round. A row that does
/// not go in as it is, since a unique value is taken or a constraint refuses it, is left to the end of the comparison, which settles that.
package struct ReplicaFilling: Sendable {
    package struct Bounds: Sendable {
        /// Where no more rows are missing, all are put at the end of the comparison, at once.
        package var rowsAtEnd: Int
        /// Rows of one transaction.
        package var rows: Int
        /// Bytes of one transaction, about.
        package var bytes: Int

        package init(rowsAtEnd: Int, rows: Int, bytes: Int) {
            (self.rowsAtEnd, self.rows, self.bytes) = (rowsAtEnd, rows, bytes)
        }

        package static let standard = Self(rowsAtEnd: 20_000, rows: 5_000, bytes: 8 << 20)
    }

    /// The result of one transaction.
    package struct Step: Sendable {
        package var table: String
        /// Rows that were put.
        package var count = 0
        /// The last row that was looked at; nil at the end of the table.
        fileprivate var last: String?
    }

    private let shapes: [TableShape]
    private let bounds: Bounds
    private var place = 0
    private var after = ""
    private var round = 1
    /// Rows that this round has put.
    private var count = 0
    /// A chain of rows in the wrong order has a row a round; its rest is left to the end.
    private static let mostRounds = 20

    package init(_ shapes: [TableShape], bounds: Bounds) {
        self.shapes = Self.ordered(shapes)
        self.bounds = bounds
    }

    /// Whether what is left is for the end of the comparison.
    package var isDone: Bool { place >= shapes.count }

    /// Each after those that it refers to; those of a circle as they come.
    private static func ordered(_ shapes: [TableShape]) -> [TableShape] {
        var rest = shapes
        var ordered: [TableShape] = []
        while !rest.isEmpty {
            let next = rest.firstIndex { shape in
                shape.references.allSatisfy { reference in
                    reference.table == shape.name || !rest.contains { $0.name == reference.table }
                }
            }
            ordered.append(rest.remove(at: next ?? 0))
        }
        return ordered
    }

    /// Within a transaction, while the journal is empty. It is done once that is committed: ``go(on:)``.
    package func step(in db: Database, _ care: ApplyCare = ApplyCare()) throws -> Step {
        let shape = shapes[place]
        var step = Step(table: shape.name)
        var applier = try RowApplier(db: db, shapes: [shape], care: care)
        var put: [String] = []
        var (looked, bytes) = (0, 0)
        try MirrorTables.silently(in: db) {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT f.key, r.columns, r.held FROM temp.baton_fill AS f
                    JOIN temp.baton_replica AS r ON r.tbl = f.tbl AND r.key = f.key
                    WHERE f.tbl = ? AND f.key > ? ORDER BY f.key LIMIT ?
                    """,
                arguments: [shape.name, after, bounds.rows])
            while bytes < bounds.bytes, let row = try rows.next() {
                let (text, columns): (String, DatabaseValue) = (row[0], row[1])
                step.last = text
                (looked, bytes) = (looked + 1, bytes + columns.size)
                guard let key = RowKey(journal: text) else { continue }
                let shown = ShownRow(table: shape.name, key: key, values: PackedRow.unpack(columns), held: row[2])
                if try applier.fill(shown) { put.append(text) }
            }
        }
        let delete = try db.cachedStatement(sql: "DELETE FROM temp.baton_fill WHERE tbl = ? AND key = ?")
        for key in put { try delete.execute(arguments: [shape.name, key]) }
        step.count = put.count
        if looked < bounds.rows, bytes < bounds.bytes { step.last = nil }
        return step
    }

    package mutating func go(on step: Step) {
        count += step.count
        if let last = step.last {
            after = last
            return
        }
        (place, after) = (place + 1, "")
        // Those that waited for others come once more.
        guard isDone, count > 0, round < Self.mostRounds else { return }
        (place, round, count) = (0, round + 1, 0)
    }
}
