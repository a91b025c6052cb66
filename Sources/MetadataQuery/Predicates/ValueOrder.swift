package import BatonCore
package import Foundation

/// The order of attributes' values.
package enum ValueOrder {
    /// Nil if the values are in no order: they differ in kind, or one of them has none.
    package static func compare(_ left: PropertyValue, _ right: PropertyValue) -> ComparisonResult? {
        switch (left, right) {
        case (.string(let left), .string(let right)): order(left, right)
        case (.date(let left), .date(let right)): order(left, right)
        case (.url(let left), .url(let right)): order(left.absoluteString, right.absoluteString)
        case (.uuid(let left), .uuid(let right)): order(left.uuidString, right.uuidString)
        case (.null, .null): .orderedSame
        default: compareNumbers(left, right)
        }
    }

    /// For sorting: no value comes first, then kind by kind.
    package static func sortOrder(_ left: PropertyValue, _ right: PropertyValue) -> ComparisonResult {
        compare(left, right) ?? order(rank(left), rank(right))
    }

    /// For sorting values of Foundation's types. Those that no attribute can hold come as if there were none.
    package static func sortOrder(_ left: Any, _ right: Any) -> ComparisonResult {
        func value(_ any: Any) -> PropertyValue {
            (try? PropertyValue(any: unwrapped(any))) ?? .null
        }
        return sortOrder(value(left), value(right))
    }

    /// The value in an optional, however deep; `NSNull` if it holds nothing.
    package static func unwrapped(_ value: Any) -> Any { PredicateArgument.unwrapped(value) }

    private static func rank(_ value: PropertyValue) -> Int {
        switch value {
        case .null: 0
        case .boolean, .integer, .unsignedInteger, .real: 1
        case .date: 2
        case .string: 3
        case .url: 4
        case .uuid: 5
        case .data: 6
        case .array, .set, .dictionary: 7
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
        left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }

    // MARK: Numbers

    static func number(_ value: PropertyValue) -> Double? {
        switch value {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .unsignedInteger(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    /// Whole numbers exactly: 2⁵³ and 2⁵³ + 1 are one Double.
    private static func compareNumbers(_ left: PropertyValue, _ right: PropertyValue) -> ComparisonResult? {
        if let left = whole(left), let right = whole(right) { return order(left, right) }
        guard let left = number(left), let right = number(right), !left.isNaN, !right.isNaN else { return nil }
        return order(left, right)
    }

    private static func whole(_ value: PropertyValue) -> Int128? {
        switch value {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Int128(value)
        case .unsignedInteger(let value): Int128(value)
        case .real(let value): Int128(exactly: value)
        default: nil
        }
    }
}
