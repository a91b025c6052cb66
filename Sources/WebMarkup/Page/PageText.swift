import Foundation

/// A page's bytes as UTF-8: what is broken in them is replaced, as browsers do.
struct PageText {
    let bytes: [UInt8]

    /// - Parameter charset: What the server says, which counts more than the page's own word; a byte order mark counts most.
    init(_ raw: [UInt8], charset: String?) {
        let encoding = Self.mark(of: raw) ?? charset.flatMap(Encoding.init) ?? Self.declared(in: raw) ?? .utf8
        let body = raw.dropFirst(Self.lengthOfMark(of: raw))
        switch encoding {
        case .utf8: bytes = Self.repaired(body)
        case .utf16(let bigEndian): bytes = Self.utf8(of: body, bigEndian: bigEndian)
        case .windows1252: bytes = Self.utf8(ofWindows1252: body)
        }
    }

    private enum Encoding {
        case utf8, windows1252
        case utf16(bigEndian: Bool)

        init?(_ label: String) {
            switch label.trimmingCharacters(in: .whitespaces).lowercased() {
            case "utf-8", "utf8": self = .utf8
            case "utf-16be": self = .utf16(bigEndian: true)
            case "utf-16", "utf-16le": self = .utf16(bigEndian: false)
            // A page that says Latin-1 or ASCII is read as the Windows page, which contains both.
            case "windows-1252", "cp1252", "iso-8859-1", "latin1", "us-ascii", "ascii": self = .windows1252
            default: return nil
            }
        }
    }

    private static func mark(of raw: [UInt8]) -> Encoding? {
        if raw.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        if raw.starts(with: [0xFE, 0xFF]) { return .utf16(bigEndian: true) }
        if raw.starts(with: [0xFF, 0xFE]) { return .utf16(bigEndian: false) }
        // Without a mark, text of UTF-16 that begins with a tag has a zero on one side of its first byte.
        if raw.starts(with: [0x3C, 0]) { return .utf16(bigEndian: false) }
        if raw.starts(with: [0, 0x3C]) { return .utf16(bigEndian: true) }
        return nil
    }

    private static func lengthOfMark(of raw: [UInt8]) -> Int {
        if raw.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        return raw.starts(with: [0xFE, 0xFF]) || raw.starts(with: [0xFF, 0xFE]) ? 2 : 0
    }

    /// What a `meta` element among the first bytes says. One that can be read says nothing of UTF-16.
    private static func declared(in raw: [UInt8]) -> Encoding? {
        let head = String(decoding: raw.prefix(1024), as: UTF8.self).lowercased()
        guard let found = head.range(of: "charset=") else { return nil }
        let label = head[found.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }
            .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard let encoding = Encoding(String(label)) else { return nil }
        if case .utf16 = encoding { return .utf8 }
        return encoding
    }

    private static func repaired(_ body: ArraySlice<UInt8>) -> [UInt8] {
        let isWhole = body.withUnsafeBufferPointer { $0.position(of: 0, from: 0) == nil }
        if isWhole, String(validating: body, as: UTF8.self) != nil { return Array(body) }
        return Array(String(decoding: body.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self).utf8)
    }

    private static func utf8(of body: ArraySlice<UInt8>, bigEndian: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(body.count / 2)
        var place = body.startIndex
        while place + 1 < body.endIndex {
            let first = UInt16(body[place])
            let second = UInt16(body[place + 1])
            let unit = bigEndian ? first << 8 | second : second << 8 | first
            units.append(unit == 0 ? 0x20 : unit)
            place += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func utf8(ofWindows1252 body: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count)
        for byte in body {
            switch byte {
            case 0: result.append(0x20)
            case 1..<0x80: result.append(byte)
            case 0x80..<0xA0: result += String(windows[Int(byte) - 0x80]).utf8
            default: result += String(Unicode.Scalar(byte)).utf8
            }
        }
        return result
    }

    /// The characters of bytes 0x80 to 0x9F.
    private static let windows: [Unicode.Scalar] = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
