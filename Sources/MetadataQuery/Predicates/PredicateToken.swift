import BatonCore

/// A word of a predicate format.
struct PredicateToken: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A reserved word, in capital letters.
        case keyword(String)
        /// An attribute's name, or several joined by periods.
        case keyPath(String)
        case string(String)
        case number(PropertyValue)
        /// `==`, `(`, `{`, `,` …
        case symbol(String)
        /// The text between the brackets after an operator.
        case options(String)
        /// The conversion after a `%`.
        case conversion(Conversion)
        /// The name after a `$`.
        case variable(String)
    }

    enum Conversion: Equatable, Sendable {
        case object
        case key
        case integer
        case unsignedInteger
        case real
        case percent
    }

    var kind: Kind
    /// In characters from the start of the format.
    var offset: Int

    /// Words that are no attribute's name unless a `#` precedes them.
    static let keywords: Set<String> = [
        "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN", "CONTAINS", "LIKE", "MATCHES", "BEGINSWITH",
        "ENDSWITH", "TRUEPREDICATE", "FALSEPREDICATE", "TRUE", "FALSE", "YES", "NO", "NULL", "NIL", "SELF", "CAST",
        "FUNCTION", "SUBQUERY", "TERNARY",
    ]

    /// The token as a message shows it.
    var shown: String {
        switch kind {
        case .keyword(let text), .keyPath(let text), .symbol(let text): text
        case .string(let text): PredicateFormatter.quoted(text)
        case .number(let value): PredicateFormatter.text(of: value)
        case .options(let text): "[\(text)]"
        case .conversion: "a conversion"
        case .variable(let name): "$\(name)"
        }
    }
}
