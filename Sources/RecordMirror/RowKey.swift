import Foundation
package import GRDB

/// The values of a row's primary key, and their text in the journal: SQL literals as `quote()` writes them, with commas.
package struct RowKey: Sendable, Hashable {
    package var values: [DatabaseValue]

    package init(_ values: [DatabaseValue]) { self.values = values }

    /// Nil for what `quote()` would not write.
    package init?(journal text: String) {
        var values: [DatabaseValue] = []
        // An array: a view of a text takes much longer to go through.
        var rest = Array(text.utf8)[...]
        while true {
            guard let value = Self.value(&rest) else { return nil }
            values.append(value)
            guard let comma = rest.popFirst() else { break }
            guard comma == UInt8(ascii: ",") else { return nil }
        }
        self.values = values
    }

    /// A row without a whole key has no name that others know.
    package var isWhole: Bool { !values.contains { $0.isNull } }

    /// As SQLite writes it: numbers with a fraction have several texts, of which `quote()` takes its own.
    package func text(in db: Database) throws -> String {
        let hasReal = values.contains { if case .double = $0.storage { true } else { false } }
        guard hasReal else { return journalText }
        let parts = values.map { _ in "quote(?)" }.joined(separator: " || ',' || ")
        return try String.fetchOne(db, sql: "SELECT \(parts)", arguments: StatementArguments(values)) ?? journalText
    }

    /// As all keys that the table takes for this one, by the collations of its columns.
    func folded(in shape: TableShape) -> RowKey {
        RowKey(
            zip(values, shape.key).map { value, column in
                guard case .string(let text) = value.storage else { return value }
                var bytes = Array(text.utf8)
                switch column.collation {
                case .binary: return value
                case .nocase: bytes = bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
                case .rtrim: while bytes.last == 0x20 { bytes.removeLast() }
                }
                return String(decoding: bytes, as: UTF8.self).databaseValue
            })
    }

    package var journalText: String {
        values.map { value in
            switch value.storage {
            case .null: "NULL"
            case .int64(let number): "\(number)"
            case .double(let number): "\(number)"
            case .string(let text): text.sqlText
            case .blob(let data): "X'" + data.map { String(format: "%02X", $0) }.joined() + "'"
            }
        }.joined(separator: ",")
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) -> DatabaseValue? {
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "'") { return string(&rest)?.databaseValue }
        if first == UInt8(ascii: "X") {
            rest.removeFirst()
            return string(&rest).flatMap(Self.bytes)?.databaseValue
        }
        let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        let word = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[end...]
        if word == "NULL" { return .null }
        return Int64(word)?.databaseValue ?? Double(word)?.databaseValue
    }

    private static func string(_ rest: inout ArraySlice<UInt8>) -> String? {
        let quote = UInt8(ascii: "'")
        guard rest.popFirst() == quote else { return nil }
        var bytes: [UInt8] = []
        while let end = rest.firstIndex(of: quote) {
            bytes += rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == quote else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(quote)
            rest.removeFirst()
        }
        return nil
    }

    private static func bytes(_ hexadecimal: String) -> Data? {
        let digits = Array(hexadecimal.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var data = Data()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            data.append(byte)
        }
        return data
    }
}
