import ArgumentParser
import BatonCore
import Foundation

/// The type of a value on the command line.
enum KeyValueType: String, CaseIterable, ExpressibleByArgument {
    case string, integer, real, boolean, data, date, json

    /// - Throws: `invalid_argument` for a text that is no such value, `out_of_range` for a number that is too large.
    func value(of text: String) throws(BatonError) -> PropertyValue {
        switch self {
        case .string: return .string(text)
        case .integer: return try wholeNumber(text)
        case .real: return try number(text)
        case .boolean:
            if let value = Bool(text) { return .boolean(value) }
        case .data:
            if let data = Data(base64Encoded: text) { return .data(data) }
        case .date:
            if let date = Self.moment(text) {
                guard CalendarText.isPossible(text) else {
                    throw noSuchMoment(text)
                }
                return .date(date)
            }
            // The parser takes no 13th month, and no 32nd day.
            if Self.hasFormOfMoment(text), !CalendarText.isPossible(text) { throw noSuchMoment(text) }
        case .json: return try parsed(text)
        }
        throw malformed(text)
    }

    private func wholeNumber(_ text: String) throws(BatonError) -> PropertyValue {
        if let value = Int64(text) { return .integer(value) }
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(Self.isDigit) else { throw malformed(text) }
        throw Self.outOfRange(
            "“\(Self.shown(text))” does not fit into 64 bits: an integer is from \(Int64.min) to \(Int64.max). Use --type "
                + "real for a number that is about as large, or --type string to keep each digit.")
    }

    private func number(_ text: String) throws(BatonError) -> PropertyValue {
        guard let value = Double(text) else { throw malformed(text) }
        if value.isFinite { return .real(value) }
        guard value.isInfinite, text.utf8.contains(where: Self.isDigit) else {
            // Apps may store them. Typed by a person they come from a calculation that failed, and few apps expect them.
            throw Self.invalid("“\(Self.shown(text))” is no finite number, and no other can be set: write \(form).")
        }
        throw Self.outOfRange(
            "“\(Self.shown(text))” is too large for a real, which is at most about 1.8e308. Write a smaller number, or use "
                + "--type string to keep each digit.")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private func noSuchMoment(_ text: String) -> BatonError {
        Self.invalid("“\(Self.shown(text))” is no date: there is no such day or time. Write \(form).")
    }

    /// Whether it begins with digits where those of a date and a time are.
    private static func hasFormOfMoment(_ text: String) -> Bool {
        let form = "0000-00-00T00:00:00".utf8
        return text.utf8.count >= form.count
            && zip(text.utf8, form).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
    }

    /// With a fraction of a second or without one; nothing may follow.
    private static func moment(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle.iso8601
        let all = text.startIndex..<text.endIndex
        guard let found = try? style.consuming(text, startingAt: all.lowerBound, in: all),
            found.upperBound == all.upperBound
        else { return nil }
        return found.output
    }

    private func parsed(_ text: String) throws(BatonError) -> PropertyValue {
        let outline = JSONOutline(text)
        guard outline.depth <= PropertyValue.maximumDepth else {
            throw BatonError(
                .invalidArgument, reason: "nesting_too_deep",
                "“\(Self.shown(text))” nests more than \(PropertyValue.maximumDepth) arrays and objects. Flatten it.")
        }
        guard
            let object = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed),
            let value = try? PropertyValue(any: object)
        else { throw malformed(text) }
        if let name = outline.repeatedName {
            throw Self.invalid(
                "“\(Self.shown(text))” has the name “\(Self.shown(name))” twice in one object, and only one value can be kept. "
                    + "Remove one.")
        }
        guard !value.holdsNull else {
            throw Self.invalid(
                "“\(Self.shown(text))” holds null, which a store does not take: leave it out, or “baton kv remove” the "
                    + "key.")
        }
        return value
    }

    // MARK: Mistakes

    private func malformed(_ text: String) -> BatonError {
        Self.invalid("“\(Self.shown(text))” is no \(self == .json ? "JSON" : rawValue): write \(form).")
    }

    private var form: String {
        switch self {
        case .string: "any text"
        case .integer: "a whole number"
        case .real: "a number, as in 0.5"
        case .boolean: "true or false"
        case .data: "base64"
        case .date: "a moment as in 2026-01-31T12:00:00Z or 2026-01-31T12:00:00.123+01:00"
        case .json: "JSON without null, as in [1, \"two\"]"
        }
    }

    private static func invalid(_ message: String) -> BatonError {
        BatonError(.invalidArgument, reason: "invalid_value", message)
    }

    private static func outOfRange(_ message: String) -> BatonError {
        BatonError(.outOfRange, reason: "value_out_of_range", message)
    }

    /// A value may be long, and what is wrong with it is said beside it.
    private static func shown(_ text: String) -> String { text.shortened(toBytes: 40) }
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
