package import BatonCore
import Crypto
package import Foundation

/// 32 bytes that name something and tell nothing of it.
package protocol BlindedName: Hashable, Comparable, Sendable {
    var bytes: Data { get }
    /// Only for 32 bytes.
    init(unchecked bytes: Data)
}

extension BlindedName {
    /// - Throws: `invalid_argument` for anything but 32 bytes.
    package init(_ bytes: Data) throws(BatonError) {
        guard bytes.count == 32 else {
            throw BatonError(
                .invalidArgument, reason: "malformed_name",
                "A name of \(bytes.count) bytes was sent; zones, items and blobs are named by 32.")
        }
        self.init(unchecked: bytes)
    }

    package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

/// One order of changes within an account.
package struct ZoneID: BlindedName {
    package let bytes: Data
    package init(unchecked bytes: Data) { self.bytes = bytes }
}

/// One thing of a zone.
package struct ItemID: BlindedName {
    package let bytes: Data
    package init(unchecked bytes: Data) { self.bytes = bytes }
}

/// The SHA-256 of a blob's bytes: its name.
package struct BlobHash: BlindedName {
    package let bytes: Data
    package init(unchecked bytes: Data) { self.bytes = bytes }

    /// The name of these bytes.
    package init(of content: some DataProtocol) { bytes = Data(SHA256.hash(data: content)) }

    /// Nil for anything but 64 hexadecimal digits in lower case: a blob has one spelling.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes = Data(capacity: 32)
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    package var hexadecimal: String { bytes.hexadecimal }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension Data {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
