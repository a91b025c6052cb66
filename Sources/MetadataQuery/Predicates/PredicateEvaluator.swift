import BatonCore
import Foundation

extension MetadataPredicate {
    /// Whether the condition holds. Values that cannot be compared are different, and in no order: nothing is an error.
    package func evaluate(with subject: some PredicateSubject) -> Bool {
        switch self {
        case .constant(let value): value
        case .comparison(let comparison): PredicateEvaluator.evaluate(comparison, subject)
        case .and(let parts): parts.allSatisfy { $0.evaluate(with: subject) }
        case .or(let parts): parts.contains { $0.evaluate(with: subject) }
        case .not(let part): !part.evaluate(with: subject)
        }
    }
}

enum PredicateEvaluator {
    // MARK: Operands

    static func value(of operand: PredicateOperand, _ subject: some PredicateSubject) -> PropertyValue {
        switch operand {
        case .constant(let value): value
        case .keyPath(let path): value(ofKeyPath: path, subject)
        case .evaluatedObject: subject.ownValue ?? .null
        case .aggregate(let elements): .array(elements.map { value(of: $0, subject) })
        case .date(let operand): date(from: value(of: operand, subject)) ?? .null
        }
    }

    static func date(from value: PropertyValue) -> PropertyValue? {
        switch value {
        case .date: value
        case .integer(let seconds): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case .unsignedInteger(let seconds): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case .real(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        default: nil
        }
    }

    /// An attribute may have periods in its name; otherwise each name is looked up in the value of the one before.
    private static func value(ofKeyPath path: String, _ subject: some PredicateSubject) -> PropertyValue {
        if let value = subject.value(forAttribute: path) { return value }
        var rest = path.split(separator: ".").map(String.init)[...]
        var value: PropertyValue?
        if let first = rest.first, first.uppercased() == "SELF" || first.hasPrefix("@") {
            value = subject.ownValue
            if !first.hasPrefix("@") { rest.removeFirst() }
        } else if let first = rest.popFirst() {
            value = subject.value(forAttribute: first)
        }
        for name in rest {
            guard let current = value else { return .null }
            value = step(name, from: current)
        }
        return value ?? .null
    }

    private static func step(_ name: String, from value: PropertyValue) -> PropertyValue? {
        switch value {
        case .array(let elements):
            name.hasPrefix("@") ? collected(name, elements) : .array(elements.map { step(name, from: $0) ?? .null })
        case .set(let elements): step(name, from: .array(Array(elements)))
        default: value.value(forAttribute: name)
        }
    }

    private static func collected(_ name: String, _ elements: [PropertyValue]) -> PropertyValue? {
        switch name {
        case "@count": .integer(Int64(elements.count))
        case "@min": elements.min { ValueOrder.compare($0, $1) == .orderedAscending }
        case "@max": elements.max { ValueOrder.compare($0, $1) == .orderedAscending }
        case "@sum": .real(elements.compactMap(ValueOrder.number).reduce(0, +))
        case "@avg":
            elements.isEmpty
                ? .null : .real(elements.compactMap(ValueOrder.number).reduce(0, +) / Double(elements.count))
        default: nil
        }
    }

    // MARK: Comparisons

    static func evaluate(_ comparison: PredicateComparison, _ subject: some PredicateSubject) -> Bool {
        let left = value(of: comparison.left, subject)
        let right = value(of: comparison.right, subject)
        guard comparison.modifier != .direct else { return holds(comparison, left, right) }
        // A single value counts as a collection of one, no value as an empty one.
        let elements = left == .null ? [] : elements(of: left) ?? [left]
        return switch comparison.modifier {
        case .all: elements.allSatisfy { holds(comparison, $0, right) }
        case .any: elements.contains { holds(comparison, $0, right) }
        case .none, .direct: !elements.contains { holds(comparison, $0, right) }
        }
    }

    private static func elements(of value: PropertyValue) -> [PropertyValue]? {
        switch value {
        case .array(let elements): elements
        case .set(let elements): Array(elements)
        case .dictionary(let entries): Array(entries.values)
        default: nil
        }
    }

    private static func holds(_ comparison: PredicateComparison, _ left: PropertyValue, _ right: PropertyValue) -> Bool
    {
        let folding = TextFolding(comparison.options)
        func isEqual(_ left: PropertyValue, _ right: PropertyValue) -> Bool { areEqual(left, right, folding) }
        func order(_ left: PropertyValue, _ right: PropertyValue) -> ComparisonResult? { compare(left, right, folding) }
        switch comparison.operator {
        case .equal: return isEqual(left, right)
        case .notEqual: return !isEqual(left, right)
        case .less: return order(left, right) == .orderedAscending
        case .lessOrEqual: return order(left, right).map { $0 != .orderedDescending } ?? false
        case .greater: return order(left, right) == .orderedDescending
        case .greaterOrEqual: return order(left, right).map { $0 != .orderedAscending } ?? false
        case .within: return contains(right, left, folding)
        case .contains: return contains(left, right, folding)
        case .beginsWith, .endsWith:
            guard let whole = text(of: left), let part = text(of: right) else { return false }
            return folding.matches(whole, part, comparison.operator)
        case .between:
            guard let bounds = elements(of: right), bounds.count == 2,
                let low = order(bounds[0], left), let high = order(left, bounds[1])
            else { return false }
            return low != .orderedDescending && high != .orderedDescending
        case .like, .matches:
            guard let subject = text(of: left) else { return false }
            let characters = Array(folding.folded(subject))
            if let pattern = comparison.pattern { return pattern.matches(characters) }
            guard let source = text(of: right),
                let pattern = try? TextPattern(source, comparison.operator, comparison.options)
            else { return false }
            return pattern.matches(characters)
        }
    }

    /// Addresses are compared with texts by their text, as a query's attributes hold paths in either form.
    private static func text(of value: PropertyValue) -> String? {
        switch value {
        case .string(let text): text
        case .url(let url): url.absoluteString
        case .uuid(let uuid): uuid.uuidString
        default: nil
        }
    }

    private static func contains(_ whole: PropertyValue, _ part: PropertyValue, _ folding: TextFolding) -> Bool {
        if let elements = elements(of: whole) { return elements.contains { areEqual($0, part, folding) } }
        guard let text = Self.text(of: whole), let part = Self.text(of: part) else { return false }
        return folding.matches(text, part, .contains)
    }

    private static func areEqual(_ left: PropertyValue, _ right: PropertyValue, _ folding: TextFolding) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return folding.areEqual(left, right)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1, folding) }
        case (.url, .string), (.string, .url), (.uuid, .string), (.string, .uuid):
            guard let left = text(of: left), let right = text(of: right) else { return false }
            return folding.areEqual(left, right)
        default: return left == right || ValueOrder.compare(left, right) == .orderedSame
        }
    }

    private static func compare(
        _ left: PropertyValue, _ right: PropertyValue, _ folding: TextFolding
    ) -> ComparisonResult? {
        guard let first = text(of: left), let second = text(of: right) else {
            return ValueOrder.compare(left, right)
        }
        return ValueOrder.compare(.string(folding.folded(first)), .string(folding.folded(second)))
    }
}
