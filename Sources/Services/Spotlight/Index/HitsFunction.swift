import GRDB
import GRDBSQLite

/// An auxiliary function of FTS5, `baton_hits(text_index)`: where a row has the words of a query, and how long its fields are.
///
/// A blob of 32-bit numbers in the machine's order: rows of the index; for each of two columns the words of all rows and of this
/// one; then word, column and position of each hit.
enum HitsFunction {
    static let columns = 2
    /// Hits of one row that are looked at.
    static let maximumHits = 400

    static func install(in db: Database) {
        let api = FTS5.api(db)
        _ = api.pointee.xCreateFunction(
            UnsafeMutablePointer(mutating: api), "baton_hits", nil,
            { api, cursor, context, _, _ in
                guard let api, let cursor, let context else { return }
                HitsFunction.run(api.pointee, cursor, context)
            }, nil)
    }

    private static func run(_ api: Fts5ExtensionApi, _ cursor: OpaquePointer, _ context: OpaquePointer) {
        var numbers: [Int32] = []
        var rows: Int64 = 0
        _ = api.xRowCount(cursor, &rows)
        numbers.append(Int32(clamping: rows))
        for column in 0..<Int32(columns) {
            var total: Int64 = 0
            var size: Int32 = 0
            _ = api.xColumnTotalSize(cursor, column, &total)
            _ = api.xColumnSize(cursor, column, &size)
            numbers.append(Int32(clamping: total))
            numbers.append(size)
        }
        var count: Int32 = 0
        if api.xInstCount(cursor, &count) == SQLITE_OK {
            for index in 0..<min(count, Int32(maximumHits)) {
                var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
                guard api.xInst(cursor, index, &phrase, &column, &offset) == SQLITE_OK else { break }
                numbers += [phrase, column, offset]
            }
        }
        numbers.withUnsafeBytes { bytes in
            sqlite3_result_blob(
                context, bytes.baseAddress, Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }
}

/// The result of ``HitsFunction`` for one row.
struct RowHits {
    var rows: Int
    var totals: [Int]
    var lengths: [Int]
    /// Word of the query as its place among the phrases, column, position.
    var hits: [(phrase: Int, column: Int, position: Int)]

    /// Nil for a blob that is not the function's.
    init?(_ blob: [UInt8]) {
        let numbers = blob.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { Int(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)) }
        }
        let header = 1 + 2 * HitsFunction.columns
        guard numbers.count >= header, (numbers.count - header) % 3 == 0 else { return nil }
        rows = numbers[0]
        totals = (0..<HitsFunction.columns).map { numbers[1 + 2 * $0] }
        lengths = (0..<HitsFunction.columns).map { numbers[2 + 2 * $0] }
        hits = stride(from: header, to: numbers.count, by: 3).map {
            (numbers[$0], numbers[$0 + 1], numbers[$0 + 2])
        }
    }
}
