import BatonCore
import Foundation

/// The value of a format's argument.
enum PredicateArgument {
    /// The value of a `%@`.
    static func object(_ argument: Any, at offset: Int) throws(PredicateSyntaxError) -> PropertyValue {
        let value: PropertyValue
        do throws(BatonError) {
            value = try PropertyValue(any: unwrapped(argument))
        } catch {
            throw PredicateSyntaxError(.invalidArgument, at: offset, error.message)
        }
        return try comparable(value, at: offset)
    }

    /// An optional's value; NSNull if it has none.
    static func unwrapped(_ argument: Any) -> Any {
        guard let optional = argument as? any OptionalArgument else { return argument }
        return optional.argument.map(unwrapped) ?? NSNull()
    }

    private static func comparable(_ value: PropertyValue, at offset: Int) throws(PredicateSyntaxError) -> PropertyValue
    {
        switch value {
        case .real(let number) where !number.isFinite:
            throw PredicateSyntaxError(.invalidArgument, at: offset, "The number is infinite, or none at all.")
        case .date(let date) where !date.timeIntervalSinceReferenceDate.isFinite:
            throw PredicateSyntaxError(.invalidArgument, at: offset, "The date is infinitely far away.")
        case .array(let elements):
            return .array(
                try elements.map { element throws(PredicateSyntaxError) in try comparable(element, at: offset) })
        case .set(let elements):
            let elements = try elements.map { element throws(PredicateSyntaxError) in
                try comparable(element, at: offset)
            }
            // In one order, so that equal arguments give equal predicates.
            return .array(elements.sorted { PredicateFormatter.text(of: $0) < PredicateFormatter.text(of: $1) })
        case .dictionary:
            throw PredicateSyntaxError(
                .invalidArgument, at: offset, "A dictionary cannot be compared. Give one of its values.")
        default: return value
        }
    }

    /// The value of a `%d`, `%u` or `%f`.
    static func number(
        _ argument: Any, _ conversion: PredicateToken.Conversion, at offset: Int
    ) throws(PredicateSyntaxError) -> PropertyValue {
        switch (conversion, try object(argument, at: offset)) {
        case (.real, .integer(let value)): return .real(Double(value))
        case (.real, .unsignedInteger(let value)): return .real(Double(value))
        case (.real, .real(let value)): return .real(value)
        case (.integer, .boolean(let value)), (.unsignedInteger, .boolean(let value)): return .integer(value ? 1 : 0)
        case (.integer, let value), (.unsignedInteger, let value):
            switch value {
            case .integer, .unsignedInteger: return value
            case .real(let number):
                if let integer = Int64(exactly: number) { return .integer(integer) }
            default: break
            }
        default: break
        }
        throw PredicateSyntaxError(
            .invalidArgument, at: offset,
            "The argument is a \(type(of: argument)), and the conversion takes "
                + (conversion == .real ? "a number." : "a whole number.") + " Use %@ for other values.")
    }

    /// The attribute of a `%K`.
    static func key(_ argument: Any, at offset: Int) throws(PredicateSyntaxError) -> PredicateOperand {
        guard case .string(let path) = try object(argument, at: offset) else {
            throw PredicateSyntaxError(.invalidArgument, at: offset, "The argument of %K must be a text.")
        }
        if path.uppercased() == "SELF" { return .evaluatedObject }
        guard isKeyPath(path) else {
            throw PredicateSyntaxError(
                .invalidKeyPath, at: offset,
                "The argument of %K must be names of letters, digits and “_”, joined by periods.")
        }
        return .keyPath(path)
    }

    private static func isKeyPath(_ path: String) -> Bool {
        guard path.utf8.count <= 1024 else { return false }
        return path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            let name = part.first == "@" ? part.dropFirst() : part
            return name.first.map(PredicateLexer.beginsName) == true && name.allSatisfy(PredicateLexer.continuesName)
        }
    }
}

private protocol OptionalArgument {
    var argument: Any? { get }
}

extension Optional: OptionalArgument {
    fileprivate var argument: Any? { map { $0 as Any } }
}
