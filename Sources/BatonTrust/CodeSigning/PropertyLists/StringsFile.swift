import BatonCore
import Files
import Foundation

/// Reads a `.strings` file: keys with localised texts.
///
/// It is a binary or XML property list, or the old style that people write: `"key" = "text";` with comments, in UTF-8
/// or, with a byte order mark, in UTF-16. Foundation's parser of the old style is not used: it recurses, and takes data
/// and containers, which a table of texts has none of.
enum StringsFile {
    static let maximumEntries = 10_000

    /// - Parameter name: of the file, for messages.
    /// - Throws: `invalid_argument` with reason `invalid_property_list`. Values that are no texts are left out of a
    ///   property list; in the old style they are errors.
    static func read(_ bytes: [UInt8], name: String) throws(BatonError) -> [String: String] {
        if bytes.starts(with: Array("bplist".utf8)) { return try list(bytes, name) }
        guard let text = text(of: bytes) else { throw malformed(name, "it is neither UTF-8 nor UTF-16") }
        if text.hasPrefix("<?xml") || text.hasPrefix("<!DOCTYPE") || text.hasPrefix("<plist") {
            return try list(Array(text.utf8), name)
        }
        var parser = Parser(text: Array(text.unicodeScalars))
        do throws(PropertyListGuard.Problem) {
            return try parser.entries()
        } catch {
            throw malformed(name, "\(error.description) in line \(parser.line)")
        }
    }

    private static func list(_ bytes: [UInt8], _ name: String) throws(BatonError) -> [String: String] {
        try PropertyListGuard.dictionary(bytes, name: name).compactMapValues { $0 as? String }
    }

    private static func text(of bytes: [UInt8]) -> String? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            return String(validating: bytes[start...], as: UTF8.self)
        }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(validating: units, as: UTF16.self)
    }

    private static func malformed(_ name: String, _ why: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "invalid_property_list",
            "\(PrintableName.escaped(name)) is not a strings file that Baton reads: \(why).")
    }

    /// Parses the old style. It never recurses, and moves forward with each step.
    private struct Parser {
        typealias Problem = PropertyListGuard.Problem

        let text: [UnicodeScalar]
        private var position = 0

        init(text: [UnicodeScalar]) { self.text = text }

        var line: Int { text[..<min(position, text.count)].count { $0 == "\n" } + 1 }

        mutating func entries() throws(Problem) -> [String: String] {
            var result: [String: String] = [:]
            try skipSpace()
            while position < text.count {
                guard result.count < maximumEntries else { throw Problem("it has more than \(maximumEntries) entries") }
                let key = try word()
                try skipSpace()
                var value = key
                // A key alone stands for itself.
                if take("=") {
                    try skipSpace()
                    value = try word()
                    try skipSpace()
                }
                guard take(";") else { throw Problem("“;” is missing") }
                result[key] = value
                try skipSpace()
            }
            return result
        }

        private mutating func take(_ scalar: UnicodeScalar) -> Bool {
            guard position < text.count, text[position] == scalar else { return false }
            position += 1
            return true
        }

        private func starts(with words: [UnicodeScalar]) -> Bool { text[position...].starts(with: words) }

        private mutating func skipSpace() throws(Problem) {
            while position < text.count {
                if text[position].properties.isWhitespace {
                    position += 1
                } else if starts(with: ["/", "/"]) {
                    position = text[position...].firstIndex { $0 == "\n" || $0 == "\r" } ?? text.count
                } else if starts(with: ["/", "*"]) {
                    position += 2
                    while position < text.count, !starts(with: ["*", "/"]) { position += 1 }
                    guard position < text.count else { throw Problem("a comment is not closed") }
                    position += 2
                } else {
                    return
                }
            }
        }

        private mutating func word() throws(Problem) -> String {
            guard position < text.count else { throw Problem("it is cut short") }
            if text[position] == "\"" || text[position] == "'" { return try quoted() }
            let start = position
            while position < text.count, Self.isPlain(text[position]) { position += 1 }
            guard position > start else { throw Problem("a text is expected") }
            return Self.string(text[start..<position])
        }

        private static func isPlain(_ scalar: UnicodeScalar) -> Bool {
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_$/:.-".unicodeScalars.contains(scalar))
        }

        private mutating func quoted() throws(Problem) -> String {
            let quote = text[position]
            position += 1
            var units: [UInt16] = []
            while position < text.count {
                let scalar = text[position]
                position += 1
                if scalar == quote {
                    guard let result = String(validating: units, as: UTF16.self) else {
                        throw Problem("a text holds half a character")
                    }
                    return result
                }
                if scalar == "\\" {
                    units += try escaped()
                } else {
                    units += Array(String(scalar).utf16)
                }
            }
            throw Problem("a text is not closed")
        }

        private mutating func escaped() throws(Problem) -> [UInt16] {
            guard position < text.count else { throw Problem("a text is not closed") }
            let scalar = text[position]
            position += 1
            switch scalar {
            case "n": return [0x0A]
            case "r": return [0x0D]
            case "t": return [0x09]
            case "U", "u": return [try number(digits: 4, radix: 16)]
            case "0"..."7":
                position -= 1
                return [try number(digits: 3, radix: 8)]
            default: return Array(String(scalar).utf16)
            }
        }

        /// Reads at least one digit, at most `digits`.
        private mutating func number(digits: Int, radix: Int) throws(Problem) -> UInt16 {
            let end = min(position + digits, text.count)
            let found = text[position..<end].prefix { Int(String($0), radix: radix) != nil }
            guard let value = UInt16(Self.string(found), radix: radix) else { throw Problem("an escape is damaged") }
            position += found.count
            return value
        }

        private static func string(_ scalars: some Sequence<UnicodeScalar>) -> String {
            var result = String.UnicodeScalarView()
            result.append(contentsOf: scalars)
            return String(result)
        }
    }
}
