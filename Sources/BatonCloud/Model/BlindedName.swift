package import BatonCore
import Crypto
package import Foundation

/// 32 bytes that name something and reveal nothing of it.
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
        guard let bytes = Data(hexadecimal: text.utf8, count: 32) else { return nil }
        self.bytes = bytes
    }

    package var hexadecimal: String { bytes.hexadecimal }
}

extension Data {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Nil for anything but two digits in lower case for each of `count` bytes.
    init?(hexadecimal digits: some Collection<UInt8>, count: Int) {
        guard digits.count == 2 * count else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var high: UInt8?
        for digit in digits {
            guard let value = Self.value(digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.init(bytes)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
