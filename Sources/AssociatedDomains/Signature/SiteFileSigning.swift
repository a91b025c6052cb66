package import BatonCore
package import Foundation
import SwiftASN1
import X509

/// Makes the signed form of a site file: an opaque PKCS#7 SignedData in DER without signed attributes, as
/// `openssl smime -sign -nodetach -noattr -outform DER` does (H-93).
package enum SiteFileSigning {
    /// Names of the parts for error messages.
    package struct Names: Sendable {
        package var key = "key"
        package var certificate = "certificate"
        package var chain = "chain"

        package init() {}
    }

    /// - Parameters:
    ///   - content: the JSON, which must be a valid site file.
    ///   - key: PEM, of RSA or ECDSA.
    ///   - certificate: PEM; the first one is the signer's.
    ///   - chain: PEM of the intermediate certificates.
    /// - Throws: `invalid_argument` when a part is malformed, or key and certificate do not belong together;
    ///   `failed_precondition` when the file is signed already, or the certificate has expired; `resource_exhausted` when
    ///   the file or the result is too large.
    package static func sign(
        _ content: [UInt8], key: String, certificate: String, chain: String? = nil, names: Names = Names(), time: Date
    ) throws(BatonError) -> [UInt8] {
        // Checked first: a file cut off at the limit is no JSON either.
        guard content.count <= SiteFile.maximumSize else { throw SiteFile.tooLarge }
        guard !isSigned(content) else {
            throw BatonError(
                .failedPrecondition, reason: "site_file_signed_already",
                "The file is signed already. To sign it again, name the JSON that it was made of.")
        }
        _ = try SiteAssociation(json: content)
        let own = try PEMCertificates.read(certificate, name: names.certificate, reason: "invalid_certificate")
        let others = try chain.map { text throws(BatonError) in
            try PEMCertificates.read(text, name: names.chain, reason: "invalid_certificate")
        }
        guard let signer = own.first else { return [] }
        let privateKey: Certificate.PrivateKey
        do {
            privateKey = try Certificate.PrivateKey(pemEncoded: key)
        } catch {
            throw BatonError(
                .invalidArgument, reason: "invalid_key",
                "“\(names.key)” is no private key in PEM form without a passphrase.", cause: error)
        }
        guard privateKey.publicKey == signer.publicKey else {
            throw BatonError(
                .invalidArgument, reason: "key_mismatch",
                "The key in “\(names.key)” does not belong to the certificate in “\(names.certificate)”, which is of "
                    + "\(signer.subject). Name the right one of each.")
        }
        guard try time <= CertificateValidity(signer).notAfter else {
            throw BatonError(
                .failedPrecondition, reason: "certificate_expired",
                "The certificate in “\(names.certificate)”, which is of \(signer.subject), has expired; no device would "
                    + "accept the file. Renew it.")
        }
        let algorithm = try SignatureAlgorithm(signingWith: signer.publicKey)
        do {
            let signature = try privateKey.sign(bytes: content, signatureAlgorithm: algorithm.algorithm)
            let bytes = try message(
                content, certificates: own + (others ?? []), signer: signer, algorithm: algorithm,
                signature: signature.rawRepresentation)
            guard bytes.count <= SiteFile.maximumSize else {
                throw BatonError(
                    .resourceExhausted, reason: "site_file_too_large",
                    "The signed file would be too large: it would have \(bytes.count) bytes, and the limit for site files "
                        + "is \(SiteFile.maximumSize). Shorten the JSON.")
            }
            return bytes
        } catch let error as BatonError {
            throw error
        } catch {
            throw BatonError(.internal, reason: "not_signed", "The file could not be signed.", cause: error)
        }
    }

    /// Whether this is a signed message in one of the forms that openssl writes: DER, PEM or a mail.
    private static func isSigned(_ content: [UInt8]) -> Bool {
        // The identifier of SignedData stands at the very beginning.
        let identifier: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        if content.first == 0x30 {
            return (0..<min(16, content.count)).contains { content[$0...].starts(with: identifier) }
        }
        return ["-----BEGIN PKCS7-----", "-----BEGIN CMS-----", "MIME-Version:"].contains {
            content.starts(with: $0.utf8)
        }
    }

    private static func message(
        _ content: [UInt8], certificates: [Certificate], signer: Certificate, algorithm: SignatureAlgorithm,
        signature: [UInt8]
    ) throws -> [UInt8] {
        let outer = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(ASN1ObjectIdentifier.signedData)
            try coder.appendConstructedNode(identifier: outer) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(1)
                    try coder.appendConstructedNode(identifier: .set) { coder in
                        try append(algorithm.hash.identifier, hasNull: true, to: &coder)
                    }
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        try coder.serialize(ASN1ObjectIdentifier.data)
                        try coder.appendConstructedNode(identifier: outer) { coder in
                            try coder.serialize(ASN1OctetString(contentBytes: content[...]))
                        }
                    }
                    try coder.serializeSetOf(certificates, identifier: outer)
                    try coder.appendConstructedNode(identifier: .set) { coder in
                        try appendSigner(signer, algorithm, signature, to: &coder)
                    }
                }
            }
        }
        return serializer.serializedBytes
    }

    private static func appendSigner(
        _ signer: Certificate, _ algorithm: SignatureAlgorithm, _ signature: [UInt8], to coder: inout DER.Serializer
    ) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(1)
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(signer.issuer)
                try coder.serialize(signer.serialNumber.bytes)
            }
            try append(algorithm.hash.identifier, hasNull: true, to: &coder)
            // For RSA the kind of key alone, as openssl writes it and as the oldest readers want it.
            if algorithm.isRSA {
                try append(SignatureAlgorithm.rsaEncryption, hasNull: true, to: &coder)
            } else {
                try append(algorithm.hash.ecdsa.identifier, hasNull: false, to: &coder)
            }
            try coder.serialize(ASN1OctetString(contentBytes: signature[...]))
        }
    }

    private static func append(
        _ identifier: ASN1ObjectIdentifier, hasNull: Bool, to coder: inout DER.Serializer
    ) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            if hasNull { try coder.serialize(ASN1Null()) }
        }
    }
}
