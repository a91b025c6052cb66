package import BatonCore
package import Crypto
package import Foundation
import SwiftASN1
import X509

/// A certificate for one address that lives for minutes: it proves nothing by itself, and its fingerprint is compared.
package enum TransientCertificate {
    private static let name = "Baton"

    /// In DER, signed by its own key, valid for a day before and after.
    /// - Parameter addresses: 4 or 16 bytes each, network order.
    package static func make(
        key: P256.Signing.PrivateKey, addresses: [[UInt8]], now: Date
    ) throws(BatonError) -> [UInt8] {
        do {
            let subject = try DistinguishedName { CommonName(name) }
            let names = addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
            let certificate = try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: Certificate.PublicKey(key.publicKey),
                notValidBefore: now.addingTimeInterval(-24 * 60 * 60),
                notValidAfter: now.addingTimeInterval(24 * 60 * 60),
                issuer: subject,
                subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([.serverAuth])
                    SubjectAlternativeNames(names)
                },
                issuerPrivateKey: Certificate.PrivateKey(key))
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        } catch {
            throw BatonError(
                .internal, reason: "certificate_not_made", "A certificate could not be made.", cause: error)
        }
    }
}
