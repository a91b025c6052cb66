import BatonCore
import Foundation

extension NSUserActivity {
    /// Why a typed payload could not be stored or read.
    public enum TypedPayloadError: Error, Sendable, Hashable {
        /// The value cannot be written as a dictionary of values that `userInfo` can hold.
        case encodingError
        /// `userInfo` does not hold a value of the type.
        case invalidContent
    }

    /// Replaces the whole `userInfo` by the value's coding keys and their values.
    ///
    /// - Parameter payload: a value that encodes as a dictionary, as structures do. Safe to call from any thread.
    /// - Throws: ``TypedPayloadError/encodingError``; `userInfo` then stays what it was.
    public func setTypedPayload<Payload: Codable>(_ payload: Payload) throws {
        do {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            let data = try encoder.encode(payload)
            let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
            guard case .dictionary(let entries) = try PropertyValue(any: list) else {
                throw TypedPayloadError.encodingError
            }
            update { $0.userInfo = entries }
        } catch {
            throw TypedPayloadError.encodingError
        }
    }

    /// Reads `userInfo` as a value, by its coding keys.
    ///
    /// - Parameter type: what to make. Keys that it does not know are ignored. Safe to call from any thread.
    /// - Throws: ``TypedPayloadError/invalidContent``.
    public func typedPayload<Payload: Codable>(_ type: Payload.Type) throws -> Payload {
        do {
            let list = PropertyValue.dictionary(snapshot.userInfo ?? [:]).propertyList
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            return try PropertyListDecoder().decode(type, from: data)
        } catch {
            throw TypedPayloadError.invalidContent
        }
    }
}

extension PropertyValue {
    /// As the property list that `PropertyListEncoder` writes for the same value, so that entries which the app made by
    /// hand can be read as a typed payload too.
    fileprivate var propertyList: Any {
        switch self {
        case .null: "$null"
        case .url(let url): ["relative": url.absoluteString]
        case .uuid(let uuid): uuid.uuidString
        case .array(let values): values.map(\.propertyList)
        case .set(let values): values.map(\.propertyList)
        case .dictionary(let entries):
            // A property list's keys are strings; no coding key is anything else.
            Dictionary(
                entries.compactMap { key, value in
                    if case .string(let name) = key { (name, value.propertyList) } else { nil }
                }, uniquingKeysWith: { $1 })
        default: any
        }
    }
}
