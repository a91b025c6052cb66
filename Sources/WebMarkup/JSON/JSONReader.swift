/// Reads JSON as pages have it.
///
/// Beyond the standard it takes raw control characters in strings, comments and CDATA marks around the text, a comma before
/// `}` and `]`, and a semicolon at the end. At the bound on values everything that is open is closed, and the reader says so.
package struct JSONReader {
    package enum Failure: Error, Equatable {
        /// Where the text stops being JSON, counted in bytes.
        case malformed(at: Int)
        case tooDeep
    }

    /// Whether values were left out, since there were too many.
    package private(set) var isTruncated = false

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var end: Int
    private var depth = 0
    private let maximumDepth: Int
    /// How many values may still come.
    package private(set) var remaining: Int

    private init(_ bytes: UnsafeBufferPointer<UInt8>, values: Int, depth: Int) {
        self.bytes = bytes
        end = bytes.count
        remaining = values
        maximumDepth = depth
    }

    /// The value that a text holds; nil where it holds nothing but white space and comments.
    package static func value<Bytes: Collection<UInt8>>(
        of text: Bytes, values: inout Int, depth: Int = 200
    ) throws(Failure) -> (value: JSONValue?, isTruncated: Bool) {
        let result: Result<(JSONValue?, Bool, Int), Failure> = Array(text).withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes, values: values, depth: depth)
            do throws(Failure) {
                let value = try reader.read()
                return .success((value, reader.isTruncated, reader.remaining))
            } catch {
                return .failure(error)
            }
        }
        let (value, isTruncated, remaining) = try result.get()
        values = remaining
        return (value, isTruncated)
    }

    private mutating func read() throws(Failure) -> JSONValue? {
        skipSurroundings()
        trimEnd()
        skipSpace()
        guard place < end else { return nil }
        let value = try readValue()
        if isTruncated { return value }
        skipSpace()
        if place < end, bytes[place] == UInt8(ascii: ";") { place += 1 }
        skipSurroundings()
        guard place >= end else { throw .malformed(at: place) }
        return value
    }

    private mutating func readValue() throws(Failure) -> JSONValue {
        skipSpace()
        guard place < end else { throw .malformed(at: place) }
        guard remaining > 0 else {
            isTruncated = true
            return .null
        }
        remaining -= 1
        switch bytes[place] {
        case UInt8(ascii: "{"): return try nested { reader throws(Failure) in try reader.readObject() }
        case UInt8(ascii: "["): return try nested { reader throws(Failure) in try reader.readArray() }
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try readNumber()
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONValue {
        depth += 1
        guard depth <= maximumDepth else { throw .tooDeep }
        place += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func readObject() throws(Failure) -> JSONValue {
        var object = JSONObject()
        while true {
            skipSpace()
            if take("}") { return .object(object) }
            guard place < end, bytes[place] == UInt8(ascii: "\"") else { throw .malformed(at: place) }
            let name = try readString()
            skipSpace()
            guard take(":") else { throw .malformed(at: place) }
            let value = try readValue()
            if isTruncated && value.isNull { return .object(object) }
            object[name] = value
            if isTruncated { return .object(object) }
            skipSpace()
            if take(",") { continue }
            guard place < end, bytes[place] == UInt8(ascii: "}") else { throw .malformed(at: place) }
        }
    }

    private mutating func readArray() throws(Failure) -> JSONValue {
        var elements: [JSONValue] = []
        while true {
            skipSpace()
            if take("]") { return .array(elements) }
            let value = try readValue()
            if isTruncated && value.isNull { return .array(elements) }
            elements.append(value)
            if isTruncated { return .array(elements) }
            skipSpace()
            if take(",") { continue }
            guard place < end, bytes[place] == UInt8(ascii: "]") else { throw .malformed(at: place) }
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        let length = word.utf8CodeUnitCount
        guard place + length <= end,
            (0..<length).allSatisfy({ bytes[place + $0] == word.utf8Start[$0] })
        else { throw .malformed(at: place) }
        place += length
        return value
    }

    private mutating func readNumber() throws(Failure) -> JSONValue {
        let start = place
        _ = take("-")
        let digits = place
        skipDigits()
        let hasLeadingZero = place - digits > 1 && bytes[digits] == UInt8(ascii: "0")
        guard place > digits, !hasLeadingZero else { throw .malformed(at: start) }
        if take(".") {
            let fraction = place
            skipDigits()
            guard place > fraction else { throw .malformed(at: place) }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            let exponent = place
            skipDigits()
            guard place > exponent else { throw .malformed(at: place) }
        }
        return .number(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func skipDigits() {
        while place < end, case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[place] { place += 1 }
    }

    private mutating func readString() throws(Failure) -> String {
        place += 1
        let start = place
        while place < end {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                return String(decoding: bytes[start..<place - 1], as: UTF8.self)
            case UInt8(ascii: "\\"):
                return try readEscaped(from: start)
            default: place += 1
            }
        }
        throw .malformed(at: place)
    }

    private mutating func readEscaped(from start: Int) throws(Failure) -> String {
        var text = Array(bytes[start..<place])
        while place < end {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard place < end else { break }
            place += 1
            switch bytes[place - 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[place - 1])
            case UInt8(ascii: "b"): text.append(8)
            case UInt8(ascii: "f"): text.append(12)
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "r"): text.append(13)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "u"): text += Array(String(try readScalar()).utf8)
            default: throw .malformed(at: place - 1)
            }
        }
        throw .malformed(at: place)
    }

    /// The character that `\u` names, with its other half where it is a surrogate. Half of a pair alone is the replacement
    /// character.
    private mutating func readScalar() throws(Failure) -> Unicode.Scalar {
        let first = try readHexadecimal()
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        guard place + 1 < end, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
            return "\u{FFFD}"
        }
        let before = place
        place += 2
        let second = try readHexadecimal()
        guard (0xDC00...0xDFFF).contains(second) else {
            place = before
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func readHexadecimal() throws(Failure) -> UInt32 {
        guard place + 4 <= end else { throw .malformed(at: place) }
        var value: UInt32 = 0
        for byte in bytes[place..<place + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw .malformed(at: place) }
            value = value << 4 + UInt32(digit)
        }
        place += 4
        return value
    }

    // MARK: Surroundings that are allowed

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < end, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while place < end, bytes[place] <= 0x20 { place += 1 }
    }

    private func starts(with mark: StaticString, at place: Int) -> Bool {
        let length = mark.utf8CodeUnitCount
        return place >= 0 && place + length <= end
            && (0..<length).allSatisfy { bytes[place + $0] == mark.utf8Start[$0] }
    }

    private mutating func skipSurroundings() {
        if place == 0, starts(with: "\u{FEFF}", at: 0) { place = 3 }
        while true {
            skipSpace()
            if starts(with: "/*", at: place) {
                place += 2
                while place < end, !starts(with: "*/", at: place) { place += 1 }
                place = min(place + 2, end)
            } else if starts(with: "<![CDATA[", at: place) {
                place += 9
            } else if starts(with: "<!--", at: place) {
                skipComment()
            } else if starts(with: "-->", at: place) || starts(with: "]]>", at: place) {
                place += 3
            } else if starts(with: "//", at: place) {
                // `//<![CDATA[` is a mark for scripts; the value may stand on its line.
                if starts(with: "//<![CDATA[", at: place) {
                    place += 11
                } else if starts(with: "//]]>", at: place) {
                    place += 5
                } else {
                    while place < end, bytes[place] != 10, bytes[place] != 13 { place += 1 }
                }
            } else {
                return
            }
        }
    }

    /// A comment that ends before the first value is a remark; otherwise its marks stand around the text.
    private mutating func skipComment() {
        place += 4
        var probe = place
        while probe < end, bytes[probe] <= 0x20 { probe += 1 }
        if probe < end, bytes[probe] == UInt8(ascii: "{") || bytes[probe] == UInt8(ascii: "[") { return }
        while probe < end, !starts(with: "-->", at: probe) { probe += 1 }
        if probe < end { place = probe + 3 }
    }

    private mutating func trimEnd() {
        while end > place, bytes[end - 1] <= 0x20 { end -= 1 }
    }
}
