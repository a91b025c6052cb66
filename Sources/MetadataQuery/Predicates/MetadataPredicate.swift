/// A condition on the attributes of an item, as a predicate format says it.
///
/// Nests at most ``maximumDepth`` deep, so that neither reading nor evaluating one exhausts the stack.
package indirect enum MetadataPredicate: Hashable, Sendable {
    case constant(Bool)
    case comparison(PredicateComparison)
    case and([MetadataPredicate])
    case or([MetadataPredicate])
    case not(MetadataPredicate)

    /// How deep parentheses, NOT, aggregates and CAST may nest together.
    package static let maximumDepth = 64
    /// How long a format may be, in bytes of UTF-8.
    package static let maximumLength = 64 << 10

    /// Reads a format in Apple's syntax.
    ///
    /// - Parameter arguments: what its conversions stand for, in order. Each must be used.
    package init(format: String, arguments: [Any] = []) throws(PredicateSyntaxError) {
        let tokens = try PredicateLexer.tokens(of: format)
        var parser = PredicateParser(tokens: tokens, end: format.count, arguments: arguments)
        self = try parser.parse()
    }
}
