package import BatonCore

/// One transfer: 16 random bytes in hexadecimal digits, so that no one guesses it.
package struct TransferID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// - Throws: `invalid_argument` with reason `invalid_transfer_id`.
    package init(validating text: String) throws(BatonError) {
        let isDigit: (UInt8) -> Bool = { (48...57).contains($0) || (97...102).contains($0) }
        guard text.utf8.count == 32, text.utf8.allSatisfy(isDigit) else {
            throw BatonError(.invalidArgument, reason: "invalid_transfer_id", "This is no identifier of a transfer.")
        }
        rawValue = text
    }

    private init(_ high: UInt64, _ low: UInt64) {
        rawValue = [high, low].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    package static func random() -> TransferID {
        TransferID(.random(in: .min ... .max), .random(in: .min ... .max))
    }

    package var description: String { rawValue }
}
