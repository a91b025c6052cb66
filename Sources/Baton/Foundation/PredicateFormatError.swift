import MetadataQuery

/// Why a predicate format was refused, and where its mistake is.
public struct PredicateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of mistake, for programs, e.g. `unexpected_token`, `missing_argument`, `invalid_pattern`.
    public let code: String
    /// Where the mistake is, in characters from the start of the format.
    public let offset: Int
    /// Whole sentences: what is wrong, and what to do.
    public let message: String

    init(_ error: PredicateSyntaxError) {
        code = error.code.rawValue
        offset = error.offset
        message = error.message
    }

    /// Code, place and message.
    public var description: String { "\(code) at character \(offset): \(message)" }
}
