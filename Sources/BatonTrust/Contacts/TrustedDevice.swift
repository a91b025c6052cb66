package import BatonCore
package import Crypto
package import Foundation

/// A device of another person that was verified by a code which both showed, and is remembered: a contact of AirDrop, for people.
///
/// Each side has a key for this contact alone, and both share a secret. Two contacts of one device cannot find out that it is
/// one, and a token can be read by one contact only.
package struct TrustedDevice: Sendable, Hashable {
    /// Follows from the contact's key.
    package let id: DeviceID
    /// As it named itself when it was added.
    package let name: String
    /// X9.63: the key that it proves itself with.
    package let publicKey: [UInt8]
    /// X9.63 with the private part: the key that this device proves itself with. Never logged.
    package let privateKey: [UInt8]
    /// 32 bytes, of which the tokens are made. Never logged.
    package let tokenKey: [UInt8]
    /// Milliseconds since 1970.
    package let added: UInt64

    /// - Throws: `invalid_argument` for invalid keys.
    package init(
        name: String, publicKey: [UInt8], privateKey: [UInt8], tokenKey: [UInt8], added: UInt64
    ) throws(BatonError) {
        guard let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
            let own = try? P256.Signing.PrivateKey(x963Representation: privateKey),
            key.x963Representation != own.publicKey.x963Representation, tokenKey.count == 32
        else {
            throw BatonError(.invalidArgument, reason: "malformed_contact", "A contact's keys are malformed.")
        }
        id = DeviceID(key: key)
        self.name = try DeviceProfiles.validName(name)
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.tokenKey = tokenKey
        self.added = added
    }

    /// The other side of a pairing for contacts.
    package init(
        _ candidate: PairingCandidate, own: P256.Signing.PrivateKey, added: UInt64
    ) throws(BatonError) {
        try self.init(
            name: candidate.name, publicKey: Array(candidate.key.x963Representation),
            privateKey: Array(own.x963Representation), tokenKey: candidate.tokenKey, added: added)
    }

    /// Tokens of contacts are made as those of an account's devices.
    var discoveryKey: DiscoveryKey? {
        try? DiscoveryKey(timestamp: HybridTimestamp(rawValue: 0), bytes: tokenKey)
    }

    /// This device's certificate towards the contact, and its key: both in DER.
    package func credentials(now: Date) throws(BatonError) -> (certificate: [UInt8], key: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(x963Representation: privateKey) else {
            throw BatonError(.dataLoss, reason: "malformed_contact", "A contact's keys are malformed.")
        }
        return (try DeviceCertificate.root(key: key, now: now), Array(key.derRepresentation))
    }

    /// Judges the certificates of a peer that says that it is this contact. TLS proves the key.
    /// - Throws: `permission_denied` for any other key.
    package func check(_ certificates: [[UInt8]]) throws(BatonError) {
        guard let first = certificates.first,
            ConstantTime.equal(try DeviceCertificate(der: first).key.x963Representation, publicKey)
        else {
            throw BatonError(
                .permissionDenied, reason: "not_the_contact", "The other device is not the contact that it says it is.")
        }
    }
}

extension TrustedDevice: CustomStringConvertible {
    /// Without the keys.
    package var description: String { "contact \(id)" }
}
