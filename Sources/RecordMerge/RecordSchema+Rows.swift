import Crypto
import FileSync
import Foundation

extension RecordTable {
    /// The name of a row: its table and its key.
    ///
    /// Printable ASCII: texts as they are, where possible. Keys that the table takes for the same (`NOCASE`, 1 and 1.0) give the
    /// same name. A name that would be too long ends in the hash of it.
    ///
    /// - Parameter key: in the order of the primary key.
    /// - Returns: nil for no key: another number of values, or one that is `NULL`, a list or an asset.
    package func rowName(of key: [RecordValue]) -> RecordName? {
        guard key.count == primaryKey.count, !key.isEmpty else { return nil }
        var text = Self.namePrefix(of: name)
        for (index, value) in key.enumerated() {
            guard let part = folded(value, in: primaryKey[index]) else { return nil }
            text += (index == 0 ? "" : "/") + part
        }
        guard text.utf8.count > RecordName.maximumLength else { return RecordName(unchecked: text) }
        let hash = SHA256.hash(data: Data(text.utf8)).map { Self.hexadecimal($0) }.joined()
        return RecordName(unchecked: Self.namePrefix(of: name) + "~" + hash)
    }

    /// The key that a name contains: nil for the name of another table's row, and for one that is a hash.
    func key(ofRow row: RecordName) -> [RecordValue]? {
        let prefix = Self.namePrefix(of: name)
        guard row.text.hasPrefix(prefix) else { return nil }
        let parts = row.text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        let key = parts.compactMap { Self.unfolded($0) }
        guard key.count == parts.count, rowName(of: key) == row else { return nil }
        return key
    }

    package func column(_ name: String) -> RecordColumn? { columns.first { $0.name == name } }

    static func namePrefix(of table: String) -> String { escaped(table) + "/" }

    /// A value in a form that values have in common which the column takes for equal. Nil: it equals none.
    func folded(_ value: RecordValue, in columnName: String) -> String? {
        switch value {
        case .integer(let number): return "#\(number)"
        case .real(let number):
            // SQLite compares both kinds of number by their values.
            if let whole = Int64(exactly: number) { return "#\(whole)" }
            return "#." + String(number.bitPattern, radix: 16)
        case .bytes(let bytes): return "$" + bytes.map(Self.hexadecimal).joined()
        case .text(let text):
            switch column(columnName)?.collation ?? .binary {
            case .binary: return Self.escaped(text)
            case .nocase:
                return Self.escaped(
                    String(
                        decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self))
            case .rtrim:
                var bytes = Array(text.utf8)
                while bytes.last == 0x20 { bytes.removeLast() }
                return Self.escaped(String(decoding: bytes, as: UTF8.self))
            }
        case .date(let seconds): return "@" + String(seconds.bitPattern, radix: 16)
        case .nothing, .reference, .asset, .list, .location, .unknown: return nil
        }
    }

    private static func escaped(_ text: String) -> String {
        // An empty text is a key too.
        if text.isEmpty { return "%" }
        if text.utf8.allSatisfy(isPlain), text.utf8.first != UInt8(ascii: "_") { return text }
        var result = ""
        for (index, byte) in text.utf8.enumerated() {
            let isKept = isPlain(byte) && !(index == 0 && byte == UInt8(ascii: "_"))
            result += isKept ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
        }
        return result
    }

    /// A byte that stands for itself: printable, and not one of `#$%/@~`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x23...0x25, 0x2F, 0x40, 0x7E: false
        case 0x20..<0x7F: true
        default: false
        }
    }

    private static func unfolded(_ part: Substring) -> RecordValue? {
        if part.hasPrefix("#.") { return UInt64(part.dropFirst(2), radix: 16).map { .real(Double(bitPattern: $0)) } }
        if part.hasPrefix("#") { return Int64(part.dropFirst()).map { .integer($0) } }
        if part.hasPrefix("@") { return UInt64(part.dropFirst(), radix: 16).map { .date(Double(bitPattern: $0)) } }
        if part.hasPrefix("$") {
            let digits = Array(part.dropFirst().utf8)
            guard digits.count.isMultiple(of: 2) else { return nil }
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { byte(digits[$0], digits[$0 + 1]) }
            return bytes.count == digits.count / 2 ? .bytes(Data(bytes)) : nil
        }
        return unescaped(part).map { .text($0) }
    }

    static func unescaped(_ part: Substring) -> String? {
        if part == "%" { return "" }
        if !part.utf8.contains(UInt8(ascii: "%")) { return String(part) }
        let characters = Array(part.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < characters.count {
            if characters[index] == UInt8(ascii: "%") {
                guard index + 2 < characters.count, let byte = byte(characters[index + 1], characters[index + 2])
                else { return nil }
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(characters[index])
                index += 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
}

extension RecordSchema {
    /// The table whose row has that name; nil: it is no row's name. Whether the schema has such a table is another question.
    func tableName(ofRow row: RecordName) -> String? {
        guard let slash = row.text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return RecordTable.unescaped(row.text[..<slash])
    }

    /// The rows that a record's own fields name, also where the record is deleted: for the replica's index. None for a record whose
    /// name is not that of a row of its type: it would be looked for in another table.
    package func links(of record: Record) -> [RecordLink] {
        guard let table = tables[record.type], record.name.isRow(of: record.type) else { return [] }
        return table.foreignKeys.indices.compactMap { index in
            target(of: table.foreignKeys[index], in: { record[.value($0)] }).map {
                RecordLink(table: table.name, key: index, target: $0)
            }
        }
    }

    /// The names to give to ``RecordView/update(_:)`` after a record has changed.
    package func touched(replacing old: Record?, with new: Record?) -> Set<RecordName> {
        var names: Set<RecordName> = []
        for record in [old, new] {
            guard let record else { continue }
            names.insert(record.name)
            if let target = record.mergedInto { names.insert(target) }
            for link in links(of: record) { names.insert(link.target) }
        }
        return names
    }

    /// The row that a foreign key names; nil where a column of it is `NULL`.
    func target(of key: RecordForeignKey, in value: (String) -> RecordValue) -> RecordName? {
        tables[key.target]?.rowName(of: key.columns.map(value))
    }
}
