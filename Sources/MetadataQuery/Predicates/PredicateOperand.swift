package import BatonCore

/// One side of a comparison.
package indirect enum PredicateOperand: Hashable, Sendable {
    case constant(PropertyValue)
    /// Attribute names, joined by periods.
    case keyPath(String)
    /// `SELF`: what the predicate is evaluated with.
    case evaluatedObject
    /// `{a, b}` with at least one element that is no constant.
    case aggregate([PredicateOperand])
    /// `CAST(operand, "NSDate")`, where the operand is no constant: seconds since 2001 as a date.
    case date(PredicateOperand)
}
