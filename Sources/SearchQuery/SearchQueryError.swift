/// Why a query string was refused, and where.
package struct SearchQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case unexpectedEnd = "unexpected_end"
        case unexpectedToken = "unexpected_token"
        /// A text in quotation marks has no end.
        case unclosedString = "unclosed_string"
        case typographicQuotes = "typographic_quotes"
        case invalidNumber = "invalid_number"
        case invalidModifier = "invalid_modifier"
        case invalidDate = "invalid_date"
        /// Texts have no order that a query can ask for.
        case unorderedValue = "unordered_value"
        case nestingTooDeep = "nesting_too_deep"
        case tooLong = "too_long"
        case tooManyConditions = "too_many_conditions"
    }

    package var code: Code
    /// In characters from the beginning of the query.
    package var offset: Int
    /// Whole sentences: what is wrong, and what to do.
    package var message: String

    package init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    package var description: String { "\(code.rawValue) at character \(offset): \(message)" }
}
