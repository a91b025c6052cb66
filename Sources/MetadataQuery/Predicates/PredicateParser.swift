import BatonCore
import Foundation

/// Reads the tokens of a predicate format. NOT binds closer than AND, and AND closer than OR.
struct PredicateParser {
    /// The term between parentheses: `(a) == 1` and `(a == 1)` begin alike.
    private enum Term {
        case predicate(MetadataPredicate)
        case operand(PredicateOperand, offset: Int)
    }

    private let tokens: [PredicateToken]
    private let end: Int
    private let arguments: [Any]
    private var index = 0
    private var argumentIndex = 0
    private var depth = 0

    init(tokens: [PredicateToken], end: Int, arguments: [Any]) {
        self.tokens = tokens
        self.end = end
        self.arguments = arguments
    }

    mutating func parse() throws(PredicateSyntaxError) -> MetadataPredicate {
        let term = try parseOr()
        let whole = try predicate(term)
        if let token = tokens[safe: index] {
            throw PredicateSyntaxError(
                .unexpectedToken, at: token.offset, "“\(token.shown)” cannot follow. Join conditions with AND or OR.")
        }
        guard argumentIndex == arguments.count else {
            throw PredicateSyntaxError(
                .unusedArgument, at: end,
                "The format uses \(argumentIndex) of \(arguments.count) arguments. Add conversions or remove arguments."
            )
        }
        return whole
    }

    // MARK: Tokens

    private var current: PredicateToken.Kind? { tokens[safe: index]?.kind }
    private var offset: Int { tokens[safe: index]?.offset ?? end }

    private mutating func take(symbol: String...) -> Bool {
        guard case .symbol(let text) = current, symbol.contains(text) else { return false }
        index += 1
        return true
    }

    private mutating func take(keyword: String...) -> Bool {
        guard case .keyword(let text) = current, keyword.contains(text) else { return false }
        index += 1
        return true
    }

    private mutating func require(symbol: String) throws(PredicateSyntaxError) {
        guard take(symbol: symbol) else { throw unexpected("“\(symbol)” must follow.") }
    }

    private func unexpected(_ expectation: String) -> PredicateSyntaxError {
        guard let token = tokens[safe: index] else {
            return PredicateSyntaxError(.unexpectedEnd, at: end, "The format ends here, but \(expectation)")
        }
        switch token.kind {
        case .variable(let name):
            return PredicateSyntaxError(
                .unsupported, at: token.offset,
                "$\(name) is a variable, which predicates here do not have. Use %@ and give its value.")
        case .keyword("SUBQUERY"), .keyword("FUNCTION"), .keyword("TERNARY"):
            return PredicateSyntaxError(.unsupported, at: token.offset, "“\(token.shown)” is not supported.")
        case .symbol("+"), .symbol("-"):
            return PredicateSyntaxError(
                .unsupported, at: token.offset, "“\(token.shown)” is arithmetic, which predicates here do not have.")
        default:
            return PredicateSyntaxError(
                .unexpectedToken, at: token.offset, "“\(token.shown)” stands here, but \(expectation)")
        }
    }

    private mutating func enter() throws(PredicateSyntaxError) {
        depth += 1
        guard depth <= MetadataPredicate.maximumDepth else {
            throw PredicateSyntaxError(
                .nestingTooDeep, at: offset, "A predicate may nest \(MetadataPredicate.maximumDepth) deep. Flatten it.")
        }
    }

    // MARK: Compounds

    private func predicate(_ term: Term) throws(PredicateSyntaxError) -> MetadataPredicate {
        switch term {
        case .predicate(let predicate): return predicate
        case .operand: throw unexpected("an operator such as == must follow.")
        }
    }

    private mutating func parseOr() throws(PredicateSyntaxError) -> Term {
        let first = try parseAnd()
        var parts: [MetadataPredicate] = []
        while take(keyword: "OR") || take(symbol: "||") {
            if parts.isEmpty { parts = [try predicate(first)] }
            let next = try parseAnd()
            parts.append(try predicate(next))
        }
        return parts.isEmpty ? first : .predicate(.or(parts))
    }

    private mutating func parseAnd() throws(PredicateSyntaxError) -> Term {
        let first = try parseNot()
        var parts: [MetadataPredicate] = []
        while take(keyword: "AND") || take(symbol: "&&") {
            if parts.isEmpty { parts = [try predicate(first)] }
            let next = try parseNot()
            parts.append(try predicate(next))
        }
        return parts.isEmpty ? first : .predicate(.and(parts))
    }

    private mutating func parseNot() throws(PredicateSyntaxError) -> Term {
        guard take(keyword: "NOT") || take(symbol: "!") else { return try parseComparison() }
        try enter()
        defer { depth -= 1 }
        let term = try parseNot()
        return .predicate(.not(try predicate(term)))
    }

    // MARK: Comparisons

    private mutating func parseComparison() throws(PredicateSyntaxError) -> Term {
        if take(keyword: "TRUEPREDICATE") { return .predicate(.constant(true)) }
        if take(keyword: "FALSEPREDICATE") { return .predicate(.constant(false)) }
        let modifier: PredicateComparison.Modifier? =
            if take(keyword: "ANY", "SOME") {
                .any
            } else if take(keyword: "ALL") {
                .all
            } else if take(keyword: "NONE") {
                PredicateComparison.Modifier.none
            } else {
                nil
            }
        let leftOffset = offset
        let left: PredicateOperand
        switch try parseTerm() {
        case .predicate(let predicate):
            guard modifier == nil else {
                throw PredicateSyntaxError(
                    .unexpectedToken, at: leftOffset, "ANY, ALL and NONE must be followed by an attribute.")
            }
            return .predicate(predicate)
        case .operand(let operand, let operandOffset):
            // A parenthesis may end here, and an operator follow it.
            guard modifier != nil || beginsOperator else { return .operand(operand, offset: operandOffset) }
            left = operand
        }
        let (symbol, operatorOffset) = try parseOperator()
        let options = try parseOptions(symbol)
        let right = try parseOperand()
        let comparison = PredicateComparison(
            modifier: modifier ?? .direct, left: left, operator: symbol, options: options, right: right)
        return .predicate(.comparison(try checked(comparison, at: operatorOffset)))
    }

    private static let symbols: [String: PredicateComparison.Operator] = [
        "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
        ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
    ]

    private var operatorHere: PredicateComparison.Operator? {
        switch current {
        case .symbol(let text): Self.symbols[text]
        case .keyword(let text): PredicateComparison.Operator(rawValue: text)
        default: nil
        }
    }

    private var beginsOperator: Bool { operatorHere != nil }

    private mutating func parseOperator() throws(PredicateSyntaxError) -> (PredicateComparison.Operator, Int) {
        guard let symbol = operatorHere else { throw unexpected("an operator such as == must follow.") }
        defer { index += 1 }
        return (symbol, offset)
    }

    private mutating func parseOptions(
        _ symbol: PredicateComparison.Operator
    ) throws(PredicateSyntaxError) -> PredicateComparison.Options {
        guard case .options(let text) = current else { return [] }
        var options: PredicateComparison.Options = []
        for character in text {
            switch character {
            case "c", "C": options.insert(.caseInsensitive)
            case "d", "D": options.insert(.diacriticInsensitive)
            case "n", "N": options.insert(.normalized)
            default:
                throw PredicateSyntaxError(
                    .invalidOptions, at: offset, "“\(character)” is no option. The options are c, d and n.")
            }
        }
        guard !text.isEmpty else { throw PredicateSyntaxError(.invalidOptions, at: offset, "No option is given.") }
        index += 1
        return options
    }

    private func checked(
        _ comparison: PredicateComparison, at offset: Int
    ) throws(PredicateSyntaxError) -> PredicateComparison {
        var comparison = comparison
        switch comparison.operator {
        case .like, .matches:
            guard case .constant(let value) = comparison.right else { break }
            guard case .string(let text) = value else {
                throw PredicateSyntaxError(
                    .invalidPattern, at: offset, "\(comparison.operator.rawValue) must be followed by a text.")
            }
            do throws(PatternError) {
                comparison.pattern = try TextPattern(text, comparison.operator, comparison.options)
            } catch {
                throw PredicateSyntaxError(.invalidPattern, at: offset, error.message)
            }
        case .between:
            let count: Int? =
                switch comparison.right {
                case .constant(.array(let elements)): elements.count
                case .aggregate(let elements): elements.count
                case .constant: 0
                default: nil
                }
            guard count ?? 2 == 2 else {
                throw PredicateSyntaxError(
                    .unexpectedToken, at: offset, "BETWEEN must be followed by two values in {}.")
            }
        default: break
        }
        return comparison
    }

    // MARK: Operands

    private mutating func parseOperand() throws(PredicateSyntaxError) -> PredicateOperand {
        let start = offset
        switch try parseTerm() {
        case .operand(let operand, _): return operand
        case .predicate:
            throw PredicateSyntaxError(
                .unexpectedToken, at: start, "A value or an attribute must stand here, no condition.")
        }
    }

    private mutating func parseTerm() throws(PredicateSyntaxError) -> Term {
        let start = offset
        if take(symbol: "(") {
            try enter()
            defer { depth -= 1 }
            let term = try parseOr()
            try require(symbol: ")")
            return term
        }
        return .operand(try parseValue(), offset: start)
    }

    private mutating func parseValue() throws(PredicateSyntaxError) -> PredicateOperand {
        if take(symbol: "{") { return try parseAggregate() }
        if take(keyword: "CAST") { return try parseCast() }
        if take(symbol: "-") {
            guard case .number(let value) = current, let negative = Self.negated(value) else {
                throw unexpected("a number must follow the sign.")
            }
            index += 1
            return .constant(negative)
        }
        let start = offset
        let operand: PredicateOperand
        switch current {
        case .string(let text): operand = .constant(.string(text))
        case .number(let value): operand = .constant(value)
        case .keyPath(let path): operand = .keyPath(path)
        case .keyword("TRUE"), .keyword("YES"): operand = .constant(.boolean(true))
        case .keyword("FALSE"), .keyword("NO"): operand = .constant(.boolean(false))
        case .keyword("NULL"), .keyword("NIL"): operand = .constant(.null)
        case .keyword("SELF"): operand = .evaluatedObject
        case .conversion(let conversion): operand = try substituted(conversion, at: start)
        default: throw unexpected("a value or an attribute must follow.")
        }
        index += 1
        if case .options = current {
            throw PredicateSyntaxError(.unsupported, at: offset, "An index in brackets is not supported.")
        }
        return operand
    }

    private mutating func substituted(
        _ conversion: PredicateToken.Conversion, at start: Int
    ) throws(PredicateSyntaxError) -> PredicateOperand {
        if conversion == .percent { return .constant(.string("%")) }
        guard argumentIndex < arguments.count else {
            throw PredicateSyntaxError(
                .missingArgument, at: start, "There is no argument for this conversion. Add one.")
        }
        let argument = arguments[argumentIndex]
        argumentIndex += 1
        return switch conversion {
        case .key: try PredicateArgument.key(argument, at: start)
        case .object: .constant(try PredicateArgument.object(argument, at: start))
        default: .constant(try PredicateArgument.number(argument, conversion, at: start))
        }
    }

    private static func negated(_ value: PropertyValue) -> PropertyValue? {
        switch value {
        case .integer(let value): .integer(-value)
        case .unsignedInteger(let value): value == UInt64(1) << 63 ? .integer(.min) : nil
        case .real(let value): .real(-value)
        default: nil
        }
    }

    private mutating func parseAggregate() throws(PredicateSyntaxError) -> PredicateOperand {
        try enter()
        defer { depth -= 1 }
        var elements: [PredicateOperand] = []
        if take(symbol: "}") { return .constant(.array([])) }
        repeat { elements.append(try parseOperand()) } while take(symbol: ",")
        try require(symbol: "}")
        var constants: [PropertyValue] = []
        for case .constant(let value) in elements { constants.append(value) }
        return constants.count == elements.count ? .constant(.array(constants)) : .aggregate(elements)
    }

    private mutating func parseCast() throws(PredicateSyntaxError) -> PredicateOperand {
        try enter()
        defer { depth -= 1 }
        let start = offset
        try require(symbol: "(")
        let operand = try parseOperand()
        try require(symbol: ",")
        let nameOffset = offset
        guard case .constant(.string(let name)) = try parseOperand() else {
            throw PredicateSyntaxError(
                .unexpectedToken, at: nameOffset, "CAST takes a class's name in quotation marks.")
        }
        try require(symbol: ")")
        guard let cast = Self.cast(operand, name) else {
            throw PredicateSyntaxError(
                .unsupported, at: start,
                "This CAST is not supported. CAST takes a number of seconds since 2001 and \"NSDate\", a text and "
                    + "\"NSURL\" or \"NSUUID\", or base 64 and \"NSData\".")
        }
        return cast
    }

    private static func cast(_ operand: PredicateOperand, _ name: String) -> PredicateOperand? {
        guard case .constant(let value) = operand else { return name == "NSDate" ? .date(operand) : nil }
        let result: PropertyValue? =
            switch (name, value) {
            case ("NSDate", _): PredicateEvaluator.date(from: value)
            case ("NSURL", .string(let text)): URL(string: text).map(PropertyValue.url)
            case ("NSUUID", .string(let text)): UUID(uuidString: text).map(PropertyValue.uuid)
            case ("NSData", .string(let text)): Data(base64Encoded: text).map(PropertyValue.data)
            default: nil
            }
        return result.map(PredicateOperand.constant)
    }
}

extension Collection {
    subscript(safe index: Index) -> Element? { indices.contains(index) ? self[index] : nil }
}
