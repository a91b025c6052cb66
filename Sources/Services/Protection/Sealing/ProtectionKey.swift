package import BatonCore
import Crypto
package import Foundation
import _CryptoExtras

/// The key that opens sealed files.
package enum ProtectionKeeper: String, Codable, Sendable {
    /// Nothing: files are hidden from apps, not sealed.
    case none
    /// A passphrase that the person knows.
    case passphrase
    /// A random one that the desktop's Secret Service keeps.
    case secretService = "secret_service"
}

/// The pair of keys that seals what must not be read while the device is locked. The public half is in the clear; the
/// private half is wrapped by a key that follows from the passphrase, and is nowhere else.
package struct ProtectionKey: Codable, Sendable, Hashable {
    /// The cost of scrypt (RFC 7914): 128 × rounds × blockSize bytes of memory.
    package struct Cost: Codable, Sendable, Hashable {
        package var rounds: Int
        package var blockSize: Int
        package var parallelism: Int

        /// 64 MiB.
        package static let standard = Cost(rounds: 1 << 16, blockSize: 8, parallelism: 1)

        package init(rounds: Int, blockSize: Int, parallelism: Int) {
            self.rounds = rounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// At most 1 GiB: a file that was tampered with does not take the daemon's memory.
        var isReasonable: Bool {
            rounds > 1 && rounds <= 1 << 20 && rounds.nonzeroBitCount == 1 && (1...8).contains(blockSize)
                && (1...4).contains(parallelism)
        }
    }

    /// Bytes of UTF-8.
    package static let passphraseSizes = 6...1024
    private static let domain = Data("baton-protection-key-v1\0".utf8)

    /// In version 1 the wrapped key is bound to the public one, so that another public key looks like a wrong passphrase.
    package private(set) var version = 2
    package private(set) var publicKey: Data
    private var salt: Data
    private var cost: Cost
    private var wrapped: Data
    /// Nil in files from before the Secret Service: a passphrase.
    private var kept: ProtectionKeeper?

    package var keeper: ProtectionKeeper { kept ?? .passphrase }

    /// - Throws: `invalid_argument` for a passphrase that is too short or too long.
    package init(
        passphrase: String, keeper: ProtectionKeeper = .passphrase, cost: Cost = .standard
    ) throws(BatonError) {
        try self.init(Curve25519.KeyAgreement.PrivateKey(), passphrase, keeper, cost)
    }

    private init(
        _ key: Curve25519.KeyAgreement.PrivateKey, _ passphrase: String, _ keeper: ProtectionKeeper, _ cost: Cost
    ) throws(BatonError) {
        guard Self.passphraseSizes.contains(passphrase.utf8.count) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_passphrase",
                "A passphrase must have \(Self.passphraseSizes.lowerBound) to \(Self.passphraseSizes.upperBound) bytes. "
                    + "Choose another one.")
        }
        publicKey = key.publicKey.rawRepresentation
        salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        self.cost = cost
        kept = keeper
        wrapped = Data()
        let wrappingKey = try Self.derive(passphrase, salt, cost)
        var bytes = key.rawRepresentation
        defer { bytes.overwrite() }
        do {
            wrapped = try ChaChaPoly.seal(
                bytes, using: wrappingKey, authenticating: Self.domain
            ).combined
        } catch {
            throw BatonError(.internal, reason: "key_not_sealed", "The key could not be sealed. Try again.")
        }
    }

    /// Slow on purpose. Blocks.
    /// - Throws: `permission_denied` for another passphrase; `data_loss` for a key that was damaged.
    func privateKey(_ passphrase: String) throws(BatonError) -> Curve25519.KeyAgreement.PrivateKey {
        guard cost.isReasonable, (1...2).contains(version) else { throw Self.damaged }
        let wrappingKey = try Self.derive(passphrase, salt, cost)
        guard let box = try? ChaChaPoly.SealedBox(combined: wrapped) else { throw Self.damaged }
        // One that was damaged looks like a wrong passphrase.
        let bound = version == 1 ? Self.domain + publicKey : Self.domain
        guard var bytes = try? ChaChaPoly.open(box, using: wrappingKey, authenticating: bound),
            let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        else {
            throw BatonError(
                .permissionDenied, reason: "wrong_passphrase", "Wrong passphrase. Try again.")
        }
        bytes.overwrite()
        // Files would have been sealed for another key.
        guard key.publicKey.rawRepresentation == publicKey else { throw Self.replaced }
        return key
    }

    /// The same pair of keys under another passphrase.
    package func changing(
        _ old: String, to new: String, keeper: ProtectionKeeper = .passphrase, cost: Cost = .standard
    ) throws(BatonError) -> ProtectionKey {
        try ProtectionKey(try privateKey(old), new, keeper, cost)
    }

    /// Letters that look alike count as one form, however they were typed.
    private static func derive(_ passphrase: String, _ salt: Data, _ cost: Cost) throws(BatonError) -> SymmetricKey {
        // Composing makes copies that are not overwritten.
        let isPlain = passphrase.utf8.allSatisfy { $0 < 0x80 }
        var bytes = Data((isPlain ? passphrase : passphrase.precomposedStringWithCanonicalMapping).utf8)
        defer { bytes.overwrite() }
        do {
            return try KDF.Scrypt.deriveKey(
                from: bytes, salt: salt, outputByteCount: 32,
                rounds: cost.rounds, blockSize: cost.blockSize, parallelism: cost.parallelism)
        } catch {
            throw BatonError(
                .resourceExhausted, reason: "key_not_derived",
                "The key could not be derived from the passphrase. Is there enough memory?", cause: error)
        }
    }

    private static let replaced = BatonError(
        .dataLoss, reason: "protection_key_damaged",
        "The public key in “protected/key.json” of the daemon's data is not that of the private one: the file was changed. "
            + "Restore it from a copy. Files sealed since the change cannot be opened with your passphrase.")

    private static let damaged = BatonError(
        .dataLoss, reason: "protection_key_damaged",
        "The key of the locked files is damaged. Restore “protected/key.json” of the daemon's data from a copy.")
}
