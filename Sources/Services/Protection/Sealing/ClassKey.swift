import BatonCore
import Crypto
import Foundation

/// The pair of keys to which search seals items of the class `.complete`, always: locking the device then seals one key, and
/// not each item. The public half is in the clear, the private half only while the device is unlocked.
///
/// One file, replaced whole, so that a crash leaves the one state or the other.
struct ClassKey: Codable, Sendable {
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let domain = Data("baton-class-key-v1\0".utf8)
    private static let keySize = 32

    let publicKey: Data
    /// Nil while it is sealed.
    private var privateKey: Data?
    /// HPKE's encapsulated key, then the private key with its tag.
    private var sealedKey: Data?

    init() {
        let key = Curve25519.KeyAgreement.PrivateKey()
        publicKey = key.publicKey.rawRepresentation
        privateKey = key.rawRepresentation
    }

    var isSealed: Bool { privateKey == nil }

    /// - Parameter key: the device's; only its public half is needed.
    func sealed(to key: ProtectionKey) throws -> ClassKey {
        guard let privateKey else { return self }
        let bytes = try Self.seal(privateKey, to: key.publicKey, info: Self.domain + publicKey)
        var copy = self
        copy.privateKey?.overwrite()
        copy.privateKey = nil
        copy.sealedKey = bytes
        return copy
    }

    func opened(with key: Curve25519.KeyAgreement.PrivateKey) throws -> ClassKey {
        guard let sealedKey else { return self }
        var copy = self
        copy.privateKey = try Self.open(sealedKey, with: key, info: Self.domain + publicKey)
        copy.sealedKey = nil
        return copy
    }

    // MARK: Sealing

    /// - Parameter info: what the bytes are and whose; they open with the same only.
    func seal(_ bytes: Data, info: Data) throws -> Data { try Self.seal(bytes, to: publicKey, info: info) }

    /// - Throws: `failed_precondition` (`locked`) while the private half is sealed; `data_loss` for damaged bytes.
    func open(_ bytes: Data, info: Data) throws -> Data {
        guard let privateKey else {
            throw BatonError(
                .failedPrecondition, reason: "locked", "The device is locked. Unlock it with “baton unlock”.")
        }
        return try Self.open(
            bytes, with: Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey), info: info)
    }

    private static func seal(_ bytes: Data, to publicKey: Data, info: Data) throws -> Data {
        var sender = try HPKE.Sender(
            recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey), ciphersuite: suite,
            info: info)
        return sender.encapsulatedKey + (try sender.seal(bytes))
    }

    private static func open(
        _ bytes: Data, with key: Curve25519.KeyAgreement.PrivateKey, info: Data
    ) throws -> Data {
        guard bytes.count > keySize else { throw SealedFile.damaged }
        do {
            var recipient = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: Data(bytes.prefix(keySize)))
            return try recipient.open(Data(bytes.dropFirst(keySize)))
        } catch {
            throw SealedFile.damaged
        }
    }
}
