import Foundation

/// Reads the query strings of `CSSearchQuery`.
///
/// `&&` binds more than `||`, and `!` stands before a parenthesis: Apple's pages name neither.
package struct SearchQueryParser {
    /// Bytes of a query string.
    package static let maximumLength = 64 << 10
    package static let maximumDepth = 64
    package static let maximumConditions = 1000

    private let characters: [Character]
    private let time: QueryTime
    private var position = 0
    private var conditions: Int
    private var formatters: [ISO8601DateFormatter] = []

    private init(_ text: String, _ time: QueryTime, after conditions: Int) {
        characters = Array(text)
        self.time = time
        self.conditions = conditions
    }

    package static func condition(_ text: String, time: QueryTime) throws(SearchQueryError) -> SearchCondition {
        var conditions = 0
        return try condition(text, time: time, after: &conditions)
    }

    /// - Parameter conditions: in other queries that are asked at once, and with these.
    package static func condition(
        _ text: String, time: QueryTime, after conditions: inout Int
    ) throws(SearchQueryError) -> SearchCondition {
        guard text.utf8.count <= maximumLength else {
            throw SearchQueryError(.tooLong, at: 0, "A query may have \(maximumLength) bytes. Shorten it.")
        }
        var parser = SearchQueryParser(text, time, after: conditions)
        let condition = try parser.disjunction(0)
        parser.skipSpaces()
        guard parser.position == parser.characters.count else {
            throw parser.unexpected("The query must end, or go on with && or ||.")
        }
        conditions = parser.conditions
        return condition
    }

    // MARK: Conditions

    private mutating func disjunction(_ depth: Int) throws(SearchQueryError) -> SearchCondition {
        var parts = [try conjunction(depth)]
        while take("||") { parts.append(try conjunction(depth)) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction(_ depth: Int) throws(SearchQueryError) -> SearchCondition {
        var parts = [try term(depth)]
        while take("&&") { parts.append(try term(depth)) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func term(_ depth: Int) throws(SearchQueryError) -> SearchCondition {
        guard depth < Self.maximumDepth else {
            throw SearchQueryError(
                .nestingTooDeep, at: position, "A query may nest \(Self.maximumDepth) parentheses. Use fewer.")
        }
        if take("!") {
            guard peek() == "(" else { throw unexpected("After “!” a parenthesis must follow.") }
            return .not(try term(depth + 1))
        }
        if take("(") {
            let inner = try disjunction(depth + 1)
            guard take(")") else { throw unexpected("A parenthesis is not closed.") }
            return inner
        }
        return try comparison()
    }

    private mutating func comparison() throws(SearchQueryError) -> SearchCondition {
        conditions += 1
        guard conditions <= Self.maximumConditions else {
            throw SearchQueryError(
                .tooManyConditions, at: position,
                "A query may have \(Self.maximumConditions) conditions. Use fewer.")
        }
        let attribute = try attribute()
        if case .named("InRange") = attribute, peek() == "(" { return try range() }
        let start = position
        guard let order = comparisonOperator() else {
            throw unexpected("After an attribute one of == != < > <= >= must follow.")
        }
        switch try value() {
        case .number(let number): return .ordered(attribute, order, number)
        case .text(let match):
            switch order {
            case .equal: return .text(attribute, match, isNegated: false)
            case .notEqual: return .text(attribute, match, isNegated: true)
            default:
                throw SearchQueryError(
                    .unorderedValue, at: start,
                    "“\(order.rawValue)” compares numbers and dates only. Use == or != with a text.")
            }
        }
    }

    private mutating func range() throws(SearchQueryError) -> SearchCondition {
        _ = take("(")
        let attribute = try attribute()
        guard take(",") else { throw unexpected("InRange takes an attribute and two values, separated by commas.") }
        let low = try bound()
        guard take(",") else { throw unexpected("InRange takes an attribute and two values, separated by commas.") }
        let high = try bound()
        guard take(")") else { throw unexpected("The parenthesis of InRange is not closed.") }
        return .range(attribute, low, high)
    }

    private mutating func bound() throws(SearchQueryError) -> Double {
        let start = position
        guard case .number(let number) = try value() else {
            throw SearchQueryError(.unorderedValue, at: start, "InRange takes numbers and dates only.")
        }
        return number
    }

    private mutating func attribute() throws(SearchQueryError) -> SearchCondition.SearchedAttribute {
        skipSpaces()
        if take("*") {
            _ = take("*")
            return .any
        }
        var name = ""
        while let character = current, character.isASCII, character.isLetter || character.isNumber || character == "_" {
            name.append(character)
            position += 1
        }
        guard let first = name.first, !first.isNumber else {
            throw unexpected("An attribute's name must stand here, as in title == \"Paris\".")
        }
        return .named(name)
    }

    private mutating func comparisonOperator() -> SearchCondition.Order? {
        for (symbol, order) in [
            ("==", SearchCondition.Order.equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual),
            ("<", .less), (">", .greater), ("=", .equal),
        ] where take(symbol) { return order }
        return nil
    }

    // MARK: Values

    private enum Value {
        case number(Double)
        case text(TextMatch)
    }

    private mutating func value() throws(SearchQueryError) -> Value {
        skipSpaces()
        switch current {
        case "\"", "'": return .text(try text())
        case "$": return .number(try date())
        case "“", "”", "‘", "’", "„", "«":
            throw SearchQueryError(
                .typographicQuotes, at: position, "Texts stand in \" or ', not in typographic quotation marks.")
        case nil: throw unexpected("A value must follow.")
        default: return .number(try number())
        }
    }

    private mutating func text() throws(SearchQueryError) -> TextMatch {
        let start = position
        let quote = characters[position]
        position += 1
        var parts = [""]
        while true {
            guard let character = current else {
                throw SearchQueryError(
                    .unclosedString, at: start, "The text in quotation marks has no end. Add \(quote).")
            }
            position += 1
            if character == quote { break }
            if character == "*" {
                // Several in a row are one.
                if parts.count == 1 || parts.last?.isEmpty == false { parts.append("") }
            } else if character == "\\", let escaped = current {
                position += 1
                parts[parts.count - 1].append(escaped)
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return TextMatch(parts: parts, modifiers: try modifiers())
    }

    private mutating func modifiers() throws(SearchQueryError) -> TextMatch.Modifiers {
        var modifiers: TextMatch.Modifiers = []
        while let character = current, character.isLetter || character.isNumber {
            switch character {
            case "c": modifiers.insert(.ignoresCase)
            case "d": modifiers.insert(.ignoresDiacritics)
            case "w": modifiers.insert(.words)
            case "t": modifiers.insert(.tokenized)
            default:
                throw SearchQueryError(
                    .invalidModifier, at: position, "After a text only the modifiers c, d, w and t can stand.")
            }
            position += 1
        }
        return modifiers
    }

    private mutating func number() throws(SearchQueryError) -> Double {
        let start = position
        var text = ""
        while let character = current, character.isASCII,
            character.isNumber || ["+", "-", ".", "e", "E"].contains(character)
        {
            text.append(character)
            position += 1
        }
        guard let number = Double(text), number.isFinite else {
            throw SearchQueryError(
                .invalidNumber, at: start, "A number, a date or a text in quotation marks must stand here.")
        }
        return number
    }

    private mutating func date() throws(SearchQueryError) -> Double {
        let start = position
        let invalid = SearchQueryError(
            .invalidDate, at: start,
            "A date is $time.now, .today, .yesterday, .this_week, .last_week, .this_month or .this_year, with a number in "
                + "parentheses or without, or $time.iso(2026-01-31T12:00:00Z).")
        guard take("$time") else { throw invalid }
        var name = "now"
        if take(".") {
            name = ""
            while let character = current, character.isASCII, character.isLetter || character == "_" {
                name.append(character)
                position += 1
            }
        }
        var argument: String?
        if current == "(" {
            position += 1
            var text = ""
            while let character = current, character != ")" {
                text.append(character)
                position += 1
            }
            guard take(")") else { throw invalid }
            argument = text.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        }
        if name == "iso" {
            guard let argument, let seconds = time.seconds(iso: argument, &formatters) else { throw invalid }
            return seconds
        }
        if let argument, Int(argument) == nil { throw invalid }
        guard let seconds = time.seconds(name, argument.flatMap { Int($0) }) else { throw invalid }
        return seconds
    }

    // MARK: Characters

    private var current: Character? { position < characters.count ? characters[position] : nil }

    private mutating func skipSpaces() {
        while let character = current, character.isWhitespace { position += 1 }
    }

    private mutating func peek() -> Character? {
        skipSpaces()
        return current
    }

    private mutating func take(_ symbol: String) -> Bool {
        skipSpaces()
        guard characters[position...].starts(with: symbol) else { return false }
        position += symbol.count
        return true
    }

    private func unexpected(_ message: String) -> SearchQueryError {
        if let quote = current, ["“", "”", "‘", "’"].contains(quote) {
            return SearchQueryError(
                .typographicQuotes, at: position, "Texts stand in \" or ', not in typographic quotation marks.")
        }
        return SearchQueryError(current == nil ? .unexpectedEnd : .unexpectedToken, at: position, message)
    }
}
