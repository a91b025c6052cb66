import BatonCore
import Crypto
import SwiftASN1
import X509

/// How a site file may be signed: SHA-2, with RSA (PKCS #1 v1.5) or ECDSA.
struct SignatureAlgorithm {
    enum Hash: CaseIterable {
        case sha256, sha384, sha512

        var identifier: ASN1ObjectIdentifier {
            switch self {
            case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
            case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
            case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
            }
        }

        var rsa: (identifier: ASN1ObjectIdentifier, algorithm: Certificate.SignatureAlgorithm) {
            switch self {
            case .sha256: ([1, 2, 840, 113549, 1, 1, 11], .sha256WithRSAEncryption)
            case .sha384: ([1, 2, 840, 113549, 1, 1, 12], .sha384WithRSAEncryption)
            case .sha512: ([1, 2, 840, 113549, 1, 1, 13], .sha512WithRSAEncryption)
            }
        }

        var ecdsa: (identifier: ASN1ObjectIdentifier, algorithm: Certificate.SignatureAlgorithm) {
            switch self {
            case .sha256: ([1, 2, 840, 10045, 4, 3, 2], .ecdsaWithSHA256)
            case .sha384: ([1, 2, 840, 10045, 4, 3, 3], .ecdsaWithSHA384)
            case .sha512: ([1, 2, 840, 10045, 4, 3, 4], .ecdsaWithSHA512)
            }
        }

        func digest(_ bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .sha256: Array(SHA256.hash(data: bytes))
            case .sha384: Array(SHA384.hash(data: bytes))
            case .sha512: Array(SHA512.hash(data: bytes))
            }
        }
    }

    static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
    private static let ecPublicKey: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]
    private static let pss: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]

    let hash: Hash
    let algorithm: Certificate.SignatureAlgorithm

    /// - Parameter signature: names the hash too, or only the kind of key.
    init(digest: ASN1ObjectIdentifier, signature: ASN1ObjectIdentifier) throws(BatonError) {
        guard let hash = Hash.allCases.first(where: { $0.identifier == digest }) else {
            throw SignedData.malformed("its digest is not SHA-256, SHA-384 or SHA-512. Sign it with -md sha256")
        }
        self.hash = hash
        if signature == Self.rsaEncryption || signature == hash.rsa.identifier {
            algorithm = hash.rsa.algorithm
        } else if signature == Self.ecPublicKey || signature == hash.ecdsa.identifier {
            algorithm = hash.ecdsa.algorithm
        } else if signature == Self.pss {
            throw SignedData.malformed("it is signed with RSA-PSS. Sign it with RSA PKCS #1 v1.5 or ECDSA")
        } else {
            throw SignedData.malformed(
                "its signature is of a kind that is not supported, or does not go with its digest")
        }
    }

    /// For a key that is to sign: P-256 goes with SHA-256, P-384 with SHA-384, P-521 with SHA-512, RSA with SHA-256.
    init(signingWith key: Certificate.PublicKey) throws(BatonError) {
        if P256.Signing.PublicKey(key) != nil {
            (hash, algorithm) = (.sha256, Hash.sha256.ecdsa.algorithm)
        } else if P384.Signing.PublicKey(key) != nil {
            (hash, algorithm) = (.sha384, Hash.sha384.ecdsa.algorithm)
        } else if P521.Signing.PublicKey(key) != nil {
            (hash, algorithm) = (.sha512, Hash.sha512.ecdsa.algorithm)
        } else if Curve25519.Signing.PublicKey(key) != nil {
            throw BatonError(
                .invalidArgument, reason: "unsupported_key",
                "Site files are signed with RSA or ECDSA; this key is of Ed25519. Use another one.")
        } else {
            (hash, algorithm) = (.sha256, Hash.sha256.rsa.algorithm)
        }
    }

    var isRSA: Bool { algorithm == hash.rsa.algorithm }
}
