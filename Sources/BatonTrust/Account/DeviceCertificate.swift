package import BatonCore
package import Crypto
package import Foundation
import SwiftASN1
import X509

/// The X.509 certificates of an account's devices: what TLS carries.
///
/// Each names one identifier (common name) and holds the key that the identifier follows from. A device's certificate
/// is issued by the device that let it in, the first device's by the account's root key. Every device may let others
/// in, so each certificate is a CA's.
///
/// Certificates are valid for 20 years and the dates are not checked: the clocks of two devices may be years apart, and
/// a device that does not know the time must still reach its peers. Revocation ends trust (``Membership``), not expiry.
package struct DeviceCertificate: Sendable {
    /// Limit of certificate chains that are sent or read.
    package static let maximumChainLength = 16
    /// Bytes of one certificate; Baton's have about 450.
    package static let maximumSize = 8 << 10

    package let subject: String
    package let issuer: String
    package let key: P256.Signing.PublicKey
    private let certificate: Certificate

    /// - Throws: `invalid_argument` for anything but a certificate with one common name each for subject and issuer and
    ///   a P-256 key.
    package init(der: [UInt8]) throws(BatonError) {
        guard der.count <= Self.maximumSize else { throw Self.malformed("it is too large", nil) }
        let certificate: Certificate
        do {
            certificate = try Certificate(derEncoded: der)
        } catch {
            throw Self.malformed("it is not DER", error)
        }
        guard let key = P256.Signing.PublicKey(certificate.publicKey) else {
            throw Self.malformed("its key is not a P-256 key", nil)
        }
        guard let subject = Self.commonName(certificate.subject), let issuer = Self.commonName(certificate.issuer)
        else {
            throw Self.malformed("it does not name one subject and one issuer", nil)
        }
        self.certificate = certificate
        self.key = key
        self.subject = subject
        self.issuer = issuer
    }

    /// The device whose key this is; nil when the certificate names something else.
    package var deviceID: DeviceID? {
        let derived = DeviceID(key: key)
        return derived.rawValue == subject ? derived : nil
    }

    /// True when `issuerKey` signed this certificate. The signature covers everything in it.
    package func isSigned(by issuerKey: P256.Signing.PublicKey) -> Bool {
        guard certificate.signatureAlgorithm == .ecdsaWithSHA256 else { return false }
        return Certificate.PublicKey(issuerKey).isValidSignature(certificate.signature, for: certificate)
    }

    /// A device's certificate in DER.
    /// - Parameter issuer: the identifier of the sponsor, or of the account for its first device.
    package static func issue(
        to device: P256.Signing.PublicKey, issuer: String, issuerKey: P256.Signing.PrivateKey, now: Date
    ) throws(BatonError) -> [UInt8] {
        try make(subject: DeviceID(key: device).rawValue, key: device, issuer: issuer, issuerKey: issuerKey, now: now)
    }

    /// The account's own certificate in DER, signed by itself.
    package static func root(key: P256.Signing.PrivateKey, now: Date) throws(BatonError) -> [UInt8] {
        let account = AccountID(rootKey: key.publicKey).rawValue
        return try make(subject: account, key: key.publicKey, issuer: account, issuerKey: key, now: now)
    }

    private static func make(
        subject: String, key: P256.Signing.PublicKey, issuer: String, issuerKey: P256.Signing.PrivateKey, now: Date
    ) throws(BatonError) -> [UInt8] {
        do {
            let certificate = try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: Certificate.PublicKey(key),
                notValidBefore: now.addingTimeInterval(-24 * 60 * 60),
                notValidAfter: now.addingTimeInterval(20 * 365.25 * 24 * 60 * 60),
                issuer: DistinguishedName { CommonName(issuer) },
                subject: DistinguishedName { CommonName(subject) },
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
                    try ExtendedKeyUsage([.serverAuth, .clientAuth])
                },
                issuerPrivateKey: Certificate.PrivateKey(issuerKey))
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        } catch {
            throw BatonError(
                .internal, reason: "certificate_not_made", "A device certificate could not be made.", cause: error)
        }
    }

    private static func commonName(_ name: DistinguishedName) -> String? {
        guard name.count == 1, let part = name.first, part.count == 1, let attribute = part.first,
            attribute.type == .RDNAttributeType.commonName
        else { return nil }
        return String(attribute.value)
    }

    private static func malformed(_ what: String, _ cause: (any Error)?) -> BatonError {
        BatonError(
            .invalidArgument, reason: "malformed_certificate", "A device certificate was refused: \(what).",
            cause: cause)
    }
}
