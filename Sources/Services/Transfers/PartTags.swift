package import BatonCore
import Crypto
package import Foundation

/// Tags the parts that one call brings, so that the receiver finds what was damaged on the way from disk to disk. AES-GCM over data
/// that is not encrypted costs a fraction of a digest, and here no one lies: each device of the account knows the key.
package struct PartTags: Sendable {
    package static let keySize = 32

    private let key: SymmetricKey
    private var number: UInt64 = 0

    /// - Throws: `invalid_argument` for a key of another size.
    package init(key: Data) throws(BatonError) {
        guard key.count == Self.keySize else {
            throw BatonError(.invalidArgument, reason: "invalid_key", "The key of the parts has another size.")
        }
        self.key = SymmetricKey(data: key)
    }

    package static func randomKey() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }

    /// The tag of the next part.
    package mutating func next(for data: Data) throws(BatonError) -> Data {
        let nonce = Data(count: 4) + withUnsafeBytes(of: number.bigEndian) { Data($0) }
        do {
            let sealed = try AES.GCM.seal(
                Data(), using: key, nonce: try AES.GCM.Nonce(data: nonce), authenticating: data)
            number += 1
            return Data(sealed.tag)
        } catch {
            throw BatonError(.internal, reason: "no_tag", "A part could not be tagged: \(error).")
        }
    }
}
