import BatonCore
import CLibPQ
import Foundation

/// The result of a statement.
final class SQLRows {
    private let result: OpaquePointer

    /// Takes over `result`.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var count: Int { Int(PQntuples(result)) }
    /// Rows that a statement changed.
    var changed: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }
    var first: Row? { count > 0 ? Row(rows: self, number: 0) : nil }

    func map<Value>(_ body: (Row) throws -> Value) rethrows -> [Value] {
        try (0..<count).map { try body(Row(rows: self, number: Int32($0))) }
    }

    var all: some Sequence<Row> { (0..<count).lazy.map { Row(rows: self, number: Int32($0)) } }

    struct Row {
        fileprivate let rows: SQLRows
        fileprivate let number: Int32

        /// Nil for a null.
        private func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
            guard PQgetisnull(rows.result, number, Int32(column)) == 0,
                let start = PQgetvalue(rows.result, number, Int32(column))
            else { return nil }
            return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(rows.result, number, Int32(column))))
        }

        func data(_ column: Int) -> Data? { bytes(column).map { Data($0) } }

        func blob(_ column: Int) throws(BatonError) -> Data {
            guard let data = data(column) else { throw SQLRows.malformed }
            return data
        }

        func text(_ column: Int) throws(BatonError) -> String { String(decoding: try blob(column), as: UTF8.self) }

        func optionalInteger(_ column: Int) throws(BatonError) -> Int64? {
            guard let bytes = bytes(column) else { return nil }
            switch bytes.count {
            case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            default: throw SQLRows.malformed
            }
        }

        func integer(_ column: Int) throws(BatonError) -> Int64 {
            guard let value = try optionalInteger(column) else { throw SQLRows.malformed }
            return value
        }

        func int(_ column: Int) throws(BatonError) -> Int { Int(try integer(column)) }
        /// For what is never negative.
        func unsigned(_ column: Int) throws(BatonError) -> UInt64 { UInt64(clamping: try integer(column)) }
    }

    private static let malformed = BatonError(
        .dataLoss, reason: "database_damaged", "The database holds something that no server wrote.")
}
