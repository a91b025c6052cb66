import BatonCore
import Foundation

/// Writes a predicate as a format that reads back as an equal one.
enum PredicateFormatter {
    static func text(of predicate: MetadataPredicate) -> String {
        switch predicate {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): text(of: comparison)
        case .and(let parts): parts.map(nested).joined(separator: " AND ")
        case .or(let parts): parts.map(nested).joined(separator: " OR ")
        case .not(let part): "NOT " + nested(part)
        }
    }

    private static func nested(_ predicate: MetadataPredicate) -> String {
        switch predicate {
        case .constant, .comparison: text(of: predicate)
        case .and, .or, .not: "(" + text(of: predicate) + ")"
        }
    }

    private static func text(of comparison: PredicateComparison) -> String {
        let modifier = comparison.modifier == .direct ? "" : comparison.modifier.rawValue + " "
        var options = ""
        if comparison.options.contains(.caseInsensitive) { options += "c" }
        if comparison.options.contains(.diacriticInsensitive) { options += "d" }
        if comparison.options.contains(.normalized) { options += "n" }
        if !options.isEmpty { options = "[\(options)]" }
        let symbol = comparison.operator.rawValue + options
        return "\(modifier)\(text(of: comparison.left)) \(symbol) \(text(of: comparison.right))"
    }

    static func text(of operand: PredicateOperand) -> String {
        switch operand {
        case .constant(let value): text(of: value)
        case .keyPath(let path): path.split(separator: ".").map(name).joined(separator: ".")
        case .evaluatedObject: "SELF"
        case .aggregate(let elements): "{" + elements.map(text(of:)).joined(separator: ", ") + "}"
        case .date(let operand): "CAST(\(text(of: operand)), \"NSDate\")"
        }
    }

    private static func name(_ name: Substring) -> String {
        PredicateToken.keywords.contains(name.uppercased()) ? "#" + name : String(name)
    }

    static func text(of value: PropertyValue) -> String {
        switch value {
        case .null: "nil"
        case .boolean(let value): value ? "YES" : "NO"
        case .integer(let value): String(value)
        case .unsignedInteger(let value): String(value)
        case .real(let value): String(value)
        case .string(let value): quoted(value)
        case .data(let value): "CAST(\(quoted(value.base64EncodedString())), \"NSData\")"
        case .date(let value): "CAST(\(value.timeIntervalSinceReferenceDate), \"NSDate\")"
        case .url(let value): "CAST(\(quoted(value.absoluteString)), \"NSURL\")"
        case .uuid(let value): "CAST(\(quoted(value.uuidString)), \"NSUUID\")"
        case .array(let elements): "{" + elements.map(text(of:)).joined(separator: ", ") + "}"
        // No operand is one: see PredicateArgument.
        case .set, .dictionary: "nil"
        }
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension MetadataPredicate: CustomStringConvertible {
    /// The normalised format. Reading it gives an equal predicate.
    package var description: String { PredicateFormatter.text(of: self) }
}
