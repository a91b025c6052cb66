/// Text of HTML outside of a tree.
enum HTMLText {
    /// With the references that titles and descriptions have in practice put in their place.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...]
            let name = rest.dropFirst().prefix(10).prefix { $0 != ";" && $0 != "&" && $0 != " " }
            let end = rest.index(mark, offsetBy: name.count + 1)
            guard end < rest.endIndex, rest[end] == ";", let character = character(String(name)) else {
                result += "&"
                rest = rest.dropFirst()
                continue
            }
            result += character
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Without white space around, with one space for each run of it within; nil where nothing is left.
    static func collapsed(_ text: String) -> String? {
        if !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return text }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Without white space around.
    static func trimmed(_ text: String) -> String {
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.endIndex
        return String(text[start..<end])
    }

    private static let named = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "–", "mdash": "—",
        "hellip": "…", "rsquo": "’", "lsquo": "‘", "ldquo": "“", "rdquo": "”", "middot": "·", "bull": "•",
        "copy": "©", "reg": "®", "trade": "™", "raquo": "»", "laquo": "«", "eacute": "é", "egrave": "è", "auml": "ä",
        "ouml": "ö", "uuml": "ü", "szlig": "ß", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "ntilde": "ñ", "ccedil": "ç",
        "agrave": "à", "aacute": "á", "oacute": "ó", "iacute": "í", "uacute": "ú", "euro": "€", "pound": "£",
    ]

    private static func character(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let number =
            digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number != 0 else { return nil }
        return Unicode.Scalar(number).map { String($0) }
    }
}
