import GRDB

/// The numbers that columns have when their changes begin to be counted.
///
/// A difference says nothing of what it was added to. So the numbers from before are lines of the journal too, older than any edit, ahead of
/// all differences. Where the replica knows the column's number already it passes over them.
struct CounterStarts {
    /// - named: which columns the lines name. All of them where the table is new, so that no device has rows without the rest.
    private let columns: [(shape: TableShape, counters: [String], named: [String])]

    /// Before the triggers are made: columns that have no position yet were never counted.
    init(_ shapes: [TableShape], in db: Database) throws {
        columns = try shapes.compactMap { shape in
            let counters = shape.columns.filter(\.isCounter).map(\.name)
            guard !counters.isEmpty else { return nil }
            let known = try CaptureTriggers.knownPositions(of: shape.name, in: db)
            let new = counters.filter { known[$0] == nil }
            return new.isEmpty ? nil : (shape, new, known.isEmpty ? shape.columns.map(\.name) : new)
        }
    }

    /// After the triggers were made. A number that is 0 needs no line.
    func note(in db: Database) throws {
        for (shape, counters, named) in columns {
            let positions = try CaptureTriggers.knownPositions(of: shape.name, in: db)
            let isCounted = counters.map { "IFNULL(t.\($0.sqlName), 0) IS NOT 0" }.joined(separator: " OR ")
            try db.execute(
                sql: """
                    INSERT INTO baton_journal (time, tbl, key, op, mask)
                        SELECT \(ReplicaComparison.now), ?, \(CaptureTriggers.keySQL(shape, "t")), ?, ?
                        FROM \(shape.name.sqlName) AS t WHERE \(isCounted)
                    """,
                arguments: [
                    shape.name, CaptureTriggers.Operation.before.rawValue,
                    CaptureTriggers.maskValue(named.compactMap { positions[$0] }),
                ])
        }
    }
}
