/// Reads a message of Protocol Buffers where it is, one field after the other. Nil for what is damaged.
///
/// Valid as long as the bytes are.
struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    /// Also a field's number and form, as `number << 3 | form`.
    mutating func varint() -> UInt64? {
        var result: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            guard shift < 63 || byte < 2 else { return nil }
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
        }
        return nil
    }

    /// A `sint64`.
    mutating func signed() -> Int64? {
        varint().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    mutating func fixed64() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        defer { position += 8 }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// A text, bytes or a message.
    mutating func part() -> UnsafeRawBufferPointer? {
        guard let count = varint(), count <= UInt64(bytes.count - position) else { return nil }
        let end = position + Int(count)
        defer { position = end }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<end])
    }
}
