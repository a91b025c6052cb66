/// Walks a binary property list object by object, as the parser will, counting.
///
/// Layout: `bplist00`, objects, a table of their offsets, and a trailer of 32 bytes that says where the table is and
/// how wide its numbers are. Containers name their contents by number, so a list can hold itself, or one object can
/// stand for 2^n: the walk therefore counts each use.
struct BinaryPropertyListWalk {
    typealias Problem = PropertyListGuard.Problem

    let bytes: [UInt8]
    let limits: PropertyListGuard.Limits
    private var offsetWidth = 0
    private var referenceWidth = 0
    private var objectCount = 0
    private var tableOffset = 0
    private var values = 0
    private var expandedBytes = 0

    init(bytes: [UInt8], limits: PropertyListGuard.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func check() throws(Problem) {
        guard bytes.count >= 8 + 1 + 1 + 32 else { throw Problem("it is cut short") }
        let trailer = bytes.count - 32
        offsetWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        objectCount = try number(at: trailer + 8, width: 8)
        let top = try number(at: trailer + 16, width: 8)
        tableOffset = try number(at: trailer + 24, width: 8)
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), objectCount >= 1, top < objectCount,
            objectCount <= trailer, tableOffset >= 9, tableOffset < trailer,
            objectCount * offsetWidth <= trailer - tableOffset
        else { throw Problem("its table of contents is damaged") }
        try visit(top, depth: 1, isKey: false)
    }

    private mutating func visit(_ object: Int, depth: Int, isKey: Bool) throws(Problem) {
        guard object < objectCount else { throw Problem("it refers to a value that is not there") }
        values += 1
        guard values <= limits.values else { throw Problem("it holds more than \(limits.values) values") }
        let start = try number(at: tableOffset + object * offsetWidth, width: offsetWidth)
        guard start >= 8, start < tableOffset else { throw Problem("it refers to a value that is not there") }
        let marker = bytes[start]
        let low = Int(marker & 0x0F)
        guard !isKey || marker >> 4 == 0x5 || marker >> 4 == 0x6 else {
            throw Problem("a key is something else than a string")
        }
        switch marker >> 4 {
        case 0x0 where low == 0x8 || low == 0x9: break
        case 0x1 where low <= 4: try spend(1 << low, from: start + 1)
        case 0x2 where low == 2 || low == 3: try spend(1 << low, from: start + 1)
        case 0x3 where low == 3:
            try spend(8, from: start + 1)
            try date(start + 1)
        case 0x4, 0x5: try text(start, unit: 1)
        case 0x6: try text(start, unit: 2)
        case 0xA: try container(start, depth: depth, isDictionary: false)
        case 0xD: try container(start, depth: depth, isDictionary: true)
        default: throw Problem("it holds a value of a kind that is not allowed")
        }
    }

    /// Foundation stops the process when it describes a date that is no number, or too far away.
    private func date(_ start: Int) throws(Problem) {
        let bits = bytes[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard abs(Double(bitPattern: bits)) < 1e11 else { throw Problem("a date is out of range") }
    }

    private mutating func text(_ start: Int, unit: Int) throws(Problem) {
        let (count, content) = try length(start)
        try spend(count * unit, from: content)
    }

    private mutating func container(_ start: Int, depth: Int, isDictionary: Bool) throws(Problem) {
        guard depth <= limits.depth else { throw Problem("it nests deeper than \(limits.depth) levels") }
        let (count, content) = try length(start)
        let references = isDictionary ? count * 2 : count
        try spend(references * referenceWidth, from: content)
        for index in 0..<references {
            let object = try number(at: content + index * referenceWidth, width: referenceWidth)
            try visit(object, depth: depth + 1, isKey: isDictionary && index < count)
        }
    }

    /// The count of an object and where its content begins.
    private func length(_ start: Int) throws(Problem) -> (count: Int, content: Int) {
        let low = Int(bytes[start] & 0x0F)
        guard low == 0x0F else { return (low, start + 1) }
        guard start + 1 < tableOffset else { throw Problem("it is cut short") }
        let marker = bytes[start + 1]
        guard marker >> 4 == 0x1, marker & 0x0F <= 3 else { throw Problem("a length is damaged") }
        let width = 1 << Int(marker & 0x0F)
        let count = try number(at: start + 2, width: width)
        guard count <= bytes.count else { throw Problem("a length is longer than the file") }
        return (count, start + 2 + width)
    }

    private mutating func spend(_ count: Int, from content: Int) throws(Problem) {
        guard count >= 0, content <= tableOffset, count <= tableOffset - content else {
            throw Problem("it is cut short")
        }
        expandedBytes += count
        guard expandedBytes <= limits.bytes * 4 else { throw Problem("it grows too large when it is read") }
    }

    private func number(at index: Int, width: Int) throws(Problem) -> Int {
        guard index >= 0, index <= bytes.count - width else { throw Problem("it is cut short") }
        var value: UInt64 = 0
        for byte in bytes[index..<(index + width)] { value = value << 8 | UInt64(byte) }
        guard let value = Int(exactly: value) else { throw Problem("a number is out of range") }
        return value
    }
}
