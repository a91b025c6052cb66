/// Resolves references as RFC 3986 says, on text: what a page writes is kept as it is, but for the dots in its path. By bytes: a
/// search by characters takes a hundred times as long.
enum IRI {
    /// Whether a text begins with a scheme.
    static func isAbsolute(_ text: String) -> Bool { scheme(of: text[...]) != nil }

    /// By bytes: a search for a text in a text takes much longer.
    static func hasColon(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: ":")) }

    static func resolve(_ reference: String, against base: String?) -> String {
        guard let base, !base.isEmpty else { return reference }
        let parts = Parts(reference[...])
        if parts.scheme != nil { return reference }
        let from = Parts(base[...])
        var result = from.scheme.map { "\($0):" } ?? ""
        if let authority = parts.authority {
            result += "//\(authority)" + withoutDots(parts.path) + (parts.query.map { "?\($0)" } ?? "")
        } else {
            if let authority = from.authority { result += "//\(authority)" }
            if parts.path.isEmpty {
                result += from.path
                if let query = parts.query ?? from.query { result += "?\(query)" }
            } else {
                let isRooted = parts.path.utf8.first == UInt8(ascii: "/")
                let path = isRooted ? parts.path : merged(parts.path, with: from)
                result += withoutDots(path)
                if let query = parts.query { result += "?\(query)" }
            }
        }
        if let fragment = parts.fragment { result += "#\(fragment)" }
        return result
    }

    private struct Parts {
        var scheme: Substring?
        var authority: Substring?
        var path: Substring
        var query: Substring?
        var fragment: Substring?

        init(_ text: Substring) {
            var rest = text
            if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
                fragment = rest[rest.utf8.index(after: mark)...]
                rest = rest[..<mark]
            }
            if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
                query = rest[rest.utf8.index(after: mark)...]
                rest = rest[..<mark]
            }
            if let found = IRI.scheme(of: rest) {
                scheme = found
                rest = rest[rest.utf8.index(after: found.endIndex)...]
            }
            if rest.utf8.starts(with: "//".utf8) {
                let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
                let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                authority = rest[start..<end]
                rest = rest[end...]
            }
            path = rest
        }
    }

    private static func scheme(of text: Substring) -> Substring? {
        guard let first = text.utf8.first, isLetter(first) else { return nil }
        var place = text.startIndex
        while place < text.endIndex {
            let byte = text.utf8[place]
            if byte == UInt8(ascii: ":") { return text[..<place] }
            let belongs =
                isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            guard belongs else { return nil }
            place = text.utf8.index(after: place)
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }

    private static func merged(_ path: Substring, with base: Parts) -> Substring {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let last = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return base.path[...last] + path
    }

    /// Whether a segment begins with a dot.
    private static func hasDotSegment(_ path: Substring) -> Bool {
        var before = UInt8(ascii: "/")
        for byte in path.utf8 {
            if byte == UInt8(ascii: "."), before == UInt8(ascii: "/") { return true }
            before = byte
        }
        return false
    }

    private static func withoutDots(_ path: Substring) -> String {
        guard hasDotSegment(path) else { return String(path) }
        var segments: [Substring] = []
        let slash = UInt8(ascii: "/")
        let isRooted = path.utf8.first == slash
        var parts = path.utf8.split(separator: slash, omittingEmptySubsequences: false).map { Substring($0) }
        if isRooted { parts.removeFirst() }
        for (place, part) in parts.enumerated() {
            let isLast = place == parts.count - 1
            switch part {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(part)
            }
        }
        return (isRooted ? "/" : "") + segments.joined(separator: "/")
    }
}
