import BatonCore
import Foundation

/// Splits a predicate format into tokens, in time linear in its length.
struct PredicateLexer {
    private let characters: [Character]
    private var index = 0
    private var tokens: [PredicateToken] = []

    static func tokens(of format: String) throws(PredicateSyntaxError) -> [PredicateToken] {
        guard format.utf8.count <= MetadataPredicate.maximumLength else {
            throw PredicateSyntaxError(
                .tooLong, at: 0, "A predicate format may have \(MetadataPredicate.maximumLength) bytes. Shorten it.")
        }
        var lexer = PredicateLexer(characters: Array(format))
        while try lexer.scanToken() {}
        return lexer.tokens
    }

    private init(characters: [Character]) { self.characters = characters }

    private var current: Character? { index < characters.count ? characters[index] : nil }
    private var following: Character? { index + 1 < characters.count ? characters[index + 1] : nil }

    private mutating func append(_ kind: PredicateToken.Kind, at offset: Int) {
        tokens.append(PredicateToken(kind: kind, offset: offset))
    }

    // MARK: Tokens

    /// - Returns: false at the end.
    private mutating func scanToken() throws(PredicateSyntaxError) -> Bool {
        while let character = current, character.isWhitespace { index += 1 }
        guard let character = current else { return false }
        switch character {
        case "\"", "'": try scanString(character)
        case "%": try scanConversion()
        case "$": try scanVariable()
        case "[": try scanOptions()
        case "0"..."9": try scanNumber()
        case "." where following?.isASCIIDigit == true: try scanNumber()
        case _ where Self.beginsName(character) || character == "#" || character == "@": try scanName()
        default: try scanSymbol()
        }
        return true
    }

    private static let symbols: Set<String> = [
        "==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "&&", "||", "!", "(", ")", "{", "}", ",", "-", "+",
    ]

    private mutating func scanSymbol() throws(PredicateSyntaxError) {
        let offset = index
        for length in [2, 1] where index + length <= characters.count {
            let text = String(characters[index..<index + length])
            guard Self.symbols.contains(text) else { continue }
            index += length
            append(.symbol(text), at: offset)
            return
        }
        let character = String(characters[index])
        if character == ":" {
            throw PredicateSyntaxError(
                .unsupported, at: offset,
                "“:” makes the name of a function, such as distanceToLocation:fromLocation:, which predicates here do not have. "
                    + "Compute it in the app.")
        }
        if ["*", "/", "^"].contains(character) {
            throw PredicateSyntaxError(
                .unsupported, at: offset, "“\(character)” is arithmetic, which predicates here do not have.")
        }
        throw PredicateSyntaxError(.unexpectedToken, at: offset, "“\(character)” has no meaning here. Remove it.")
    }

    private mutating func scanOptions() throws(PredicateSyntaxError) {
        let offset = index
        var text = ""
        index += 1
        while let character = current, character != "]", text.count < 8 {
            text.append(character)
            index += 1
        }
        guard current == "]" else {
            throw PredicateSyntaxError(
                .invalidOptions, at: offset, "“[” must be followed by options of c, d and n, and by “]”.")
        }
        index += 1
        append(.options(text), at: offset)
    }

    private mutating func scanVariable() throws(PredicateSyntaxError) {
        let offset = index
        index += 1
        append(.variable(scanWord()), at: offset)
    }

    // MARK: Names

    static func beginsName(_ character: Character) -> Bool { character.isLetter || character == "_" }
    static func continuesName(_ character: Character) -> Bool { beginsName(character) || character.isNumber }

    private mutating func scanWord() -> String {
        var word = ""
        while let character = current, Self.continuesName(character) {
            word.append(character)
            index += 1
        }
        return word
    }

    /// A reserved word, or names joined by periods. A `#` before a name makes a reserved word a name.
    private mutating func scanName() throws(PredicateSyntaxError) {
        let offset = index
        var parts: [String] = []
        var isEscaped = false
        while true {
            var part = ""
            if current == "#" {
                isEscaped = true
                index += 1
            } else if current == "@" {
                part = "@"
                index += 1
            }
            guard let character = current, Self.beginsName(character) else {
                throw PredicateSyntaxError(.invalidKeyPath, at: index, "An attribute's name must begin here.")
            }
            part += scanWord()
            parts.append(part)
            guard current == ".", let next = following, Self.beginsName(next) || next == "#" || next == "@" else {
                break
            }
            index += 1
        }
        guard current != "." else {
            throw PredicateSyntaxError(.invalidKeyPath, at: index, "A name must follow the period.")
        }
        if parts.count == 1, !isEscaped, PredicateToken.keywords.contains(parts[0].uppercased()) {
            append(.keyword(parts[0].uppercased()), at: offset)
        } else {
            append(.keyPath(parts.joined(separator: ".")), at: offset)
        }
    }

    // MARK: Literals

    private mutating func scanString(_ quote: Character) throws(PredicateSyntaxError) {
        let offset = index
        var text = ""
        index += 1
        while let character = current {
            index += 1
            if character == quote {
                append(.string(text), at: offset)
                return
            }
            if character == "\\" {
                text.append(try scanEscape())
            } else {
                text.append(character)
            }
        }
        throw PredicateSyntaxError(
            .invalidString, at: offset, "The text that begins here has no end. Add a \(quote) where it ends.")
    }

    private mutating func scanEscape() throws(PredicateSyntaxError) -> Character {
        let offset = index - 1
        let character = current
        index += 1
        switch character {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "\\": return "\\"
        case "\"": return "\""
        case "'": return "'"
        case "u":
            let digits = String(characters[index..<min(index + 4, characters.count)])
            guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
            else { break }
            index += 4
            return Character(scalar)
        default: break
        }
        throw PredicateSyntaxError(
            .invalidString, at: offset,
            "This escape does not exist. The escapes are \\n, \\t, \\r, \\\\, \\\", \\' and \\u with four digits.")
    }

    private mutating func scanNumber() throws(PredicateSyntaxError) {
        let offset = index
        var text = ""
        while let character = current, character.isASCII,
            character.isLetter || character.isNumber || character == "."
                || ("+-".contains(character) && "eE".contains(text.last ?? " ") && !text.hasPrefix("0x"))
        {
            text.append(character)
            index += 1
        }
        guard let value = Self.number(text) else {
            throw PredicateSyntaxError(.invalidNumber, at: offset, "“\(text)” is no number, or is too large.")
        }
        append(.number(value), at: offset)
    }

    static func number(_ text: String) -> PropertyValue? {
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            return UInt64(text.dropFirst(2), radix: 16).map(integer)
        }
        if text.allSatisfy(\.isASCIIDigit) { return UInt64(text).map(integer) }
        guard let value = Double(text), value.isFinite, text.allSatisfy({ $0.isASCIIDigit || ".eE+-".contains($0) })
        else { return nil }
        return .real(value)
    }

    private static func integer(_ value: UInt64) -> PropertyValue {
        Int64(exactly: value).map(PropertyValue.integer) ?? .unsignedInteger(value)
    }

    // MARK: Conversions

    private mutating func scanConversion() throws(PredicateSyntaxError) {
        let offset = index
        index += 1
        // The sizes that C has: the argument knows its own.
        while let character = current, "hlqzjt".contains(character) { index += 1 }
        let conversion: PredicateToken.Conversion
        switch current {
        case "@": conversion = .object
        case "K": conversion = .key
        case "d", "D", "i", "c": conversion = .integer
        case "u", "U", "x", "X", "o", "O": conversion = .unsignedInteger
        case "f", "F", "g", "G", "e", "E", "a", "A": conversion = .real
        case "%": conversion = .percent
        default:
            throw PredicateSyntaxError(
                .invalidConversion, at: offset, "A % must be followed by @, K, d, ld, u, f, or another %.")
        }
        index += 1
        append(.conversion(conversion), at: offset)
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
