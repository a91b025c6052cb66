import BatonCore

/// The tags and texts of XML, one after the other, without a tree. The work is linear in the length, whatever the markup is. A
/// document's own entities stand for nothing, so none can grow, and none names a file.
struct MarkupScanner {
    enum Token {
        /// By its name without a prefix. What stands behind the name is read by ``attributes(_:)``.
        case start(String, ArraySlice<UInt8>, isEmpty: Bool)
        case end(String)
        case text([UInt8])
    }

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        if let mark = TextEncoding.mark(of: bytes), mark.encoding != .utf8 {
            self.bytes = Array(mark.encoding.text(of: bytes.dropFirst(mark.length)).utf8)
        } else {
            self.bytes = bytes
        }
    }

    mutating func next() -> Token? {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else { return .text(text()) }
            if isHere("<!--") {
                skip(behind: "-->")
            } else if isHere("<![CDATA[") {
                let start = place + 9
                skip(behind: "]]>")
                return .text(Array(bytes[start..<max(start, place - 3)]))
            } else if isHere("<?") {
                skip(behind: "?>")
            } else if isHere("<!") {
                skip(behind: ">")
            } else {
                return tag()
            }
        }
        return nil
    }

    private func isHere(_ text: StaticString) -> Bool {
        place + text.utf8CodeUnitCount <= bytes.count
            && text.withUTF8Buffer { bytes[place..<(place + $0.count)].elementsEqual($0) }
    }

    private mutating func skip(behind text: StaticString) {
        while place < bytes.count, !isHere(text) { place += 1 }
        place = min(place + text.utf8CodeUnitCount, bytes.count)
    }

    private mutating func text() -> [UInt8] {
        var text: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "<") {
            if bytes[place] == UInt8(ascii: "&"), let (character, next) = Self.reference(bytes, place) {
                text += Array(String(character).utf8)
                place = next
            } else {
                text.append(bytes[place])
                place += 1
            }
        }
        return text
    }

    private static func reference(_ bytes: [UInt8], _ start: Int) -> (Character, Int)? {
        guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")), end > start + 1 else {
            return nil
        }
        return HTMLReference.character(String(decoding: bytes[(start + 1)..<end], as: UTF8.self)).map { ($0, end + 1) }
    }

    /// An angle in a quoted value ends no tag.
    private mutating func tag() -> Token {
        let isEnd = place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/")
        let begin = place + (isEnd ? 2 : 1)
        var quote: UInt8?
        place = begin
        while place < bytes.count {
            let byte = bytes[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
            place += 1
        }
        let inside = bytes[begin..<place]
        place = min(place + 1, bytes.count)
        let name = inside.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[(name.index(after: $0))...] } ?? name
        let text = String(decoding: local.prefix(64), as: UTF8.self)
        return isEnd
            ? .end(text)
            : .start(text, inside[name.endIndex...], isEmpty: inside.last == UInt8(ascii: "/"))
    }

    /// By their names without a prefix. Values without quotes count for nothing.
    static func attributes(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = bytes
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = rest[..<equals].split { $0 <= 0x20 || $0 == UInt8(ascii: ":") }.last ?? []
            let value = rest[(equals + 1)...].drop { $0 <= 0x20 }
            guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = value.dropFirst().firstIndex(of: quote)
            else { break }
            var scanner = MarkupScanner(Array(value[(value.startIndex + 1)..<end]))
            attributes[String(decoding: name, as: UTF8.self)] = String(decoding: scanner.text(), as: UTF8.self)
            rest = value[(end + 1)...]
        }
        return attributes
    }
}
