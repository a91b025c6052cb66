import Foundation

/// How the bytes of a text are read that may be older than UTF-8: by its byte order mark, by what it says of itself, else as UTF-8 where
/// they are, else as Windows-1252, or by the page of Windows for a language. A value; the work is linear in the length.
package enum TextEncoding: Hashable, Sendable {
    case utf8
    case utf16(bigEndian: Bool)
    case windows1252
    /// Foundation has it on other systems only.
    case japaneseEUC
    /// One that Foundation reads, by its number there.
    case legacy(UInt)

    /// - Parameter label: as the Encoding standard of the web names them, in any case.
    package init?(label: some StringProtocol) {
        let name = label.lowercased().filter { !$0.isWhitespace }
        switch name {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "utf-16be": self = .utf16(bigEndian: true)
        case "utf-16", "utf-16le", "unicode": self = .utf16(bigEndian: false)
        // Latin-1 and ASCII are read as the Windows page, which contains both.
        case "windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "us-ascii",
            "ascii":
            self = .windows1252
        case "euc-jp", "x-euc-jp", "eucjp", "euc_jp", "ujis": self = .japaneseEUC
        default:
            // “iso8859-2”, “iso_8859-2” and “cp1251” are other names of the same.
            let plain = name.replacing("_", with: "-").replacing("iso8859", with: "iso-8859")
                .replacing("cp125", with: "windows-125")
            guard let number = Self.numbers[plain] else { return nil }
            self = .legacy(0x8000_0000 | number)
        }
    }

    /// By the numbers of CoreFoundation's encodings.
    private static let numbers: [String: UInt] = [
        "iso-8859-2": 0x0202, "latin2": 0x0202, "iso-8859-3": 0x0203, "iso-8859-4": 0x0204, "iso-8859-5": 0x0205,
        "iso-8859-6": 0x0206, "iso-8859-7": 0x0207, "iso-8859-8": 0x0208, "iso-8859-9": 0x0504, "latin5": 0x0504,
        "iso-8859-10": 0x020A, "iso-8859-13": 0x020D, "iso-8859-14": 0x020E, "iso-8859-15": 0x020F,
        "latin-9": 0x020F, "iso-8859-16": 0x0210, "windows-1250": 0x0501, "windows-1251": 0x0502,
        "windows-1253": 0x0503, "windows-1254": 0x0504, "windows-1255": 0x0505, "windows-1256": 0x0506,
        "windows-1257": 0x0507, "windows-1258": 0x0508, "windows-874": 0x041D, "tis-620": 0x041D,
        "iso-8859-11": 0x041D, "cp866": 0x041B, "ibm866": 0x041B, "cp437": 0x0400, "cp850": 0x0410, "koi8-r": 0x0A02,
        "koi8-u": 0x0A08, "gb18030": 0x0632, "gbk": 0x0632, "gb2312": 0x0632, "gb-2312-80": 0x0632, "x-gbk": 0x0632,
        "cp936": 0x0632, "big5": 0x0A03, "big5-hkscs": 0x0A06, "cp950": 0x0A03, "shift-jis": 0x0A01, "sjis": 0x0A01,
        "x-sjis": 0x0A01, "windows-31j": 0x0A01, "cp932": 0x0A01, "ms-kanji": 0x0A01,
        "iso-2022-jp": 0x0820, "euc-kr": 0x0422, "ks-c-5601-1987": 0x0422, "cp949": 0x0422, "windows-949": 0x0422,
        "korean": 0x0422,
    ]

    // MARK: Texts

    /// Bytes at the beginning in which a text may say it.
    private static let maximumHead = 2048

    /// The byte order mark, and its length; nil for none.
    package static func mark(of bytes: some Collection<UInt8>) -> (encoding: Self, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(bigEndian: true), 2) }
        return bytes.starts(with: [0xFF, 0xFE]) ? (.utf16(bigEndian: false), 2) : nil
    }

    /// By a page's `meta` element or an XML declaration. One that can be read says nothing of UTF-16.
    package static func declared(inMarkup bytes: some Collection<UInt8>) -> Self? {
        let head = String(decoding: bytes.prefix(maximumHead), as: UTF8.self).lowercased()
        let isXML = head.hasPrefix("<?xml")
        return declared(after: "charset=", in: head[...])
            ?? (isXML ? declared(after: "encoding=", in: head.prefix { $0 != ">" }) : nil)
    }

    /// By a word to an editor in the first two lines: `-*- coding: latin-1 -*-`, `vim: fileencoding=cp1251`.
    package static func declared(inText bytes: some Collection<UInt8>) -> Self? {
        let head = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
        let lines = head.split(omittingEmptySubsequences: false) { $0.isNewline }.prefix(2).joined(separator: "\n")
        return declared(after: "coding:", in: lines[...]) ?? declared(after: "coding=", in: lines[...])
    }

    private static func declared(after word: String, in head: Substring) -> Self? {
        var rest = head
        while let found = rest.range(of: word) {
            rest = rest[found.upperBound...]
            let label = rest.drop { $0 == "\"" || $0 == "'" || $0 == " " }
                .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:".contains($0)) }
            guard let encoding = Self(label: label) else { continue }
            if case .utf16 = encoding { return .utf8 }
            return encoding
        }
        return nil
    }

    /// Bytes that are looked at to guess.
    private static let maximumGuessed = 1 << 18

    /// UTF-8 where most of what is not ASCII is that, else as older texts of a language were written: one broken character does
    /// not make a text older.
    /// - Parameter language: of the reader, as `LANG` says it; nil for Windows-1252.
    package static func guessed(for bytes: some Collection<UInt8>, language: String? = nil) -> Self {
        if String(validating: bytes, as: UTF8.self) != nil { return .utf8 }
        var (valid, broken) = (0, 0)
        for scalar in String(decoding: bytes.prefix(maximumGuessed), as: UTF8.self).unicodeScalars where !scalar.isASCII
        {
            if scalar == "\u{FFFD}" { broken += 1 } else { valid += 1 }
        }
        if valid > broken { return .utf8 }
        let usual = language.map(usual(for:)) ?? .windows1252
        return usual == .windows1252 ? cyrillic(bytes.prefix(maximumGuessed)) ?? usual : usual
    }

    /// People whose languages have Latin letters have Russian texts, too: in those letters that are not ASCII stand side by side, and
    /// most are small ones, which KOI8 has where Windows has the large ones.
    private static func cyrillic(_ bytes: some Collection<UInt8>) -> Self? {
        var (small, large, pairs) = (0, 0, 0)
        var last: UInt8 = 0
        for byte in bytes {
            if byte >= 0xE0 { small += 1 } else if byte >= 0xC0 { large += 1 }
            if last >= 0xC0, byte >= 0xC0 { pairs += 1 }
            last = byte
        }
        guard small + large >= 8, pairs * 2 > small + large else { return nil }
        return Self(label: small >= large ? "windows-1251" : "koi8-r")
    }

    /// The encoding in which Windows wrote texts that say nothing of themselves.
    private static func usual(for language: String) -> Self {
        let tag = language.lowercased().prefix { $0 != "." && $0 != "@" && $0 != ":" }
        let label: String? =
            switch tag.prefix(while: \.isLetter) {
            case "tr", "az": "windows-1254"
            case "ru", "uk", "be", "bg", "mk", "kk": "windows-1251"
            case "pl", "cs", "sk", "hu", "hr", "sl", "ro", "sq", "bs": "windows-1250"
            case "el": "windows-1253"
            case "he", "iw": "windows-1255"
            case "ar", "fa", "ur": "windows-1256"
            case "lt", "lv", "et": "windows-1257"
            case "vi": "windows-1258"
            case "th": "windows-874"
            case "ja": "shift-jis"
            case "ko": "windows-949"
            case "zh": tag.contains("tw") || tag.contains("hk") || tag.contains("hant") ? "big5" : "gb18030"
            default: nil
            }
        return label.flatMap { Self(label: $0) } ?? .windows1252
    }

    // MARK: Reading

    /// Broken characters are replaced.
    package func text(of bytes: ArraySlice<UInt8>) -> String {
        switch self {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .utf16(let bigEndian): Self.text(ofUTF16: bytes, bigEndian: bigEndian)
        case .windows1252: Self.text(ofWindows1252: bytes)
        case .japaneseEUC: Self.text(of: Self.shiftJIS(ofEUC: bytes)[...], .shiftJIS)
        case .legacy(let number): Self.text(of: bytes, .init(rawValue: number))
        }
    }

    /// By lines where not all of it can be read: one that is broken is read as Windows-1252. No character of these has a byte of a
    /// line's end.
    private static func text(of bytes: ArraySlice<UInt8>, _ encoding: String.Encoding) -> String {
        if let text = String(data: Data(bytes), encoding: encoding) { return text }
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            String(data: Data(line), encoding: encoding) ?? text(ofWindows1252: line)
        }.joined(separator: "\n")
    }

    /// The same characters in Shift-JIS, by the rule that joins the two.
    private static func shiftJIS(ofEUC bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let (byte, next) = (bytes[place], place + 1 < bytes.endIndex ? bytes[place + 1] : 0)
            if byte == 0x8E, next >= 0xA1 {
                result.append(next)
                place += 2
            } else if byte >= 0xA1, byte < 0xFF, next >= 0xA1, next < 0xFF {
                let (row, cell) = (byte - 0xA1, next - 0xA1)
                result.append(row / 2 + (row < 62 ? 0x81 : 0xC1))
                result.append(row % 2 == 1 ? cell + 0x9F : cell + (cell < 63 ? 0x40 : 0x41))
                place += 2
            } else {
                result.append(byte < 0x80 ? byte : 0x3F)
                place += 1
            }
        }
        return result
    }

    private static func text(ofUTF16 bytes: ArraySlice<UInt8>, bigEndian: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var place = bytes.startIndex
        while place + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            units.append(bigEndian ? first << 8 | second : second << 8 | first)
            place += 2
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func text(ofWindows1252 bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            switch byte {
            case 0..<0x80: result.append(byte)
            case 0x80..<0xA0: result += windows[Int(byte) - 0x80]
            default:
                result.append(0xC0 | byte >> 6)
                result.append(0x80 | byte & 0x3F)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The characters of bytes 0x80 to 0x9F, in UTF-8.
    private static let windows: [[UInt8]] =
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars.map { Array(String($0).utf8) }
}
