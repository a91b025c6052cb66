import BatonCore
import Files

/// The members of one dictionary of a message. A known key with a value of the wrong type makes the whole message
/// invalid; keys that are not known are ignored, as other versions have them.
struct PropertyListFields {
    private let members: [String: PropertyListValue]
    /// For error messages, as in `Files[2]`.
    private let location: String

    init(_ value: PropertyListValue, _ location: String) throws(BatonError) {
        guard case .dictionary(let members) = value else {
            throw Self.invalid("\(location) must be a dictionary, not \(value.kind)")
        }
        self.members = members
        self.location = location
    }

    func text(_ key: String, maximum: Int = AirDropLimits.nameSize) throws(BatonError) -> String? {
        guard let value = members[key] else { return nil }
        guard case .string(let text) = value else { throw wrong(key, "a text", value) }
        guard text.utf8.count <= maximum else {
            throw Self.invalid("\(location).\(key) has more than \(ByteSize.text(maximum))")
        }
        return text
    }

    /// A text that is shown to people: cleaned, and short.
    func displayedText(_ key: String) throws(BatonError) -> String? { try text(key).map { SafeName.display($0) } }

    func data(_ key: String, maximum: Int) throws(BatonError) -> [UInt8]? {
        guard let value = members[key] else { return nil }
        guard case .data(let bytes) = value else { throw wrong(key, "data", value) }
        guard bytes.count <= maximum else {
            throw Self.invalid("\(location).\(key) has more than \(ByteSize.text(maximum))")
        }
        return bytes
    }

    /// Some senders write flags as 0 and 1.
    func flag(_ key: String) throws(BatonError) -> Bool? {
        switch members[key] {
        case nil: return nil
        case .boolean(let value): return value
        case .integer(0): return false
        case .integer(1): return true
        case .some(let other): throw wrong(key, "true or false", other)
        }
    }

    func array(_ key: String, maximum: Int) throws(BatonError) -> [PropertyListValue] {
        guard let value = members[key] else { return [] }
        guard case .array(let elements) = value else { throw wrong(key, "an array", value) }
        guard elements.count <= maximum else {
            throw BatonError(
                .resourceExhausted, reason: "airdrop_too_many_items",
                "The other device offers \(elements.count) items at once. This device takes \(maximum); send them as a "
                    + "folder.")
        }
        return elements
    }

    func require<Value>(_ value: Value?, _ key: String) throws(BatonError) -> Value {
        guard let value else { throw Self.invalid("\(location).\(key) is missing") }
        return value
    }

    private func wrong(_ key: String, _ expected: String, _ value: PropertyListValue) -> BatonError {
        Self.invalid("\(location).\(key) must be \(expected), not \(value.kind)")
    }

    static func invalid(_ what: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "airdrop_message_invalid",
            "The other device sent a message that breaks AirDrop's protocol: \(what).")
    }
}

extension [String: PropertyListValue] {
    /// Sets what there is.
    mutating func set(_ key: String, text: String?) { self[key] = text.map(PropertyListValue.string) }

    mutating func set(_ key: String, data: [UInt8]?) { self[key] = data.map(PropertyListValue.data) }
}
