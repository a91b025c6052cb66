import BatonCore

/// The text of a page's markup, for search only: without tags, scripts and styles. Linear in the length, whatever the markup is.
package enum HTMLText {
    package static func plain(_ html: String) -> String {
        var result: [UInt8] = []
        let bytes = Array(html.utf8)
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<") {
                let isWithinWord = isInline(bytes, index)
                index = afterTag(bytes, index)
                if !isWithinWord, result.last != 0x20 { result.append(0x20) }
            } else if bytes[index] == UInt8(ascii: "&"), let (character, next) = reference(bytes, index) {
                result += Array(String(character).utf8)
                index = next
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Where the text goes on after a tag, a comment, or an element whose text does not count.
    private static func afterTag(_ bytes: [UInt8], _ start: Int) -> Int {
        if bytes[start...].starts(with: Array("<!--".utf8)) { return after("-->", bytes, start + 4) }
        for name in ["script", "style"] where isTag(name, bytes, start) {
            return after(">", bytes, after("</\(name)", bytes, start))
        }
        return after(">", bytes, start)
    }

    /// Tags that stand within words: “Fu<b>ß</b>ball” is one. Links and spans stand beside each other as often.
    private static let inline: Set<String> = [
        "b", "bdi", "big", "del", "em", "font", "i", "ins", "mark", "s", "small", "strong", "sub", "sup", "tt", "u",
        "wbr",
    ]

    private static func isInline(_ bytes: [UInt8], _ start: Int) -> Bool {
        let rest = bytes[(start + 1)...].prefix(9)
        let word = rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest
        let name = word.prefix { (0x61...0x7A).contains($0 | 0x20) }
        return inline.contains(String(decoding: name.map { $0 | 0x20 }, as: UTF8.self))
    }

    private static func isTag(_ name: String, _ bytes: [UInt8], _ start: Int) -> Bool {
        let end = start + 1 + name.utf8.count
        guard end < bytes.count else { return false }
        return zip(bytes[(start + 1)..<end], name.utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    private static func after(_ text: String, _ bytes: [UInt8], _ start: Int) -> Int {
        let wanted = Array(text.utf8)
        var index = start
        while index + wanted.count <= bytes.count {
            if zip(bytes[index..<(index + wanted.count)], wanted).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }) {
                return index + wanted.count
            }
            index += 1
        }
        return bytes.count
    }

    private static func reference(_ bytes: [UInt8], _ start: Int) -> (Character, Int)? {
        guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")), end > start + 1 else {
            return nil
        }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        // A no-break space joins no words.
        return HTMLReference.character(name).map { ($0 == "\u{A0}" ? " " : $0, end + 1) }
    }
}
