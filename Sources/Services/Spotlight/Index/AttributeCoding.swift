import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Attributes on the disk: as they come over the wire.
enum AttributeCoding {
    static func encode(_ attributes: [String: PropertyValue]) -> Data {
        let message = Baton_Value_V1_PropertyDictionary(attributes: attributes)
        return Data((try? message.serializedBytes() as [UInt8]) ?? [])
    }

    /// Nil for what this version cannot read.
    static func decode(_ data: Data) -> [String: PropertyValue]? {
        (try? Baton_Value_V1_PropertyDictionary(serializedBytes: Array(data))).flatMap { try? $0.attributes() }
    }
}
