/// Why a pattern was refused.
struct PatternError: Error {
    var message: String
}

/// The pattern to the right of LIKE or MATCHES. The whole text must match.
///
/// Matching takes at most ``maximumSteps`` steps; a text that needs more does not match.
enum TextPattern: Hashable, Sendable {
    case wildcard(WildcardPattern)
    case expression(RegularPattern)

    /// How long a pattern may be, in characters.
    static let maximumLength = 1024
    /// About a tenth of a second.
    static let maximumSteps = 4_000_000

    init(
        _ text: String, _ symbol: PredicateComparison.Operator, _ options: PredicateComparison.Options
    ) throws(PatternError) {
        guard text.count <= Self.maximumLength else {
            throw PatternError(message: "A pattern may have \(Self.maximumLength) characters. Shorten it.")
        }
        let folding = TextFolding(options)
        self =
            symbol == .like
            ? .wildcard(WildcardPattern(text, folding)) : .expression(try RegularPatternParser.pattern(text, folding))
    }

    /// - Parameter characters: folded as the pattern is.
    func matches(_ characters: [Character]) -> Bool {
        switch self {
        case .wildcard(let pattern): pattern.matches(characters)
        case .expression(let pattern): pattern.matches(characters)
        }
    }
}
