/// The instance name of a receiver: six random bytes in hexadecimal digits. A new one is chosen whenever the receiver
/// becomes visible, so that it identifies no person.
package struct AirDropInstanceName: Hashable, Sendable, CustomStringConvertible {
    package static let byteCount = 6

    /// Twelve digits in lower case.
    package let rawValue: String

    package init?(_ text: String) {
        guard text.utf8.count == 2 * Self.byteCount, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        rawValue = text.lowercased()
    }

    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Self(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        rawValue = bytes.reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    package var description: String { rawValue }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }
}
