package import BatonCore

/// A JSON text (RFC 8259), read strictly: texts that two readers could understand differently are refused.
///
/// Foundation's coders take the first of two members of the same name and say nothing; another program takes the last.
/// So a name that comes twice in one object is an error here. Members keep their order, which decides between apps.
package indirect enum StrictJSON: Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([StrictJSON])
    case object([(name: String, value: StrictJSON)])

    /// Arrays and objects within each other; site files have about 7.
    package static let maximumDepth = 32

    /// - Throws: `invalid_argument` with reason `site_file_not_json`, `site_file_too_deep` or
    ///   `site_file_duplicate_key`, and where.
    package init(_ bytes: [UInt8]) throws(BatonError) {
        var parser = StrictJSONParser(bytes)
        self = try parser.parse()
    }

    /// For error messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

private struct StrictJSONParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark is no JSON, but many editors write one.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    mutating func parse() throws(BatonError) -> StrictJSON {
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw problem("there is more after its end") }
        return value
    }

    private mutating func value(depth: Int) throws(BatonError) -> StrictJSON {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case .some(UInt8(ascii: "-")), .some(0x30...0x39): return .number(try number())
        case nil: throw problem("it ends where a value is expected")
        default: throw problem("there is no value where one is expected")
        }
    }

    private mutating func enter(_ depth: Int) throws(BatonError) {
        guard depth < StrictJSON.maximumDepth else {
            throw BatonError(
                .invalidArgument, reason: "site_file_too_deep",
                "The file has more than \(StrictJSON.maximumDepth) arrays and objects within each other, at "
                    + "\(position(index)). Site files have about 7.")
        }
        index += 1
        skipSpace()
    }

    private mutating func object(depth: Int) throws(BatonError) -> StrictJSON {
        try enter(depth)
        var members: [(name: String, value: StrictJSON)] = []
        var names: Set<[UInt8]> = []
        if take("}") { return .object([]) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw problem("a member's name in quotation marks is expected") }
            let start = index
            let name = try string()
            // By bytes: for Swift, two texts with different accents of the same look are one.
            guard names.insert(Array(name.utf8)).inserted else {
                throw BatonError(
                    .invalidArgument, reason: "site_file_duplicate_key",
                    "The name “\(name.prefix(100))” at \(position(start)) comes twice in one object, and programs differ in which "
                        + "they take. Remove one.")
            }
            skipSpace()
            guard take(":") else { throw problem("“:” is expected") }
            members.append((name, try value(depth: depth + 1)))
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw problem("“,” or “}” is expected") }
        }
    }

    private mutating func array(depth: Int) throws(BatonError) -> StrictJSON {
        try enter(depth)
        var elements: [StrictJSON] = []
        if take("]") { return .array([]) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return .array(elements) }
            guard take(",") else { throw problem("“,” or “]” is expected") }
        }
    }

    private mutating func string() throws(BatonError) -> String {
        index += 1
        var text: [UInt8] = []
        while true {
            guard let byte = peek else { throw problem("a text has no end") }
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw problem("a text is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): text += try escape()
            case 0..<0x20: throw problem("a text has a control character, which must be written as an escape")
            default: text.append(byte)
            }
        }
    }

    private mutating func escape() throws(BatonError) -> [UInt8] {
        guard let byte = peek else { throw problem("a text has no end") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800...0xDBFF).contains(code), take("\\"), take("u") {
                let low = try hexadecimal()
                guard (0xDC00...0xDFFF).contains(low) else { throw problem("an escape is half of a character") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw problem("an escape is half of a character") }
            return Array(String(scalar).utf8)
        default: throw problem("an escape is not one of JSON's")
        }
    }

    private mutating func hexadecimal() throws(BatonError) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ ASCIIClass.hexDigits.contains(UInt32($0)) }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem("an escape has not four hexadecimal digits") }
        index += 4
        return value
    }

    private mutating func number() throws(BatonError) -> Double {
        let start = index
        _ = take("-")
        if !take("0") {
            guard takeDigits() > 0 else { throw problem("a number has no digits") }
        }
        if take(".") {
            guard takeDigits() > 0 else { throw problem("a number ends with a point") }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard takeDigits() > 0 else { throw problem("a number has no exponent") }
        }
        guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)), value.isFinite else {
            throw problem("a number is too large")
        }
        return value
    }

    private mutating func takeDigits() -> Int {
        let count = bytes[index...].prefix { (0x30...0x39).contains($0) }.count
        index += count
        return count
    }

    private mutating func word(_ word: String, _ value: StrictJSON) throws(BatonError) -> StrictJSON {
        guard bytes[index...].starts(with: word.utf8) else { throw problem("there is no value where one is expected") }
        index += word.utf8.count
        return value
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { index += 1 }
    }

    private func position(_ index: Int) -> String {
        let before = bytes[..<min(index, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - ((before.lastIndex(of: 0x0A) ?? -1) + 1) + 1
        return "line \(line), column \(column)"
    }

    private func problem(_ what: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "site_file_not_json", "The file is not JSON: \(what), at \(position(index)).")
    }
}
