/// Writes the formats of a backup: numbers big-endian, texts and bytes with their length before them.
struct BinaryWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

    /// With a length of two bytes.
    mutating func put(short: some Collection<UInt8>) {
        put(UInt16(clamping: short.count))
        put(raw: short.prefix(Int(UInt16.max)))
    }

    /// With a length of four bytes.
    mutating func put(long: some Collection<UInt8>) {
        put(UInt32(clamping: long.count))
        put(raw: long)
    }

    mutating func put(_ text: String) { put(short: Array(text.utf8)) }
}
