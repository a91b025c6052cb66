import Foundation

/// The purpose of a pairing. The two never mix: messages of one lead to other codes and keys in the other.
package enum PairingPurpose: Sendable {
    /// A device joins an account.
    case account
    /// Two devices of different people get to know each other.
    case contact

    var transcriptDomain: Data {
        switch self {
        case .account: Data("baton-pairing-transcript-v1\0".utf8)
        case .contact: Data("baton-contact-transcript-v1\0".utf8)
        }
    }

    var proofDomain: Data {
        switch self {
        case .account: Data("baton-pairing-proof-v1\0".utf8)
        case .contact: Data("baton-contact-proof-v1\0".utf8)
        }
    }

    /// The text that HKDF gets for one of the secrets.
    func info(_ secret: String) -> Data {
        switch self {
        case .account: Data("baton-pairing-v1 \(secret)".utf8)
        case .contact: Data("baton-contact-v1 \(secret)".utf8)
        }
    }
}
