/// `left operator right`.
package struct PredicateComparison: Hashable, Sendable {
    /// How the operator is applied where the left side is a collection.
    package enum Modifier: String, Hashable, Sendable {
        /// Once, to the whole.
        case direct
        /// True if it holds for one element. `SOME` is the same.
        case any = "ANY"
        /// True if it holds for every element.
        case all = "ALL"
        /// True if it holds for no element.
        case none = "NONE"
    }

    package enum Operator: String, Hashable, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        case like = "LIKE"
        case matches = "MATCHES"
        case within = "IN"
        case between = "BETWEEN"
    }

    /// How texts are compared.
    package struct Options: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// `c`: upper and lower case are the same.
        package static let caseInsensitive = Options(rawValue: 1)
        /// `d`: letters with and without marks are the same.
        package static let diacriticInsensitive = Options(rawValue: 2)
        /// `n`: texts are compared as they are, so that a composed letter differs from a decomposed one.
        package static let normalized = Options(rawValue: 4)
    }

    package var modifier: Modifier
    package var left: PredicateOperand
    package var `operator`: Operator
    package var options: Options
    package var right: PredicateOperand
    /// The pattern on the right side of LIKE and MATCHES, if it is a constant.
    var pattern: TextPattern?
}
