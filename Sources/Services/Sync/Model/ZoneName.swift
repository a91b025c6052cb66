/// The name of a zone among the devices of the account. The cloud sees it blinded.
package struct ZoneName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The kind of a zone: one source serves each kind, and names it.
    package struct Kind: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: String

        /// Nil for anything but 1 to 64 lower-case letters, digits and hyphens.
        package init?(rawValue: String) {
            guard (1...64).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy(Self.isAllowed) else { return nil }
            self.rawValue = rawValue
        }

        /// For a constant, of which that holds.
        package init(_ name: StaticString) { rawValue = "\(name)" }

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        private static func isAllowed(_ byte: UInt8) -> Bool {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "-")
        }
    }

    package var kind: Kind
    /// Any text that is the same on every device.
    package var name: String

    package init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    package var description: String { "\(kind.rawValue)/\(name)" }

    package static func < (left: Self, right: Self) -> Bool { (left.kind, left.name) < (right.kind, right.name) }
}
