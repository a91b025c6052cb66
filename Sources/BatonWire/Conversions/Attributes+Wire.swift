package import BatonCore
import SwiftProtobuf

/// Values by name, as search metadata and places are.
extension Baton_Value_V1_PropertyDictionary {
    package init(attributes: [String: PropertyValue]) {
        self.init()
        entries = attributes.sorted { $0.key < $1.key }.map { name, value in
            .with {
                $0.key.string = name
                $0.value = .init(value)
            }
        }
    }

    /// - Throws: `invalid_argument` for a value that cannot be read, a name that is no text or comes twice.
    package func attributes() throws(BatonError) -> [String: PropertyValue] {
        var message = Baton_Value_V1_PropertyValue()
        message.dictionary = self
        guard case .dictionary(let entries) = try PropertyValue(message) else { return [:] }
        var attributes: [String: PropertyValue] = [:]
        for (key, value) in entries {
            guard case .string(let name) = key else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_attributes", "An attribute's name must be a string.")
            }
            attributes[name] = value
        }
        return attributes
    }
}
