package import BatonCore
import Crypto
package import Foundation

/// How blobs are sealed: in chunks, so that neither a large file nor its ciphertext is ever in memory as a whole.
///
/// This is the STREAM construction (Hoang, Reyhanitabar, Rogaway and Vizár, 2015): each chunk's nonce is its number and
/// whether it is the last. So chunks that were exchanged, left out or added are noticed, and so is an end that was cut off.
package enum BlobCipher {
    /// Bytes of a chunk before sealing. All but the last are this long; the last is empty only in an empty blob.
    package static let chunkSize = 64 << 10
    package static let overhead = 16
    package static let keySize = 32

    private static let context = Data("baton-blob-v1\0".utf8)

    /// Sealed size of a whole blob.
    package static func sealedSize(of size: UInt64) -> UInt64 {
        size + UInt64(overhead) * max(1, (size + UInt64(chunkSize) - 1) / UInt64(chunkSize))
    }

    fileprivate static func nonce(_ number: UInt64, isLast: Bool) throws -> ChaChaPoly.Nonce {
        var bytes = [UInt8](repeating: 0, count: 3)
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
        bytes.append(isLast ? 1 : 0)
        return try ChaChaPoly.Nonce(data: bytes)
    }

    fileprivate static func isValid(size: Int, number: UInt64, isLast: Bool) -> Bool {
        guard isLast else { return size == chunkSize }
        return (0...chunkSize).contains(size) && (size > 0 || number == 0)
    }

    /// Opens one chunk, in any order.
    /// - Parameters:
    ///   - number: from 0.
    ///   - isLast: whether the blob ends with it.
    /// - Throws: `data_loss` (`damaged_blob`) when it is not the chunk of that number, or the blob does not end where
    ///   it seems to.
    package static func open(_ sealed: Data, number: UInt64, isLast: Bool, key: [UInt8]) throws(BatonError) -> Data {
        do {
            guard key.count == keySize, isValid(size: sealed.count - overhead, number: number, isLast: isLast) else {
                throw CryptoKitError.incorrectParameterSize
            }
            let box = try ChaChaPoly.SealedBox(
                nonce: try nonce(number, isLast: isLast), ciphertext: sealed.dropLast(overhead),
                tag: sealed.suffix(overhead))
            return try ChaChaPoly.open(box, using: SymmetricKey(data: key), authenticating: context)
        } catch {
            throw BatonError(
                .dataLoss, reason: "damaged_blob",
                "A file's contents in the cloud are damaged, or not what a device of this account wrote.", cause: error)
        }
    }

    fileprivate static func seal(
        _ chunk: Data, number: UInt64, isLast: Bool, key: SymmetricKey
    ) throws(BatonError) -> Data {
        guard isValid(size: chunk.count, number: number, isLast: isLast) else {
            throw BatonError(.internal, reason: "invalid_chunk", "A chunk of a file has the wrong size.")
        }
        do {
            let box = try ChaChaPoly.seal(
                chunk, using: key, nonce: try nonce(number, isLast: isLast), authenticating: context)
            return box.ciphertext + box.tag
        } catch {
            throw BatonError(.internal, reason: "blob_not_sealed", "A file could not be sealed.", cause: error)
        }
    }
}

/// Seals one blob, chunk after chunk, under a key of its own, which is used for nothing else.
package struct BlobSealer: Sendable {
    private let key: SymmetricKey
    /// Nil after the last chunk.
    private var next: UInt64? = 0

    /// - Parameter key: 32 random bytes, new for each blob.
    /// - Throws: `invalid_argument` unless it has 32 bytes.
    package init(key: [UInt8]) throws(BatonError) {
        guard key.count == BlobCipher.keySize else {
            throw BatonError(.invalidArgument, reason: "invalid_blob_key", "A blob's key must have 32 bytes.")
        }
        self.key = SymmetricKey(data: key)
    }

    package var isFinished: Bool { next == nil }

    /// - Throws: `internal` for a chunk of the wrong size, or after the last one.
    package mutating func seal(_ chunk: Data, isLast: Bool) throws(BatonError) -> Data {
        guard let number = next else {
            throw BatonError(.internal, reason: "blob_finished", "A file goes on after its end.")
        }
        let sealed = try BlobCipher.seal(chunk, number: number, isLast: isLast, key: key)
        next = isLast ? nil : number + 1
        return sealed
    }
}
