import BatonCore

/// The random part of a one-time address: 128 bits that no one guesses.
struct WebToken: Sendable {
    let text: String

    static func random() -> WebToken {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return WebToken(text: Base32.encode(bytes).lowercased())
    }

    /// In a time that does not depend on where the texts differ.
    func matches(_ other: some StringProtocol) -> Bool {
        guard other.utf8.count == text.utf8.count else { return false }
        return zip(text.utf8, other.utf8).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}
