import Foundation

/// How a JSON text nests and what its objects name, as far as brackets and quotation marks show: whether it is JSON at all
/// is for a parser to say.
struct JSONOutline {
    /// Arrays and objects within each other.
    private(set) var depth = 0
    /// A name that comes twice in one object, of which parsers take one value and say nothing.
    private(set) var repeatedName: String?

    init(_ text: String) {
        let bytes = Array(text.utf8)
        // The names so far of each object that is open; nil for an array.
        var open: [Set<String>?] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let end = Self.end(ofTextAt: index, in: bytes)
                if Self.isName(endingAt: end, in: bytes), let last = open.indices.last, open[last] != nil {
                    let name = Self.decoded(bytes[index..<end])
                    if open[last]?.insert(name).inserted == false, repeatedName == nil { repeatedName = name }
                }
                index = end
                continue
            case UInt8(ascii: "{"): open.append([])
            case UInt8(ascii: "["): open.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            default: break
            }
            depth = max(depth, open.count)
            index += 1
        }
    }

    /// Behind the closing quotation mark.
    private static func end(ofTextAt start: Int, in bytes: [UInt8]) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    private static func isName(endingAt end: Int, in bytes: [UInt8]) -> Bool {
        bytes[end...].first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ":")
    }

    /// Without escapes. Two spellings of one text (composed and decomposed) are one name, as in a dictionary.
    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        let name = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed) as? String
        return name ?? String(decoding: text, as: UTF8.self)
    }
}
