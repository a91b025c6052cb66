import BatonCore

/// Reads what ``BinaryWriter`` wrote. Whatever else comes is refused, and nothing is made larger than the bytes that are there.
struct BinaryReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private let subject: String

    /// - Parameter subject: what is read, for the error: “a directory”.
    init(_ bytes: some Sequence<UInt8>, _ subject: String) {
        self.bytes = Array(bytes)[...]
        position = 0
        self.subject = subject
    }

    var isAtEnd: Bool { position == bytes.count }
    var remaining: Int { bytes.count - position }

    var refusal: BatonError {
        BatonError(
            .dataLoss, reason: "bad_backup_object",
            "A part of the backup (\(subject)) is malformed and was refused. “baton backup verify” says what can still be restored."
        )
    }

    mutating func raw(_ count: Int) throws(BatonError) -> [UInt8] {
        guard count >= 0, count <= remaining else { throw refusal }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(BatonError) -> Number {
        let size = Number.bitWidth / 8
        guard size <= remaining else { throw refusal }
        var value: Number = 0
        for byte in bytes[position..<position + size] { value = value << 8 | Number(truncatingIfNeeded: byte) }
        position += size
        return value
    }

    mutating func short() throws(BatonError) -> [UInt8] {
        let count: UInt16 = try number()
        return try raw(Int(count))
    }

    mutating func long(limit: Int) throws(BatonError) -> [UInt8] {
        let count: UInt32 = try number()
        guard count <= limit else { throw refusal }
        return try raw(Int(count))
    }

    mutating func text() throws(BatonError) -> String {
        guard let text = String(validating: try short(), as: UTF8.self) else { throw refusal }
        return text
    }

    /// A count of things of which each takes at least so many bytes.
    mutating func count(of size: Int, limit: Int) throws(BatonError) -> Int {
        let count: UInt32 = try number()
        guard count <= limit, Int(count) <= remaining / max(1, size) else { throw refusal }
        return Int(count)
    }

    func end() throws(BatonError) { guard isAtEnd else { throw refusal } }
}
