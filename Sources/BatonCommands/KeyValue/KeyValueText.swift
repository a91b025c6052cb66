import ArgumentParser
import BatonCore
import Foundation

/// What kind of value a text on the command line is.
enum KeyValueType: String, CaseIterable, ExpressibleByArgument {
    case string, integer, real, boolean, data, date, json

    /// - Throws: `invalid_argument` for a text that is no such value.
    func value(of text: String) throws(BatonError) -> PropertyValue {
        let value: PropertyValue? =
            switch self {
            case .string: .string(text)
            case .integer: Int64(text).map(PropertyValue.integer)
            case .real: Double(text).map(PropertyValue.real)
            case .boolean: Bool(text).map(PropertyValue.boolean)
            case .data: Data(base64Encoded: text).map(PropertyValue.data)
            case .date: (try? Date(text, strategy: .iso8601)).map(PropertyValue.date)
            case .json: Self.parse(text)
            }
        guard let value else {
            throw BatonError(
                .invalidArgument, reason: "invalid_value", "“\(text.prefix(80))” is no \(rawValue): write \(form).")
        }
        return value
    }

    private var form: String {
        switch self {
        case .string: "any text"
        case .integer: "a whole number"
        case .real: "a number, as in 0.5"
        case .boolean: "true or false"
        case .data: "base64"
        case .date: "a moment as in 2026-01-31T12:00:00Z"
        case .json: "JSON without null, as in [1, \"two\"]"
        }
    }

    private static func parse(_ text: String) -> PropertyValue? {
        guard
            let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed),
            let value = try? PropertyValue(any: parsed), !value.holdsNull
        else { return nil }
        return value
    }
}

extension PropertyValue {
    /// JSON has it, and property lists have it not.
    fileprivate var holdsNull: Bool {
        switch self {
        case .null: true
        case .array(let values): values.contains(where: \.holdsNull)
        case .dictionary(let entries): entries.values.contains(where: \.holdsNull)
        default: false
        }
    }
}
