import Foundation

/// Walks an XML property list tag by tag, counting.
struct XMLPropertyListWalk {
    typealias Problem = PropertyListGuard.Problem

    let bytes: [UInt8]
    let limits: PropertyListGuard.Limits
    private var position = 0
    private var depth = 0
    private var values = 0

    init(bytes: [UInt8], limits: PropertyListGuard.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func check() throws(Problem) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Problem("it is not UTF-8") }
        if starts(with: "\u{FEFF}") { position += 3 }
        guard starts(with: "<") else { throw Problem("it is neither XML nor a binary property list") }
        while let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = next
            if starts(with: "<!--") {
                try skip(past: "-->", from: 4)
            } else if starts(with: "<![CDATA[") {
                try skip(past: "]]>", from: 9)
            } else if starts(with: "<?") {
                try instruction()
            } else if starts(with: "<!") {
                try declaration()
            } else {
                try tag()
            }
        }
        guard depth == 0 else { throw Problem("an element is not closed") }
    }

    private mutating func tag() throws(Problem) {
        let start = position + 1
        try skip(past: ">", from: 1)
        let content = bytes[start..<(position - 1)]
        let isClosing = content.first == UInt8(ascii: "/")
        let name = content.dropFirst(isClosing ? 1 : 0).prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        let isContainer =
            name.elementsEqual("dict".utf8) || name.elementsEqual("array".utf8)
            || name.elementsEqual("plist".utf8)
        if isClosing {
            if isContainer { depth -= 1 }
            guard depth >= 0 else { throw Problem("an element is closed that was not opened") }
            return
        }
        values += 1
        guard values <= limits.values else { throw Problem("it holds more than \(limits.values) values") }
        guard isContainer, content.last != UInt8(ascii: "/") else { return }
        depth += 1
        // `plist` itself is one level.
        guard depth <= limits.depth + 1 else { throw Problem("it nests deeper than \(limits.depth) levels") }
    }

    private mutating func instruction() throws(Problem) {
        let start = position
        try skip(past: "?>", from: 2)
        let text = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        guard let encoding = text.range(of: "encoding") else { return }
        let value = text[encoding.upperBound...].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        guard value == "=utf-8?>" || value.hasPrefix("=utf-8standalone") else {
            throw Problem("its encoding must be UTF-8")
        }
    }

    private mutating func declaration() throws(Problem) {
        let start = position
        try skip(past: ">", from: 2)
        guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
            throw Problem("it declares a document type of its own")
        }
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// Moves behind the next occurrence of `end`, looking from `offset` bytes on.
    private mutating func skip(past end: String, from offset: Int) throws(Problem) {
        let end = Array(end.utf8)
        var index = position + offset
        while index + end.count <= bytes.count {
            guard let candidate = bytes[index...].firstIndex(of: end[0]) else { break }
            if bytes[candidate...].starts(with: end) {
                position = candidate + end.count
                return
            }
            index = candidate + 1
        }
        throw Problem("it ends in the middle of an element")
    }
}
