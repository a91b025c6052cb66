import BatonCore

/// Writes values one after the other for this process's own memory: a tree of 100,000 files is a few of these buffers for each, and
/// not dozens of objects.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(256) }

    /// As many bytes as it has, and no room for more.
    var exact: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            count = bytes.count
            _ = buffer.initialize(from: bytes)
        }
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// Eight bytes.
    mutating func word(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }

    /// Small numbers take a byte.
    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func count(_ value: Int) { number(UInt64(value)) }

    mutating func text(_ value: some Collection<UInt8>) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    mutating func id(_ id: EntryID) {
        word(id.high)
        word(id.low)
    }

    mutating func hash(_ hash: ContentHash) { for word in hash.words { self.word(word) } }
}

/// Reads what a ``PackedWriter`` wrote. The bytes are this process's own.
struct PackedReader {
    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    mutating func byte() -> UInt8 {
        defer { position += 1 }
        return bytes[position]
    }

    mutating func word() -> UInt64 {
        defer { position += 8 }
        return Self.word(bytes, at: position)
    }

    static func word(_ bytes: [UInt8], at position: Int) -> UInt64 {
        precondition(position + 8 <= bytes.count)
        return bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
    }

    static func id(_ bytes: [UInt8], at position: Int) -> EntryID {
        EntryID(high: word(bytes, at: position), low: word(bytes, at: position + 8))
    }

    mutating func number() -> UInt64 {
        var (result, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = byte()
            result |= UInt64(byte & 0x7F) << shift
            guard byte & 0x80 != 0 else { return result }
            shift += 7
        }
    }

    mutating func count() -> Int { Int(truncatingIfNeeded: number()) }

    mutating func text() -> [UInt8] {
        let count = count()
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Whether a text is that one, which is passed over.
    mutating func isText(_ other: [UInt8]) -> Bool {
        let count = count()
        defer { position += count }
        guard count == other.count, position + count <= bytes.count else { return false }
        return bytes[position..<position + count].elementsEqual(other)
    }

    mutating func skipText() {
        let count = count()
        position += count
    }

    mutating func id() -> EntryID { EntryID(high: word(), low: word()) }

    mutating func hash() -> ContentHash { ContentHash(word(), word(), word(), word()) }
}
