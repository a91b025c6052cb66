import BatonCore
import Foundation

/// The fields at the beginning of a mail or of a part of one, by their names in small letters; the first of a name counts.
struct MailFields {
    private static let maximumFields = 1000

    private var fields: [String: String] = [:]
    /// Bytes of them, with the empty line behind them.
    private(set) var length = 0

    /// - Parameter bytes: from the first field on. Fields that are cut off count.
    init(_ bytes: ArraySlice<UInt8>) {
        var lines: [[UInt8]] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.endIndex
            var line = bytes[place..<end]
            if line.last == 0x0D { line.removeLast() }
            place = min(end + 1, bytes.endIndex)
            if line.isEmpty { break }
            if let first = line.first, first == 0x20 || first == 0x09, let last = lines.indices.last {
                lines[last] += line
            } else if lines.count < Self.maximumFields {
                lines.append(Array(line))
            }
        }
        length = place - bytes.startIndex
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = line[(colon + 1)...]
            if fields[name] == nil { fields[name] = Self.text(TextEncoding.guessed(for: value).text(of: value)) }
        }
    }

    subscript(name: String) -> String? { fields[name] }

    /// A value in small letters, and its parameters: `text/plain; charset="utf-8"`.
    func value(of name: String) -> (String, [String: String]) {
        let pieces = Self.pieces(fields[name] ?? "")
        var parameters: [String: String] = [:]
        for piece in pieces.dropFirst() {
            guard let equals = piece.firstIndex(of: "=") else { continue }
            var key = piece[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            var value = piece[piece.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            // RFC 2231: the character set, the language, and the rest with percents.
            if key.hasSuffix("*") {
                key.removeLast()
                let encoded = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
                value = encoded.last.flatMap { String($0).removingPercentEncoding } ?? value
            }
            parameters[key] = value
        }
        return (pieces.first?.trimmingCharacters(in: .whitespaces).lowercased() ?? "", parameters)
    }

    /// Between semicolons that stand in no quotes.
    private static func pieces(_ text: String) -> [Substring] {
        var isQuoted = false
        return text.split(omittingEmptySubsequences: false) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }
    }

    // MARK: Encodings

    /// With its encoded words (RFC 2047) read: `=?utf-8?Q?caf=C3=A9?=`.
    private static func text(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        var isBehindWord = false
        while let begin = rest.range(of: "=?") {
            let parts = rest[begin.upperBound...].split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].hasPrefix("="),
                let encoding = TextEncoding(label: parts[0].prefix { $0 != "*" })
            else {
                result += rest[..<begin.upperBound]
                rest = rest[begin.upperBound...]
                isBehindWord = false
                continue
            }
            // Space between two encoded words is none of the text.
            let between = rest[..<begin.lowerBound]
            if !isBehindWord || between.contains(where: { !$0.isWhitespace }) { result += between }
            let isBase64 = parts[1].lowercased() == "b"
            let bytes = Array((isBase64 ? parts[2] : parts[2].replacing("_", with: " ")).utf8)
            result += encoding.text(of: decoded(bytes[...], encoding: isBase64 ? "base64" : "quoted-printable")[...])
            rest = rest[parts[3].index(after: parts[3].startIndex)...]
            isBehindWord = true
        }
        return (result + rest).trimmingCharacters(in: .whitespaces)
    }

    /// - Parameter encoding: of a part's transfer; any other one is the bytes themselves.
    static func decoded(_ bytes: ArraySlice<UInt8>, encoding: String) -> [UInt8] {
        switch encoding.lowercased() {
        case "base64":
            let letters = bytes.filter { $0 > 0x20 }
            // One that was cut.
            return Array(
                Data(base64Encoded: Data(letters.prefix(letters.count / 4 * 4)), options: .ignoreUnknownCharacters)
                    ?? Data())
        case "quoted-printable": return unquoted(bytes)
        default: return Array(bytes)
        }
    }

    private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let next = bytes[(place + 1)...].prefix(2)
            if bytes[place] == UInt8(ascii: "="), let code = UInt8(String(decoding: next, as: UTF8.self), radix: 16),
                next.count == 2
            {
                result.append(code)
                place += 3
            } else if bytes[place] == UInt8(ascii: "="), next.first == 0x0A || next.elementsEqual([0x0D, 0x0A]) {
                // The line goes on.
                place += next.first == 0x0A ? 2 : 3
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }
}
