/// Reads the few flat elements of S3's XML that are needed.
package enum S3Document {
    package static func first(_ element: String, in text: String) -> String? { all(element, in: text).first }

    /// The texts of all elements of this name, which has no attributes.
    package static func all(_ element: String, in text: String) -> [String] {
        let bytes = Array(text.utf8)
        let (start, end) = (Array("<\(element)>".utf8), Array("</\(element)>".utf8))
        var found: [String] = []
        var place = 0
        while let opening = find(start, in: bytes, from: place) {
            guard let closing = find(end, in: bytes, from: opening + start.count) else { break }
            found.append(unescaped(String(decoding: bytes[(opening + start.count)..<closing], as: UTF8.self)))
            place = closing + end.count
        }
        return found
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard start + pattern.count <= bytes.count else { return nil }
        var place = start
        while place + pattern.count <= bytes.count {
            if bytes[place] == pattern[0], bytes[place..<place + pattern.count].elementsEqual(pattern) { return place }
            place += 1
        }
        return nil
    }

    private static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var result = text
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            result = result.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
        }
        return result
    }

    static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}
