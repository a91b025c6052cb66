package import BatonCore
import Foundation

/// What a store may hold. An app chooses the profile in its Info.plist.
package struct KeyValueLimits: Hashable, Sendable {
    /// How a key is measured.
    package enum KeyUnit: Hashable, Sendable { case utf8, utf16 }

    package var keyLength: Int
    package var keyUnit: KeyUnit
    /// Of one value, in bytes as ``size(of:)`` counts them.
    package var valueBytes: Int
    /// Of all values. Keys do not count.
    package var totalBytes: Int
    /// Nil for as many as fit.
    package var keys: Int?

    /// Those of iOS 5 (K-2, K-3, K-4), the default.
    package static let classic = KeyValueLimits(
        keyLength: 64, keyUnit: .utf8, valueBytes: 64 << 10, totalBytes: 64 << 10, keys: nil)
    /// Those of today's systems.
    package static let present = KeyValueLimits(
        keyLength: 128, keyUnit: .utf16, valueBytes: 1 << 20, totalBytes: 1 << 20, keys: 1024)

    /// Why a key cannot be used; nil when it can. An empty key is one like others, as in a property list.
    package func problem(ofKey key: String) -> BatonError? {
        let length = keyUnit == .utf8 ? key.utf8.count : key.utf16.count
        guard length > keyLength else { return nil }
        return BatonError(
            .invalidArgument, reason: "key_too_long",
            "A key of \(length) \(keyUnit == .utf8 ? "bytes" : "UTF-16 units") is longer than the \(keyLength) that the "
                + "key-value store takes. Use a shorter one.")
    }

    /// What a value counts for: the bytes of texts and data, 8 for each number, date and other scalar, and a byte for
    /// each value, so that empty ones count too. The same on every device, whatever it stores.
    package static func size(of value: PropertyValue) -> Int {
        switch value {
        case .null, .boolean: 1
        case .integer, .unsignedInteger, .real, .date: 8
        case .uuid: 16
        case .string(let text): 1 + text.utf8.count
        case .data(let data): 1 + data.count
        case .url(let url): 1 + url.absoluteString.utf8.count
        case .array(let values): values.reduce(1) { $0 + size(of: $1) }
        case .set(let values): values.reduce(1) { $0 + size(of: $1) }
        case .dictionary(let entries): entries.reduce(1) { $0 + size(of: $1.key) + size(of: $1.value) }
        }
    }
}
