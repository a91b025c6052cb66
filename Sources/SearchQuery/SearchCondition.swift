package import BatonCore
import Foundation

/// The condition that a query string of `CSSearchQuery` expresses.
package indirect enum SearchCondition: Hashable, Sendable {
    case text(SearchedAttribute, TextMatch, isNegated: Bool)
    case ordered(SearchedAttribute, Order, Double)
    /// Both ends belong to it.
    case range(SearchedAttribute, Double, Double)
    case and([SearchCondition])
    case or([SearchCondition])
    case not(SearchCondition)

    package enum Order: String, Hashable, Sendable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    /// An attribute by Apple's name, or all that have text (`*`).
    package enum SearchedAttribute: Hashable, Sendable {
        case named(String)
        case any
    }
}

extension SearchCondition {
    /// - Parameter attributes: of one item.
    package func holds(for attributes: [String: PropertyValue]) -> Bool { holds(for: attributes) {} }

    /// - Parameters:
    ///   - attributes: of one item.
    ///   - check: called before each text is compared, which takes time by its length, and ends it by throwing.
    package func holds(
        for attributes: [String: PropertyValue], check: () throws -> Void
    ) rethrows -> Bool {
        switch self {
        case .text(let attribute, let match, let isNegated):
            // One of several values must match; for `!=` none may.
            return try values(of: attribute, attributes).contains { value in
                guard let text = Self.text(value) else { return false }
                try check()
                return match.matches(text)
            } != isNegated
        case .ordered(let attribute, let order, let number):
            let found = values(of: attribute, attributes).compactMap(Self.number)
            if order == .notEqual { return !found.contains(number) }
            return found.contains { Self.holds($0, order, number) }
        case .range(let attribute, let low, let high):
            return values(of: attribute, attributes).compactMap(Self.number).contains { $0 >= low && $0 <= high }
        case .and(let parts): return try parts.allSatisfy { try $0.holds(for: attributes, check: check) }
        case .or(let parts): return try parts.contains { try $0.holds(for: attributes, check: check) }
        case .not(let part): return try !part.holds(for: attributes, check: check)
        }
    }

    private func values(of attribute: SearchedAttribute, _ attributes: [String: PropertyValue]) -> [PropertyValue] {
        switch attribute {
        case .named(let name): (attributes[name] ?? attributes["custom:" + name]).map(Self.elements) ?? []
        case .any: attributes.values.flatMap(Self.elements)
        }
    }

    private static func elements(_ value: PropertyValue) -> [PropertyValue] {
        switch value {
        case .array(let values): values
        case .set(let values): Array(values)
        default: [value]
        }
    }

    private static func text(_ value: PropertyValue) -> String? {
        switch value {
        case .string(let text): text
        case .url(let url): url.absoluteString
        case .uuid(let uuid): uuid.uuidString
        // A person is found by its name.
        case .dictionary(let entries): entries[.string("displayName")].flatMap(text)
        default: nil
        }
    }

    /// Dates count as seconds since 2001, as in the language.
    private static func number(_ value: PropertyValue) -> Double? {
        switch value {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .unsignedInteger(let value): Double(value)
        case .real(let value): value
        case .date(let value): value.timeIntervalSinceReferenceDate
        default: nil
        }
    }

    private static func holds(_ value: Double, _ order: Order, _ other: Double) -> Bool {
        switch order {
        case .equal: value == other
        case .notEqual: value != other
        case .less: value < other
        case .lessOrEqual: value <= other
        case .greater: value > other
        case .greaterOrEqual: value >= other
        }
    }

    // MARK: Candidates

    /// Texts of which each whole word must be in one of these attributes, or the condition does not hold. Empty where
    /// nothing is sure.
    package func requiredTexts(in attributes: Set<String>) -> [String] {
        switch self {
        case .text(.named(let name), let match, false) where attributes.contains(name): match.wholeWords
        case .and(let parts): parts.flatMap { $0.requiredTexts(in: attributes) }
        default: []
        }
    }
}
