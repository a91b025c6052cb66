import BatonCore
package import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// The signer of a site file.
package struct SiteFileSigner: Sendable, Hashable {
    /// The certificate's subject and issuer.
    package let subject: String
    package let issuer: String
    /// The certificate's last moment.
    package let notAfter: Date
}

/// Verifies signed site files, and makes them.
enum SignedSiteFile {
    /// - Returns: the content, once its signature and the chain to one of the anchors hold at that time (H-93, H-94).
    /// - Throws: `invalid_argument` with reason `site_file_signature_malformed`; `unauthenticated` with reason
    ///   `site_file_signature_invalid`, `site_file_signer_expired`, `site_file_signer_not_yet_valid` or
    ///   `site_file_signer_untrusted`.
    static func open(
        _ bytes: [UInt8], anchors: TrustAnchors, time: Date
    ) async throws(BatonError) -> (content: [UInt8], signer: SiteFileSigner) {
        let message = try SignedData(bytes)
        let certificate = try signerCertificate(of: message)
        try verifySignature(of: message, by: certificate)
        let validity = try CertificateValidity(certificate)
        try checkTime(certificate, validity, time)
        try checkUsage(certificate)
        try await verifyChain(certificate, message.certificates, anchors: anchors, time: time)
        let signer = SiteFileSigner(
            subject: "\(certificate.subject)", issuer: "\(certificate.issuer)", notAfter: validity.notAfter)
        return (message.content, signer)
    }

    private static func signerCertificate(of message: SignedData) throws(BatonError) -> Certificate {
        let found = message.certificates.first { certificate in
            switch message.signer {
            case .issuerAndSerialNumber(let issuer, let number):
                certificate.issuer == issuer && certificate.serialNumber == number
            case .subjectKeyIdentifier(let identifier):
                (try? certificate.extensions.subjectKeyIdentifier)?.keyIdentifier.elementsEqual(identifier) ?? false
            }
        }
        guard let found else {
            throw SignedData.malformed("the signer's certificate is not in it. Sign it without -nocerts")
        }
        return found
    }

    private static func verifySignature(of message: SignedData, by certificate: Certificate) throws(BatonError) {
        let algorithm = try SignatureAlgorithm(
            digest: message.digestAlgorithm, signature: message.signatureAlgorithm)
        var signed = message.content
        if let attributes = message.signedAttributes {
            guard attributes.contentType == .data, attributes.messageDigest == algorithm.hash.digest(message.content)
            else { throw invalid }
            signed = attributes.bytes
        }
        guard
            certificate.publicKey.isValidSignature(
                message.signature, for: signed, signatureAlgorithm: algorithm.algorithm)
        else { throw invalid }
    }

    private static let invalid = BatonError(
        .unauthenticated, reason: "site_file_signature_invalid",
        "The file is not as it was signed: its content and its signature do not belong together. Sign it again.")

    private static func checkTime(
        _ certificate: Certificate, _ validity: CertificateValidity, _ time: Date
    ) throws(BatonError) {
        if time > validity.notAfter {
            throw BatonError(
                .unauthenticated, reason: "site_file_signer_expired",
                "The certificate that signed the file (\(certificate.subject)) expired on "
                    + "\(day(validity.notAfter)). Sign it again with a valid one.")
        }
        if time < validity.notBefore {
            throw BatonError(
                .unauthenticated, reason: "site_file_signer_not_yet_valid",
                "The certificate that signed the file (\(certificate.subject)) is valid only from "
                    + "\(day(validity.notBefore)) on.")
        }
    }

    /// A certificate for something else altogether, as of a person's log-in or of a time stamp, signs no site's file.
    private static func checkUsage(_ certificate: Certificate) throws(BatonError) {
        let allowed: [ExtendedKeyUsage.Usage] = [.serverAuth, .emailProtection, .any]
        do {
            guard let usages = try certificate.extensions.extendedKeyUsage else { return }
            if usages.contains(where: allowed.contains) { return }
        } catch {
            throw SignedData.malformed("the signer's certificate is malformed", error)
        }
        throw BatonError(
            .unauthenticated, reason: "site_file_signer_untrusted",
            "The certificate that signed the file (\(certificate.subject)) is for other uses. Sign with the certificate "
                + "of the site's TLS server.")
    }

    private static func verifyChain(
        _ certificate: Certificate, _ others: [Certificate], anchors: TrustAnchors, time: Date
    ) async throws(BatonError) {
        var verifier = Verifier(rootCertificates: anchors.store) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            NoSHA1Policy()
            UnderstoodUsagePolicy()
        }
        switch await verifier.validate(leaf: certificate, intermediates: CertificateStore(others)) {
        case .validCertificate: return
        case .couldNotValidate(let failures):
            for other in others { try checkTime(other, CertificateValidity(other), time) }
            let causes = Set(failures.map { "\($0.policyFailureReason)" }).sorted().prefix(3)
            throw BatonError(
                .unauthenticated, reason: "site_file_signer_untrusted",
                "The certificate that signed the file (\(certificate.subject), issued by \(certificate.issuer)) does not "
                    + "lead to \(anchors.description). Add the intermediate certificates when signing, or name other "
                    + "roots." + (causes.isEmpty ? "" : " (\(causes.joined(separator: "; ")))"))
        }
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}

/// SHA-1 can be made to collide: nothing in a chain may rest on it.
private struct NoSHA1Policy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        // The last one is an anchor, whose signature is not checked.
        for certificate in chain.dropLast() where certificate.signatureAlgorithm == .sha1WithRSAEncryption {
            return .failsToMeetPolicy(reason: "\(certificate.subject) is signed with SHA-1")
        }
        return .meetsPolicy
    }
}

/// The signer's usages were checked; in issuers they only restrict what is known to be right.
private struct UnderstoodUsagePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [.X509ExtensionID.extendedKeyUsage]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        .meetsPolicy
    }
}
