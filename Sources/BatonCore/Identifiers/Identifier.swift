/// A string that is only ever made through validation.
///
/// Every identifier that crosses a process or machine boundary is such a type, so that code behind the boundary never
/// meets a path separator, a control character or an empty name where it expects an identifier.
package protocol Identifier: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
    /// The kind of thing identified, for error messages: "a bundle identifier".
    static var kind: String { get }
    /// The rule, for error messages.
    static var rule: String { get }
    static func isValid(_ text: String) -> Bool
    /// Only after `isValid`.
    init(unchecked rawValue: String)
}

extension Identifier {
    package init?(rawValue: String) {
        guard Self.isValid(rawValue) else { return nil }
        self.init(unchecked: rawValue)
    }

    /// - Throws: `invalid_argument` with the rule that `text` breaks.
    package init(validating text: String) throws(BatonError) {
        guard Self.isValid(text) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_identifier",
                "“\(text.prefix(80).filter { $0.isASCII && !$0.isNewline })” is not \(Self.kind): \(Self.rule).")
        }
        self.init(unchecked: text)
    }

    package var description: String { rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try Self(validating: text)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// The account that a group of devices belongs to: derived from its root public key (H-2).
package struct AccountID: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "an account identifier"
    package static let rule = "26 characters from A-Z and 2-7"
    package static func isValid(_ text: String) -> Bool { isKeyDerived(text, length: 26) }
}

/// One device of an account: derived from the device's public key, so that it proves itself.
package struct DeviceID: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "a device identifier"
    package static let rule = "26 characters from A-Z and 2-7"
    package static func isValid(_ text: String) -> Bool { isKeyDerived(text, length: 26) }
}

/// A developer's team: 10 characters derived from its public key (H-3, D-2), or `development`.
package struct TeamID: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "a Team ID"
    package static let rule = "10 characters from A-Z and 2-7"

    /// The team of every unsigned program that attaches to the daemon. It holds a `0`, which no derived Team ID can.
    package static let development = TeamID(unchecked: "DEVELOPER0")

    package static func isValid(_ text: String) -> Bool {
        isKeyDerived(text, length: 10) || text == development.rawValue
    }
}

/// `CFBundleIdentifier`: reverse-DNS letters, digits, `-`, `_` and `.` (H-97).
package struct BundleID: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "a bundle identifier"
    package static let rule =
        "1 to 155 letters, digits, “-”, “_” and “.”, beginning with a letter or digit, with no empty part, as in "
        + "com.example.App"

    package static func isValid(_ text: String) -> Bool {
        // One that begins with “-” would be an option to every program that it is given to.
        guard (1...155).contains(text.utf8.count), let first = text.utf8.first, isAlphanumeric(first) else {
            return false
        }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F }
        }
    }
}

/// The type of an activity (H-8, H-19): reverse-DNS by convention; any printable text without spaces is accepted,
/// since Apple's own `NSUserActivityTypeBrowsingWeb` has no dot.
package struct ActivityType: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "an activity type"
    package static let rule = "1 to 255 bytes of printable characters without spaces, as in com.example.app.activity"

    package static func isValid(_ text: String) -> Bool {
        guard (1...255).contains(text.utf8.count) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
                && scalar.properties.generalCategory != .format && scalar.properties.generalCategory != .unassigned
        }
    }

    package static let browsingWeb = ActivityType(unchecked: "NSUserActivityTypeBrowsingWeb")
}

/// One `NSUserActivity` object of one process: 128 random bits. Unique, never reused, never derived from content.
package struct ActivityID: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "an activity identifier"
    package static let rule = "26 characters from A-Z and 2-7"
    package static func isValid(_ text: String) -> Bool { isKeyDerived(text, length: 26) }
}

/// One person's decision to continue one offer: 128 random bits. "At most once" is counted per acceptance.
package struct AcceptanceID: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "an acceptance identifier"
    package static let rule = "26 characters from A-Z and 2-7"
    package static func isValid(_ text: String) -> Bool { isKeyDerived(text, length: 26) }
}

/// One attachment of one app process to the daemon: 128 random bits.
package struct SessionID: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "a session identifier"
    package static let rule = "26 characters from A-Z and 2-7"
    package static func isValid(_ text: String) -> Bool { isKeyDerived(text, length: 26) }
}

/// One pair of continuation streams, on the device that offered the activity: 128 random bits.
package struct StreamID: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "a stream identifier"
    package static let rule = "26 characters from A-Z and 2-7"
    package static func isValid(_ text: String) -> Bool { isKeyDerived(text, length: 26) }
}

/// Identifiers that are drawn at random rather than derived from a key.
package protocol RandomIdentifier: Identifier {}
extension ActivityID: RandomIdentifier {}
extension AcceptanceID: RandomIdentifier {}
extension SessionID: RandomIdentifier {}
extension StreamID: RandomIdentifier {}

extension RandomIdentifier {
    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        withUnsafeBytes(of: (generator.next(), generator.next())) { Self(unchecked: Base32.encode($0)) }
    }

    package static func random() -> Self {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}

private func isKeyDerived(_ text: String, length: Int) -> Bool {
    text.utf8.count == length && text.utf8.allSatisfy(Base32.isAlphabetic)
}

private func isAlphanumeric(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
    default: false
    }
}
