import Foundation

/// A parameter of a statement. Everything goes to the database in its binary form.
enum SQLValue: Sendable {
    case integer(Int64)
    case text(String)
    case bytes(Data?)
    case integers([Int64])
    case texts([String])
    case byteStrings([Data?])

    static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
    static func integer(_ value: UInt64) -> SQLValue { .integer(Int64(clamping: value)) }

    /// The type's number in PostgreSQL's catalogue.
    var type: UInt32 {
        switch self {
        case .integer: 20
        case .text: 25
        case .bytes: 17
        case .integers: 1016
        case .texts: 1009
        case .byteStrings: 1001
        }
    }

    var isNull: Bool {
        if case .bytes(nil) = self { true } else { false }
    }

    func encode(into buffer: inout [UInt8]) {
        switch self {
        case .integer(let value): Self.append(value, to: &buffer)
        case .text(let value): buffer += value.utf8
        case .bytes(let value): buffer += value ?? Data()
        case .integers(let values):
            Self.array(of: 20, values.count, to: &buffer)
            for value in values {
                Self.append(Int32(8), to: &buffer)
                Self.append(value, to: &buffer)
            }
        case .texts(let values):
            Self.array(of: 25, values.count, to: &buffer)
            for value in values {
                Self.append(Int32(value.utf8.count), to: &buffer)
                buffer += value.utf8
            }
        case .byteStrings(let values):
            buffer.reserveCapacity(buffer.count + values.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
            Self.array(of: 17, values.count, to: &buffer)
            for value in values {
                Self.append(value.map { Int32($0.count) } ?? -1, to: &buffer)
                if let value { buffer += value }
            }
        }
    }

    /// The head of an array: dimensions, whether it may have nulls, the elements' type, their count, the first index.
    private static func array(of type: Int32, _ count: Int, to buffer: inout [UInt8]) {
        for number in [count == 0 ? 0 : 1, 1, type] { append(number, to: &buffer) }
        guard count > 0 else { return }
        for number in [Int32(count), 1] { append(number, to: &buffer) }
    }

    private static func append(_ value: some FixedWidthInteger, to buffer: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { buffer += $0 }
    }
}

/// A statement and its parameters. It is prepared once in each connection, so `sql` must be one of a bounded number.
struct SQLStatement: Sendable {
    var sql: String
    var values: [SQLValue]

    init(_ sql: String, _ values: SQLValue...) {
        self.sql = sql
        self.values = values
    }
}
