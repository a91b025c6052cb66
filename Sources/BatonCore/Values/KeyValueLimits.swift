import Foundation

/// The limits of a key-value store. An app chooses the profile in its Info.plist.
package struct KeyValueLimits: Hashable, Sendable {
    /// By the names that the Info.plist's key ``infoKey`` has for them.
    package enum Profile: String, Hashable, Sendable, CaseIterable { case classic, intermediate, present }

    /// How a key is measured.
    package enum KeyUnit: Hashable, Sendable { case utf8, utf16 }

    package var profile: Profile
    package var keyLength: Int
    package var keyUnit: KeyUnit
    /// Limit of one value, in bytes as ``size(of:)`` counts them.
    package var valueBytes: Int
    /// Limit of all values together. Keys do not count.
    package var totalBytes: Int
    /// Nil for no limit of the number.
    package var keys: Int?

    /// The key in an Info.plist. Apple has no such key: each of its systems has limits of its own.
    package static let infoKey = "BatonKeyValueLimits"

    /// Those of iOS 5 (K-2, K-3, K-4), the default.
    package static let classic = KeyValueLimits(
        profile: .classic, keyLength: 64, keyUnit: .utf8, valueBytes: 64 << 10, totalBytes: 64 << 10, keys: nil)
    /// Those of the systems between the two (X-8).
    package static let intermediate = KeyValueLimits(
        profile: .intermediate, keyLength: 64, keyUnit: .utf8, valueBytes: 1 << 20, totalBytes: 1 << 20, keys: 1024)
    /// Those of today's systems.
    package static let present = KeyValueLimits(
        profile: .present, keyLength: 128, keyUnit: .utf16, valueBytes: 1 << 20, totalBytes: 1 << 20, keys: 1024)

    package init(_ profile: Profile) {
        switch profile {
        case .classic: self = .classic
        case .intermediate: self = .intermediate
        case .present: self = .present
        }
    }

    private init(
        profile: Profile, keyLength: Int, keyUnit: KeyUnit, valueBytes: Int, totalBytes: Int, keys: Int?
    ) {
        self.profile = profile
        self.keyLength = keyLength
        self.keyUnit = keyUnit
        self.valueBytes = valueBytes
        self.totalBytes = totalBytes
        self.keys = keys
    }

    /// Two spellings of one text are one key, on every device.
    package static func canonical(_ key: String) -> String { key.precomposedStringWithCanonicalMapping }

    /// Why a key cannot be used; nil when it can. An empty key is one like others, as in a property list.
    package func problem(ofKey key: String) -> BatonError? {
        let length = keyUnit == .utf8 ? key.utf8.count : key.utf16.count
        guard length > keyLength else { return nil }
        return BatonError(
            .invalidArgument, reason: "key_too_long",
            "A key of \(length) \(keyUnit == .utf8 ? "bytes" : "UTF-16 units") is longer than the \(keyLength) that the "
                + "key-value store takes. Use a shorter one.")
    }

    /// Whether there is room for a value where a store holds `total` bytes and `count` keys.
    /// - Parameter old: the value that is replaced.
    package func hasRoom(for value: PropertyValue, insteadOf old: PropertyValue?, total: Int, count: Int) -> Bool {
        let size = Self.size(of: value)
        let before = old.map(Self.size) ?? 0
        guard size <= valueBytes else { return false }
        // A store that others filled beyond its limit may shrink.
        if size > before, total - before + size > totalBytes { return false }
        if old == nil, let keys, count >= keys { return false }
        return true
    }

    /// The size that a value counts for: the bytes of texts and data, at least one, so that empty ones count too; 8 for
    /// each number and date; and 4 more for each value within a container, as in its encoded form. The same on every
    /// device, whatever it stores.
    package static func size(of value: PropertyValue) -> Int {
        switch value {
        case .null, .boolean: 1
        case .integer, .unsignedInteger, .real, .date: 8
        case .uuid: 16
        case .string(let text): max(1, text.utf8.count)
        case .data(let data): max(1, data.count)
        case .url(let url): max(1, url.absoluteString.utf8.count)
        case .array(let values): values.reduce(1) { $0 + 4 + size(of: $1) }
        case .set(let values): values.reduce(1) { $0 + 4 + size(of: $1) }
        case .dictionary(let entries): entries.reduce(1) { $0 + 8 + size(of: $1.key) + size(of: $1.value) }
        }
    }
}
