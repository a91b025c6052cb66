/// Writes one property list. Equal texts are written once, as other writers do; keys are sorted, so that equal values are
/// equal bytes.
struct BinaryPropertyListWriter {
    private var objects: [[UInt8]] = []
    private var strings: [[UInt8]: Int] = [:]
    private var referenceSize = 1

    mutating func write(_ value: PropertyListValue) -> [UInt8] {
        let count = Self.count(value)
        referenceSize = Self.size(of: count)
        _ = add(value)
        var bytes = BinaryPropertyList.magic
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        let offsetSize = Self.size(of: table)
        for offset in offsets { bytes += Self.number(offset, size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, 0, table] { bytes += Self.number(number, size: 8) }
        return bytes
    }

    /// - Returns: the object's number.
    private mutating func add(_ value: PropertyListValue) -> Int {
        switch value {
        case .boolean(let value): return append([value ? 0x09 : 0x08])
        case .integer(let value): return append(Self.integer(value))
        case .real(let value): return append([0x23] + Self.number(value.bitPattern, size: 8))
        case .date(let value): return append([0x33] + Self.number(value.bitPattern, size: 8))
        case .data(let bytes): return append(Self.header(0x40, bytes.count) + bytes)
        case .string(let text): return add(text)
        case .array(let elements):
            let index = append([])
            let references = elements.map { add($0) }
            objects[index] = Self.header(0xA0, elements.count) + references.flatMap(reference)
            return index
        case .dictionary(let members):
            let index = append([])
            let sorted = members.sorted { $0.key < $1.key }
            let keys = sorted.map { add($0.key) }
            let values = sorted.map { add($0.value) }
            objects[index] = Self.header(0xD0, members.count) + (keys + values).flatMap(reference)
            return index
        }
    }

    private mutating func add(_ text: String) -> Int {
        let object: [UInt8]
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            object = Self.header(0x50, text.utf8.count) + text.utf8
        } else {
            object = Self.header(0x60, text.utf16.count) + text.utf16.flatMap { Self.number($0, size: 2) }
        }
        if let known = strings[object] { return known }
        let index = append(object)
        strings[object] = index
        return index
    }

    private mutating func append(_ object: [UInt8]) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    private func reference(_ index: Int) -> [UInt8] { Self.number(index, size: referenceSize) }

    /// Objects at most, before equal texts are found.
    private static func count(_ value: PropertyListValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        case .dictionary(let members): members.reduce(1) { $0 + 1 + count($1.value) }
        default: 1
        }
    }

    private static func header(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
    }

    private static func integer(_ value: Int64) -> [UInt8] {
        switch value {
        case 0...0xFF: [0x10] + number(value, size: 1)
        case 0...0xFFFF: [0x11] + number(value, size: 2)
        case 0...0xFFFF_FFFF: [0x12] + number(value, size: 4)
        default: [0x13] + number(value, size: 8)
        }
    }

    private static func size(of number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }

    private static func number(_ value: some FixedWidthInteger, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
