import BatonCore

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
            guard end < rest.endIndex, rest[end] == ";", let character = HTMLReference.character(name) else {
                result += "&"
                rest = rest.dropFirst()
                continue
            }
            result.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Without white space around, with one space for each run of it within; nil where nothing is left.
    static func collapsed(_ text: String) -> String? {
        if isCollapsed(text) { return text }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Whether a text is printable ASCII that need not be changed, as nearly every one.
    private static func isCollapsed(_ text: String) -> Bool {
        var before = UInt8(ascii: " ")
        for byte in text.utf8 {
            guard byte >= 0x20, byte < 0x7F, byte != 0x20 || before != 0x20 else { return false }
            before = byte
        }
        return before != 0x20
    }

    /// Without white space around.
    static func trimmed(_ text: String) -> String {
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.endIndex
        return String(text[start..<end])
    }
}
