import Crypto
package import Foundation
import Subprocess
import SwiftASN1
import SystemPackage
import X509

/// A certificate authority of one test, and the certificates that it issues; everything in PEM.
package struct TestAuthority: Sendable {
    /// The kind of a leaf's key.
    package enum KeyKind: Sendable, CaseIterable {
        case rsa, p256, p384
    }

    package struct Leaf: Sendable {
        package let key: String
        package let certificate: String

        package init(key: String, certificate: String) {
            self.key = key
            self.certificate = certificate
        }
    }

    /// The root, for those that are to trust it.
    package let root: String
    private let name: DistinguishedName
    private let key: Certificate.PrivateKey

    package init(_ name: String = "Test Authority") throws {
        self.name = try DistinguishedName { CommonName(name) }
        key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        root = try Self.certificate(
            subject: self.name, subjectKey: key.publicKey, issuer: self.name, issuerKey: key, domains: [],
            validity: Self.longTime, usage: [], isAuthority: true)
    }

    private init(root: String, name: DistinguishedName, key: Certificate.PrivateKey) {
        (self.root, self.name, self.key) = (root, name, key)
    }

    /// An authority below this one; its `root` is an intermediate certificate.
    package func intermediate(_ name: String = "Intermediate") throws -> TestAuthority {
        let subject = try DistinguishedName { CommonName(name) }
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let certificate = try Self.certificate(
            subject: subject, subjectKey: key.publicKey, issuer: self.name, issuerKey: self.key, domains: [],
            validity: Self.longTime, usage: [], isAuthority: true)
        return TestAuthority(root: certificate, name: subject, key: key)
    }

    /// A certificate for a site.
    /// - Parameter usage: `clientAuth` alone makes one that is for something else.
    package func issue(
        _ domains: String..., key kind: KeyKind = .p256, validity: ClosedRange<Date> = TestAuthority.longTime,
        isForServers: Bool = true
    ) async throws -> Leaf {
        let pem = try await Self.makeKey(kind)
        let leafKey = try Certificate.PrivateKey(pemEncoded: pem)
        let certificate = try Self.certificate(
            subject: try DistinguishedName { CommonName(domains.first ?? "leaf") }, subjectKey: leafKey.publicKey,
            issuer: name, issuerKey: key, domains: domains, validity: validity,
            usage: isForServers ? [.serverAuth, .emailProtection] : [.clientAuth], isAuthority: false)
        return Leaf(key: pem, certificate: certificate)
    }

    /// For a month already, and for ten years more.
    package static var longTime: ClosedRange<Date> {
        Date().addingTimeInterval(-30 * 86_400)...Date().addingTimeInterval(3650 * 86_400)
    }

    private static func makeKey(_ kind: KeyKind) async throws -> String {
        switch kind {
        case .rsa: try await OpenSSL.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048").output
        case .p256: P256.Signing.PrivateKey().pemRepresentation
        case .p384: P384.Signing.PrivateKey().pemRepresentation
        }
    }

    private static func certificate(
        subject: DistinguishedName, subjectKey: Certificate.PublicKey, issuer: DistinguishedName,
        issuerKey: Certificate.PrivateKey, domains: [String], validity: ClosedRange<Date>,
        usage: [ExtendedKeyUsage.Usage], isAuthority: Bool
    ) throws -> String {
        var extensions = try Certificate.Extensions {
            Critical(
                isAuthority ? BasicConstraints.isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true, keyCertSign: isAuthority))
        }
        if !usage.isEmpty { try extensions.append(.init(ExtendedKeyUsage(usage), critical: false)) }
        if !domains.isEmpty {
            try extensions.append(.init(SubjectAlternativeNames(domains.map { .dnsName($0) }), critical: false))
        }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: subjectKey,
            notValidBefore: validity.lowerBound, notValidAfter: validity.upperBound, issuer: issuer, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: issuerKey)
        return try certificate.serializeAsPEM().pemString
    }
}

/// The program `openssl`, which `dev/setup --tests` installs.
package enum OpenSSL {
    package struct Result: Sendable {
        package let isSuccess: Bool
        package let output: String
        package let errors: String
    }

    /// Runs it; a failure is for the caller to judge.
    package static func attempt(_ arguments: [String]) async throws -> Result {
        let result = try await Subprocess.run(
            .name("openssl"), arguments: Arguments(arguments), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 16))
        return Result(
            isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput,
            errors: result.standardError)
    }

    /// Runs it, and throws when it fails.
    @discardableResult
    package static func run(_ arguments: String...) async throws -> Result {
        let result = try await attempt(arguments)
        guard result.isSuccess else {
            throw IntegrationFailure("“openssl \(arguments.joined(separator: " "))” failed: \(result.errors)")
        }
        return result
    }
}
