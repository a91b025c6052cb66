package import BatonCore
import Foundation
import SwiftProtobuf

extension Baton_Value_V1_PropertyValue {
    package init(_ value: PropertyValue) {
        self.init()
        switch value {
        case .null: null = .init()
        case .boolean(let value): boolean = value
        case .integer(let value): integer = value
        case .unsignedInteger(let value): unsignedInteger = value
        case .real(let value): real = value
        case .string(let value): string = value
        case .data(let value): data = value
        case .date(let value): date = value.timeIntervalSinceReferenceDate
        case .url(let value): url = value.absoluteString
        case .uuid(let value): uuid = withUnsafeBytes(of: value.uuid) { Data($0) }
        case .array(let values): array = .with { $0.values = values.map(Self.init) }
        case .set(let values): set = .with { $0.values = values.map(Self.init) }
        case .dictionary(let entries):
            dictionary = .with {
                $0.entries = entries.map { entry in
                    .with {
                        $0.key = .init(entry.key)
                        $0.value = .init(entry.value)
                    }
                }
            }
        }
    }
}

extension PropertyValue {
    /// - Throws: `invalid_argument` for a kind that this version does not know, a bad URL or UUID, an entry without a
    ///   key or value, a double key, or containers that nest too deep.
    package init(_ message: Baton_Value_V1_PropertyValue) throws(BatonError) {
        try self.init(message, depth: 0)
    }

    private init(_ message: Baton_Value_V1_PropertyValue, depth: Int) throws(BatonError) {
        guard depth <= Self.maximumDepth else {
            throw Self.invalid("A value nests more than \(Self.maximumDepth) containers")
        }
        switch message.kind {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .unsignedInteger(let value):
            self = Int64(exactly: value).map(PropertyValue.integer) ?? .unsignedInteger(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .data(let value): self = .data(value)
        case .date(let value):
            guard value.isFinite else { throw Self.invalid("A date is not a finite number") }
            self = .date(Date(timeIntervalSinceReferenceDate: value))
        case .url(let value):
            guard let url = URL(string: value) else { throw Self.invalid("A URL cannot be parsed") }
            self = .url(url)
        case .uuid(let value):
            guard value.count == 16 else { throw Self.invalid("A UUID does not have 16 bytes") }
            var uuid = emptyUUID
            withUnsafeMutableBytes(of: &uuid) { _ = value.copyBytes(to: $0) }
            self = .uuid(UUID(uuid: uuid))
        case .array(let array):
            self = .array(try Self.values(array, depth: depth))
        case .set(let array):
            let values = try Self.values(array, depth: depth)
            let set = Set(values)
            guard set.count == values.count else { throw Self.invalid("A set holds a member twice") }
            self = .set(set)
        case .dictionary(let dictionary):
            var entries: [PropertyValue: PropertyValue] = [:]
            entries.reserveCapacity(dictionary.entries.count)
            for entry in dictionary.entries {
                guard entry.hasKey, entry.hasValue else { throw Self.invalid("An entry has no key or no value") }
                let key = try PropertyValue(entry.key, depth: depth + 1)
                let value = try PropertyValue(entry.value, depth: depth + 1)
                guard entries.updateValue(value, forKey: key) == nil else {
                    throw Self.invalid("A dictionary holds a key twice")
                }
            }
            self = .dictionary(entries)
        case .document:
            // A daemon puts the URL of its own device in the place of each before anybody reads the values.
            throw Self.invalid("A value names a document that was not found")
        case nil:
            throw Self.invalid("A value is of a kind that this version of Baton does not know")
        }
    }

    private static func values(_ array: Baton_Value_V1_PropertyArray, depth: Int) throws(BatonError) -> [PropertyValue]
    {
        var values: [PropertyValue] = []
        values.reserveCapacity(array.values.count)
        for value in array.values {
            values.append(try PropertyValue(value, depth: depth + 1))
        }
        return values
    }

    private static func invalid(_ finding: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "invalid_property_value",
            "\(finding). The sender is broken or newer than this device; update Baton on both.")
    }
}

private let emptyUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
