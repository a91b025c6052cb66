import BatonCore
import BatonWire
import Crypto
import Foundation

/// Everything that two devices said before they share a code. Both must have seen the same, or their codes differ.
package struct PairingTranscript: Sendable {
    package static let nonceSize = 32
    package static let keySize = 32

    var purpose = PairingPurpose.account
    let version: UInt32
    let commitment: [UInt8]
    let sessionID: String
    let sponsorKey: [UInt8]
    let sponsorNonce: [UInt8]
    let joinerKey: [UInt8]
    let joinerNonce: [UInt8]

    /// The joining side's first message. It keeps that side from choosing its key or nonce after it has seen the
    /// other's. Without it, a device in the middle could try keys until both codes agree.
    package static func commitment(key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Data("baton-pairing-commitment-v1\0".utf8) + key + nonce))
    }

    /// SHA-256 over a domain, the version and each part with its length, in the order in which they were said.
    var hash: [UInt8] {
        var hash = SHA256()
        hash.update(data: purpose.transcriptDomain)
        Self.update(&hash, version)
        for part in [commitment, Array(sessionID.utf8), sponsorKey, sponsorNonce, joinerKey, joinerNonce] {
            Self.update(&hash, UInt32(part.count))
            hash.update(data: part)
        }
        return Array(hash.finalize())
    }

    private static func update(_ hash: inout SHA256, _ number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { hash.update(bufferPointer: $0) }
    }
}

/// The six digits that two people compare, or that one types from the other device.
package struct PairingCode: Sendable, Equatable {
    package let digits: String

    package init(digits: String) { self.digits = digits }

    /// Compares in constant time what a person typed; spaces and hyphens do not count.
    package func matches(typed: String) -> Bool {
        ConstantTime.equal(typed.filter { $0 != " " && $0 != "-" }.utf8, digits.utf8)
    }
}

/// A person's answer about the code.
package enum PairingVerdict: Sendable, Equatable {
    case same
    case different
    case typed(String)

    func accepts(_ code: PairingCode) -> Bool {
        switch self {
        case .same: true
        case .different: false
        case .typed(let text): code.matches(typed: text)
        }
    }
}

/// The secrets derived from a transcript and the shared secret of the two ephemeral keys.
struct PairingSecrets: Sendable {
    let purpose: PairingPurpose
    let transcriptHash: [UInt8]
    let code: PairingCode
    /// Both have it; contacts recognise each other by it.
    let tokenKey: [UInt8]
    /// Each seals one message only, so a fixed nonce is safe.
    private let joinerToSponsor: SymmetricKey
    private let sponsorToJoiner: SymmetricKey

    enum Direction { case joinerToSponsor, sponsorToJoiner }

    /// - Throws: `invalid_argument` for an invalid key, or one that leads to the same secret whatever ours is.
    init(_ transcript: PairingTranscript, own: Curve25519.KeyAgreement.PrivateKey, peer: [UInt8]) throws(BatonError) {
        let shared: SharedSecret
        do {
            shared = try own.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: peer))
        } catch {
            throw BatonError(
                .invalidArgument, reason: "invalid_pairing_key", "The other device sent an invalid key.", cause: error)
        }
        // A key of small order leads to zero with every other key, so a device in the middle could know the secret.
        guard shared.withUnsafeBytes({ bytes in bytes.reduce(0) { $0 | $1 } }) != 0 else {
            throw BatonError(
                .invalidArgument, reason: "invalid_pairing_key", "The other device sent an invalid key.")
        }
        let purpose = transcript.purpose
        self.purpose = purpose
        transcriptHash = transcript.hash
        let salt = transcriptHash
        func derive(_ secret: String, _ count: Int) -> SymmetricKey {
            shared.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: salt, sharedInfo: purpose.info(secret), outputByteCount: count)
        }
        code = Self.code(derive("code", 16).withUnsafeBytes { Array($0) })
        tokenKey = derive("tokens", 32).withUnsafeBytes { Array($0) }
        joinerToSponsor = derive("joiner to sponsor", 32)
        sponsorToJoiner = derive("sponsor to joiner", 32)
    }

    /// 128 uniform bits modulo a million: no code is likelier than another by more than 2^-100.
    static func code(_ bytes: [UInt8]) -> PairingCode {
        let number = bytes.reduce(0) { ($0 << 8 | Int($1)) % 1_000_000 }
        let digits = String(number)
        return PairingCode(digits: String(repeating: "0", count: 6 - digits.utf8.count) + digits)
    }

    func seal(_ plaintext: Data, _ direction: Direction) throws(BatonError) -> Data {
        do {
            return try ChaChaPoly.seal(
                plaintext, using: key(direction), nonce: Self.nonce(), authenticating: transcriptHash
            ).combined
        } catch {
            throw BatonError(.internal, reason: "pairing_not_sealed", "A message could not be sealed.", cause: error)
        }
    }

    /// - Throws: `permission_denied` when the message was not sealed by who shares the code.
    func open(_ sealed: Data, _ direction: Direction) throws(BatonError) -> Data {
        do {
            let box = try ChaChaPoly.SealedBox(combined: sealed)
            guard Array(box.nonce) == [UInt8](repeating: 0, count: 12) else {
                throw CryptoKitError.authenticationFailure
            }
            return try ChaChaPoly.open(box, using: key(direction), authenticating: transcriptHash)
        } catch {
            throw BatonError(
                .permissionDenied, reason: "pairing_not_authentic",
                "A message did not come from the device that shares the code. Pair again.", cause: error)
        }
    }

    private func key(_ direction: Direction) -> SymmetricKey {
        switch direction {
        case .joinerToSponsor: joinerToSponsor
        case .sponsorToJoiner: sponsorToJoiner
        }
    }

    private static func nonce() throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12))
    }
}
