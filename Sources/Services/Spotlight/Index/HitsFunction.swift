import GRDB
import GRDBSQLite
import SearchText

/// An auxiliary function of FTS5, `baton_hits(text_index)`: where a row has the words of a query.
///
/// A blob of 32-bit numbers in the machine's order: rows of the index; for each of two columns the words of all rows; then word,
/// column and position of each hit. FTS5 reads the first three from the file each time, so only the first row of a query has them, and the
/// others have 0.
enum HitsFunction {
    static let columns = 2
    /// Hits of one row that are looked at.
    static let maximumHits = 400

    static func install(in db: Database) {
        let api = FTS5.api(db)
        // One for each connection: a value is read before the next row's.
        let numbers = UnsafeMutablePointer<Int32>.allocate(capacity: 1 + columns + 3 * maximumHits)
        let result = api.pointee.xCreateFunction(
            UnsafeMutablePointer(mutating: api), "baton_hits", numbers,
            { api, cursor, context, _, _ in
                guard let api, let cursor, let context else { return }
                HitsFunction.run(api.pointee, cursor, context)
            }, { $0?.deallocate() })
        if result != SQLITE_OK { numbers.deallocate() }
    }

    private static func run(_ api: Fts5ExtensionApi, _ cursor: OpaquePointer, _ context: OpaquePointer) {
        guard let numbers = api.xUserData(cursor)?.assumingMemoryBound(to: Int32.self) else { return }
        let isFirst = api.xGetAuxdata(cursor, 0) == nil
        if isFirst { _ = api.xSetAuxdata(cursor, UnsafeMutableRawPointer(bitPattern: 1), nil) }
        var rows: Int64 = 0
        if isFirst { _ = api.xRowCount(cursor, &rows) }
        numbers[0] = Int32(clamping: rows)
        for column in 0..<Int32(columns) {
            var total: Int64 = 0
            if isFirst { _ = api.xColumnTotalSize(cursor, column, &total) }
            numbers[1 + Int(column)] = Int32(clamping: total)
        }
        var length = 1 + columns
        var count: Int32 = 0
        if api.xInstCount(cursor, &count) == SQLITE_OK {
            for index in 0..<min(count, Int32(maximumHits)) {
                var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
                guard api.xInst(cursor, index, &phrase, &column, &offset) == SQLITE_OK else { break }
                (numbers[length], numbers[length + 1], numbers[length + 2]) = (phrase, column, offset)
                length += 3
            }
        }
        sqlite3_result_blob(context, numbers, Int32(4 * length), nil)
    }
}

/// The result of ``HitsFunction`` for one row.
struct RowHits {
    /// All of the index; 0 but for the first row of a query.
    var rows: Int
    /// The words of each column in all rows; empty but for the first row of a query.
    var totals: [Int]

    /// Nil for a blob that is none of the function's.
    /// - Parameters:
    ///   - terms: of each phrase of the query; hits of others are left out.
    ///   - hits: gets those of the row, in the order of fields and positions.
    init?(_ blob: UnsafeRawBufferPointer, terms: [Int], adding hits: inout [TermHit]) {
        let header = 1 + HitsFunction.columns
        let count = blob.count / 4
        guard count >= header, (count - header) % 3 == 0 else { return nil }
        func number(_ index: Int) -> Int { Int(blob.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)) }
        rows = number(0)
        totals = rows > 0 ? (0..<HitsFunction.columns).map { number(1 + $0) } : []
        for index in stride(from: header, to: count, by: 3) {
            let phrase = number(index)
            guard terms.indices.contains(phrase) else { continue }
            hits.append(TermHit(term: terms[phrase], field: number(index + 1), position: number(index + 2)))
        }
    }
}
