import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Attributes on the disk: as they come over the wire, but for the frequent names, which are a byte each.
enum AttributeCoding {
    /// The first is U+0001, and so on. On the disk: new ones come at the end, and the last can be U+001E. `relatedUniqueIdentifier` is
    /// looked for in the bytes, so it stays whole.
    private static let frequent = [
        "title", "textContent", "displayName", "contentDescription", "keywords", "contentType", "contentURL", "url",
        "thumbnailURL", "path", "containerIdentifier",
        "identifier", "lastUsedDate", "contentCreationDate", "contentModificationDate", "metadataModificationDate",
        "languages", "creator", "subject", "comment", "authorNames", "namedLocation", "alternateNames", "latitude",
        "longitude", "kind", "fullyFormattedAddress", "rankingHint",
    ]
    private static let codes = Dictionary(
        uniqueKeysWithValues: frequent.enumerated().map { ($1, String(UnicodeScalar(UInt8($0 + 1)))) })
    /// Stands before a name that might be taken for one of these.
    private static let mark: Unicode.Scalar = "\u{1F}"

    static func encode(_ attributes: [String: PropertyValue]) -> Data {
        let stored = Dictionary(attributes.map { (short($0.key), $0.value) }) { first, _ in first }
        let message = Baton_Value_V1_PropertyDictionary(attributes: stored)
        return Data((try? message.serializedBytes() as [UInt8]) ?? [])
    }

    /// Nil for what this version cannot read. Names that are whole, as in files of earlier versions, are read too.
    static func decode(_ data: Data) -> [String: PropertyValue]? {
        let message = try? Baton_Value_V1_PropertyDictionary(serializedBytes: Array(data))
        return message.flatMap { try? $0.attributes() }.map { stored in
            Dictionary(stored.map { (whole($0.key), $0.value) }) { first, _ in first }
        }
    }

    private static func short(_ name: String) -> String {
        if let code = codes[name] { return code }
        guard let first = name.unicodeScalars.first, first.value <= mark.value else { return name }
        return String(mark) + name
    }

    private static func whole(_ name: String) -> String {
        guard let first = name.unicodeScalars.first, first.value <= mark.value else { return name }
        if first == mark { return String(name.unicodeScalars.dropFirst()) }
        let place = Int(first.value) - 1
        return name.unicodeScalars.count == 1 && frequent.indices.contains(place) ? frequent[place] : name
    }
}
