import Foundation
import GRDB

/// Columns and values in one value of a temporary table. It never leaves the process.
enum PackedRow {
    static func pack(_ values: [String: DatabaseValue]) -> Data {
        var data = Data()
        for (name, value) in values {
            append(Data(name.utf8), to: &data)
            switch value.storage {
            case .null: data.append(0)
            case .int64(let number):
                data.append(1)
                append(number, to: &data)
            case .double(let number):
                data.append(2)
                append(Int64(bitPattern: number.bitPattern), to: &data)
            case .string(let text):
                data.append(3)
                append(Data(text.utf8), to: &data)
            case .blob(let bytes):
                data.append(4)
                append(bytes, to: &data)
            }
        }
        return data
    }

    static func unpack(_ value: DatabaseValue) -> [String: DatabaseValue] {
        guard case .blob(let data) = value.storage else { return [:] }
        var rest = data[...]
        var values: [String: DatabaseValue] = [:]
        while let name = bytes(&rest), let kind = rest.popFirst() {
            let value: DatabaseValue? =
                switch kind {
                case 0: .null
                case 1: number(&rest)?.databaseValue
                case 2: number(&rest).map { Double(bitPattern: UInt64(bitPattern: $0)).databaseValue }
                case 3: bytes(&rest).map { String(decoding: $0, as: UTF8.self).databaseValue }
                default: bytes(&rest)?.databaseValue
                }
            guard let value else { break }
            values[String(decoding: name, as: UTF8.self)] = value
        }
        return values
    }

    private static func append(_ number: Int64, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    private static func append(_ bytes: Data, to data: inout Data) {
        append(Int64(bytes.count), to: &data)
        data.append(bytes)
    }

    private static func number(_ rest: inout Data) -> Int64? {
        guard rest.count >= 8 else { return nil }
        let value = rest.prefix(8).enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element) << (UInt64($1.offset) * 8) }
        rest = rest.dropFirst(8)
        return Int64(bitPattern: value)
    }

    private static func bytes(_ rest: inout Data) -> Data? {
        guard let count = number(&rest), count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Data(rest.prefix(Int(count)))
    }
}
