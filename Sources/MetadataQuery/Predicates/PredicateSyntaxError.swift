/// Why a predicate format was refused, and where.
package struct PredicateSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of mistake, for programs.
    package enum Code: String, Sendable, CaseIterable {
        /// The format ends where something must follow.
        case unexpectedEnd = "unexpected_end"
        /// Something stands where something else must.
        case unexpectedToken = "unexpected_token"
        /// A text in quotation marks has no end, or an escape that does not exist.
        case invalidString = "invalid_string"
        case invalidNumber = "invalid_number"
        /// A `%` is followed by something that is no conversion.
        case invalidConversion = "invalid_conversion"
        case missingArgument = "missing_argument"
        /// An argument's type is not what its conversion takes, or cannot be compared.
        case invalidArgument = "invalid_argument"
        case unusedArgument = "unused_argument"
        /// An operator's options are no list of c, d and n.
        case invalidOptions = "invalid_options"
        /// The pattern of MATCHES or LIKE is invalid or too large.
        case invalidPattern = "invalid_pattern"
        case invalidKeyPath = "invalid_key_path"
        /// Part of Apple's grammar that is not supported: variables, functions, arithmetic, subqueries.
        case unsupported
        case nestingTooDeep = "nesting_too_deep"
        case tooLong = "too_long"
    }

    package var code: Code
    /// Where the mistake is, in characters from the start of the format.
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
