import BatonCore

/// Reads one property list. All arithmetic on what the bytes say is bounded by the number of bytes.
struct BinaryPropertyListReader {
    private let bytes: [UInt8]
    private let limits: BinaryPropertyList.Limits
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let top: Int
    /// Where the table of offsets begins, which is where the objects end.
    private let table: Int
    private var values = 0
    private var content = 0

    init(_ bytes: [UInt8], _ limits: BinaryPropertyList.Limits) throws(BatonError) {
        guard bytes.count <= limits.size else { throw Self.tooLarge("has more than \(ByteSize.text(limits.size))") }
        let magic = BinaryPropertyList.magic
        guard bytes.count > magic.count + BinaryPropertyList.trailerSize, bytes.starts(with: magic) else {
            throw Self.invalid("it does not begin with bplist00, or is too short")
        }
        self.bytes = bytes
        self.limits = limits
        let trailer = bytes.count - BinaryPropertyList.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw Self.invalid("its trailer names impossible sizes")
        }
        guard let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8), table >= magic.count, table < trailer,
            // Each object has an entry in the table.
            count <= (trailer - table) / offsetSize, top < count
        else { throw Self.invalid("its trailer points outside of it") }
        objectCount = count
        self.top = top
        self.table = table
    }

    mutating func read() throws(BatonError) -> PropertyListValue { try object(top, depth: 0) }

    // MARK: Objects

    private mutating func object(_ reference: Int, depth: Int) throws(BatonError) -> PropertyListValue {
        values += 1
        guard values <= limits.values else { throw Self.tooLarge("has more than \(limits.values) values") }
        guard reference < objectCount,
            let offset = Self.number(bytes, table + reference * offsetSize, offsetSize),
            offset >= BinaryPropertyList.magic.count, offset < table
        else { throw Self.invalid("an object is outside of it") }
        let low = Int(bytes[offset] & 0x0F)
        switch (bytes[offset] >> 4, low) {
        case (0x0, 8): return .boolean(false)
        case (0x0, 9): return .boolean(true)
        case (0x1, 0...4): return .integer(try integer(offset + 1, size: 1 << low))
        case (0x2, 2): return .real(Double(Float(bitPattern: UInt32(try pattern(offset + 1, size: 4)))))
        case (0x2, 3): return .real(Double(bitPattern: try pattern(offset + 1, size: 8)))
        case (0x3, 3): return .date(Double(bitPattern: try pattern(offset + 1, size: 8)))
        case (0x4, _): return .data(Array(try take(try length(offset), size: 1)))
        case (0x5, _): return .string(try ascii(try take(try length(offset), size: 1)))
        case (0x6, _): return .string(try utf16(try take(try length(offset), size: 2)))
        case (0xA, _): return .array(try array(try length(offset), depth: depth))
        case (0xD, _): return .dictionary(try dictionary(try length(offset), depth: depth))
        default: throw Self.invalid("it has an object of a kind that is not known")
        }
    }

    /// An object's count, and where what is counted begins.
    private func length(_ offset: Int) throws(BatonError) -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        guard low == 0x0F else { return (low, offset + 1) }
        guard offset + 1 < table, bytes[offset + 1] >> 4 == 0x1, bytes[offset + 1] & 0x0F <= 3 else {
            throw Self.invalid("an object has no count")
        }
        let size = 1 << Int(bytes[offset + 1] & 0x0F)
        guard offset + 2 + size <= table, let count = Self.number(bytes, offset + 2, size) else {
            throw Self.invalid("an object has a count that cannot be")
        }
        return (count, offset + 2 + size)
    }

    /// The bytes of `count` units, which are within the objects.
    private mutating func take(
        _ length: (count: Int, start: Int), size: Int
    ) throws(BatonError) -> ArraySlice<UInt8> {
        guard length.start <= table, length.count <= (table - length.start) / size else {
            throw Self.invalid("an object is longer than the property list")
        }
        content += length.count * size
        guard content <= limits.content else {
            throw Self.tooLarge("holds more than \(ByteSize.text(limits.content)) once it is unpacked")
        }
        return bytes[length.start..<(length.start + length.count * size)]
    }

    private mutating func array(
        _ length: (count: Int, start: Int), depth: Int
    ) throws(BatonError) -> [PropertyListValue] {
        let references = try references(length.count, at: length.start, depth: depth)
        var elements: [PropertyListValue] = []
        for reference in references { elements.append(try object(reference, depth: depth + 1)) }
        return elements
    }

    private mutating func dictionary(
        _ length: (count: Int, start: Int), depth: Int
    ) throws(BatonError) -> [String: PropertyListValue] {
        guard length.count <= limits.values else { throw Self.tooLarge("has more than \(limits.values) values") }
        let references = try references(2 * length.count, at: length.start, depth: depth)
        var members: [String: PropertyListValue] = [:]
        for index in 0..<length.count {
            guard case .string(let key) = try object(references[index], depth: depth + 1) else {
                throw Self.invalid("a key is not a text")
            }
            let value = try object(references[length.count + index], depth: depth + 1)
            guard members.updateValue(value, forKey: key) == nil else {
                throw Self.invalid("a key comes twice in one dictionary")
            }
        }
        return members
    }

    private func references(_ count: Int, at start: Int, depth: Int) throws(BatonError) -> [Int] {
        // An object that contains itself nests without end.
        guard depth < limits.depth else {
            throw Self.invalid("more than \(limits.depth) objects are within each other")
        }
        guard count <= limits.values - values else { throw Self.tooLarge("has more than \(limits.values) values") }
        guard start <= table, count <= (table - start) / referenceSize else {
            throw Self.invalid("an object is longer than the property list")
        }
        var references: [Int] = []
        for index in 0..<count {
            guard let reference = Self.number(bytes, start + index * referenceSize, referenceSize) else {
                throw Self.invalid("an object is outside of it")
            }
            references.append(reference)
        }
        return references
    }

    // MARK: Scalars

    private func pattern(_ start: Int, size: Int) throws(BatonError) -> UInt64 {
        guard start + size <= table else { throw Self.invalid("a number is cut off") }
        return bytes[start..<(start + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Numbers of 1, 2 and 4 bytes are unsigned, those of 8 bytes signed. 16 bytes hold what 8 cannot.
    private func integer(_ start: Int, size: Int) throws(BatonError) -> Int64 {
        guard size == 16 else { return Int64(bitPattern: try pattern(start, size: size)) }
        let high = try pattern(start, size: 8)
        let low = Int64(bitPattern: try pattern(start + 8, size: 8))
        guard high == (low < 0 ? UInt64.max : 0) else { throw Self.invalid("a number is too large") }
        return low
    }

    private func ascii(_ bytes: ArraySlice<UInt8>) throws(BatonError) -> String {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { throw Self.invalid("a text is not ASCII") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func utf16(_ bytes: ArraySlice<UInt8>) throws(BatonError) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw Self.invalid("a text is not Unicode") }
        return text
    }

    /// A number of at most 8 bytes; nil if it cannot be a position or a count.
    private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
        guard start >= 0, size <= bytes.count, start <= bytes.count - size else { return nil }
        return Int(exactly: bytes[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    // MARK: Errors

    private static func invalid(_ why: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "property_list_invalid",
            "The other device sent something that is not a binary property list: \(why).")
    }

    private static func tooLarge(_ what: String) -> BatonError {
        BatonError(
            .resourceExhausted, reason: "property_list_too_large", "The other device sent a property list that \(what)."
        )
    }
}
