import BatonCore
import Foundation

/// Takes typed values from a property list, with sentences that name the key that is wrong.
struct PropertyListReader {
    let file: String
    let values: [String: Any]

    func string(_ key: String, maximumLength: Int = 255) throws(BatonError) -> String? {
        guard let value = values[key] else { return nil }
        guard let text = value as? String else { throw wrong(key, "must be a string") }
        return try check(text, key, maximumLength)
    }

    func requiredString(_ key: String) throws(BatonError) -> String {
        guard let text = try string(key), !text.isEmpty else { throw wrong(key, "is missing") }
        return text
    }

    /// - Returns: empty when the key is missing.
    func strings(_ key: String, maximumCount: Int = 1000) throws(BatonError) -> [String] {
        var result: [String] = []
        for element in try array(key, maximumCount: maximumCount) {
            guard let text = element as? String else { throw wrong(key, "must be an array of strings") }
            result.append(try check(text, key, 255))
        }
        return result
    }

    /// An array of strings, or one string in its place. Empty when the key is missing.
    func oneOrMore(_ key: String, maximumCount: Int = 200) throws(BatonError) -> [String] {
        if values[key] is String { return try string(key).map { [$0] } ?? [] }
        return try strings(key, maximumCount: maximumCount)
    }

    /// - Returns: nil when the key is missing.
    func boolean(_ key: String) throws(BatonError) -> Bool? {
        guard let value = values[key] else { return nil }
        guard let truth = value as? Bool else { throw wrong(key, "must be true or false") }
        return truth
    }

    /// One of a set of words. Nil when the key is missing.
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) throws(BatonError) -> Choice?
    where Choice.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong(key, "must be one of: \(words)")
        }
        return choice
    }

    func dictionaries(_ key: String, maximumCount: Int = 1000) throws(BatonError) -> [PropertyListReader] {
        var result: [PropertyListReader] = []
        for (index, element) in try array(key, maximumCount: maximumCount).enumerated() {
            guard let values = element as? [String: Any] else { throw wrong(key, "must be an array of dictionaries") }
            result.append(PropertyListReader(file: "\(file), \(key) \(index + 1)", values: values))
        }
        return result
    }

    /// - Returns: nil when the key is missing.
    func dictionary(_ key: String, maximumCount: Int = 1000) throws(BatonError) -> PropertyListReader? {
        guard let value = values[key] else { return nil }
        guard let values = value as? [String: Any] else { throw wrong(key, "must be a dictionary") }
        guard values.count <= maximumCount else { throw wrong(key, "has more than \(maximumCount) entries") }
        return PropertyListReader(file: "\(file), \(key)", values: values)
    }

    func data(_ key: String) throws(BatonError) -> [UInt8] {
        guard let data = values[key] as? Data else { throw wrong(key, "must be data") }
        return Array(data)
    }

    func wrong(_ key: String, _ why: String) -> BatonError {
        BatonError(.invalidArgument, reason: "invalid_property_list", "In \(file), “\(key)” \(why).")
    }

    private func array(_ key: String, maximumCount: Int) throws(BatonError) -> [Any] {
        guard let value = values[key] else { return [] }
        guard let array = value as? [Any] else { throw wrong(key, "must be an array") }
        guard array.count <= maximumCount else { throw wrong(key, "has more than \(maximumCount) elements") }
        return array
    }

    private func check(_ text: String, _ key: String, _ maximumLength: Int) throws(BatonError) -> String {
        guard text.utf8.count <= maximumLength else { throw wrong(key, "is longer than \(maximumLength) bytes") }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw wrong(key, "contains a control character")
        }
        return text
    }
}
