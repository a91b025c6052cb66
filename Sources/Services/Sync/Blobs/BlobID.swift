package import BatonCore
import BatonTrust
package import Foundation

/// The SHA-256 of a blob's sealed bytes, by which the cloud names it.
package struct BlobID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let bytes: Data

    /// Nil for anything but 32 bytes.
    package init?(_ bytes: Data) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Data(bytes)
    }

    package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

    /// 64 hexadecimal digits.
    package var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

/// The values needed to read a blob. The item that names the blob holds them, sealed: they are enough to open the
/// blob.
package struct BlobReference: Hashable, Sendable {
    package let id: BlobID
    /// 32 bytes.
    let key: [UInt8]
    /// Bytes of what was put.
    package let size: UInt64

    init(id: BlobID, key: [UInt8], size: UInt64) {
        self.id = id
        self.key = key
        self.size = size
    }

    /// 72 bytes: identifier, key, and the size in 8.
    package var bytes: Data {
        var bytes = id.bytes + key
        withUnsafeBytes(of: size.bigEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// - Throws: `data_loss` (`malformed_blob_reference`) for what no device wrote.
    package init(_ bytes: Data) throws(BatonError) {
        let bytes = Data(bytes)
        let size = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        guard bytes.count == 72, let id = BlobID(bytes.prefix(32)), size <= BlobService.maximumSize else {
            throw BatonError(
                .dataLoss, reason: "malformed_blob_reference",
                "An item's reference to a file is damaged, or was written by a newer Baton. Update this device."
            )
        }
        self.init(id: id, key: Array(bytes[32..<64]), size: size)
    }

    /// Bytes of what is sealed: the contents, and zeros, so that sizes reveal little.
    var paddedSize: UInt64 { Self.paddedSize(size) }

    static func paddedSize(_ size: UInt64) -> UInt64 { UInt64(Padding.paddedSize(Int(clamping: size))) }

    /// Bytes in the cloud.
    package var sealedSize: UInt64 { BlobCipher.sealedSize(of: paddedSize) }
}

/// The progress of a transfer.
package struct BlobProgress: Hashable, Sendable {
    /// Sealed bytes.
    package var done: UInt64
    package var total: UInt64
}
