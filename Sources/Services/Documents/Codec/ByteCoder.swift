import BatonCore
import FileSync
import Foundation

/// Writes values one after the other, for this device's own disk. Numbers are big-endian, texts have their length first.
struct ByteWriter {
    private(set) var bytes = Data()

    mutating func number(_ value: UInt64) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
    mutating func number(_ value: Int64) { number(UInt64(bitPattern: value)) }
    mutating func byte(_ value: UInt8) { bytes.append(value) }
    mutating func flag(_ value: Bool) { byte(value ? 1 : 0) }

    mutating func text(_ value: some Collection<UInt8>) {
        number(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func hash(_ value: ContentHash) { bytes.append(contentsOf: value.bytes) }

    mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Value>(_ values: [Value], _ write: (inout ByteWriter, Value) -> Void) {
        number(UInt64(values.count))
        for value in values { write(&self, value) }
    }
}

/// Reads what a ``ByteWriter`` wrote.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: Data) { self.bytes = [UInt8](bytes) }

    static let damaged = BatonError(
        .dataLoss, reason: "database_damaged",
        "The database's record of a container of documents cannot be read. Restore a copy of the database.")

    private mutating func take(_ count: Int) throws(BatonError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - position else { throw Self.damaged }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    mutating func number() throws(BatonError) -> UInt64 {
        guard bytes.count - position >= 8 else { throw Self.damaged }
        defer { position += 8 }
        return bytes.withUnsafeBytes {
            UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
    }
    mutating func integer() throws(BatonError) -> Int64 { Int64(bitPattern: try number()) }

    mutating func byte() throws(BatonError) -> UInt8 {
        guard position < bytes.count else { throw Self.damaged }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func flag() throws(BatonError) -> Bool { try byte() != 0 }

    mutating func text() throws(BatonError) -> [UInt8] {
        guard let count = Int(exactly: try number()) else { throw Self.damaged }
        return Array(try take(count))
    }

    mutating func hash() throws(BatonError) -> ContentHash {
        guard let hash = ContentHash(try take(32)) else { throw Self.damaged }
        return hash
    }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(BatonError) -> Value
    ) throws(BatonError) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func list<Value>(
        _ read: (inout ByteReader) throws(BatonError) -> Value
    ) throws(BatonError) -> [Value] {
        let count = try number()
        // Each value has a byte at least.
        guard count <= UInt64(bytes.count - position) else { throw Self.damaged }
        var values: [Value] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }
}
