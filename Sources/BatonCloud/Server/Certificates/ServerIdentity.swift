package import BatonCore
import Crypto
import Files
package import Foundation
import Glibc
package import NIOSSL
import SwiftASN1
import X509

/// The certificate that a cloud shows, and its key: given, or made by the server itself and kept.
package struct ServerIdentity: Sendable {
    package let context: NIOSSLContext
    /// SHA-256 of the certificate in DER: by this devices know the server again.
    package let fingerprint: Data
    /// Until when the certificate is valid, in seconds since 1970.
    package let expiry: Int

    /// - Throws: `failed_precondition` `unusable_certificate`, naming the file that is the cause.
    package init(certificatePath: String, keyPath: String) throws(BatonError) {
        let (chain, first) = try Self.chain(certificatePath)
        let key = try Self.key(keyPath)
        do {
            fingerprint = Data(SHA256.hash(data: Data(try first.toDERBytes())))
            expiry = Int(first.notValidAfter)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv13
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw Self.unusable(
                "The key “\(keyPath)” does not fit the certificate “\(certificatePath)”. Name its own key.",
                error)
        }
    }

    /// - Returns: the certificates of a file, and the first of them, which is the server's.
    private static func chain(
        _ path: String
    ) throws(BatonError) -> ([NIOSSLCertificate], first: NIOSSLCertificate) {
        try checkReadable(path, "certificate")
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(path)
            guard let first = chain.first else { throw NIOSSLError.failedToLoadCertificate }
            return (chain, first)
        } catch {
            throw unusable("“\(path)” is not a certificate in PEM. Check the file.", error)
        }
    }

    private static func key(_ path: String) throws(BatonError) -> NIOSSLPrivateKey {
        try checkReadable(path, "key")
        do {
            return try NIOSSLPrivateKey(file: path, format: .pem)
        } catch {
            throw unusable("“\(path)” is not a key in PEM without a passphrase. Check the file.", error)
        }
    }

    private static func checkReadable(_ path: String, _ what: String) throws(BatonError) {
        guard access(path, R_OK) == 0 else {
            let cause = String(cString: strerror(errno))
            throw unusable("The \(what) “\(path)” cannot be read: \(cause).")
        }
        // Opening a named pipe would block until somebody writes into it.
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
            throw unusable("The \(what) “\(path)” is not a file. Put one in PEM there, or name another.")
        }
    }

    private static func unusable(_ message: String, _ cause: (any Error)? = nil) -> BatonError {
        BatonError(.failedPrecondition, reason: "unusable_certificate", message, cause: cause)
    }

    /// The fingerprint of a certificate in a file.
    package static func fingerprint(certificatePath: String) throws(BatonError) -> Data {
        try certificate(path: certificatePath).fingerprint
    }

    static func certificate(path certificatePath: String) throws(BatonError) -> (fingerprint: Data, expiry: Int) {
        let first = try chain(certificatePath).first
        do {
            return (Data(SHA256.hash(data: Data(try first.toDERBytes()))), Int(first.notValidAfter))
        } catch {
            throw unusable("“\(certificatePath)” is not a certificate in PEM. Check the file.", error)
        }
    }

    /// Whether the server has a certificate of its own. Blocks.
    static func isThere(in directory: String) -> Bool { access(directory + "/certificate.pem", F_OK) == 0 }

    /// Where the server's own are, made the first time. Blocks.
    package static func own(
        in directory: String, now: Date
    ) throws(BatonError) -> (certificatePath: String, keyPath: String) {
        let (certificatePath, keyPath) = (directory + "/certificate.pem", directory + "/key.pem")
        let isThere = try AtomicFile.read(certificatePath, limit: 64 << 10) != nil
        if !isThere {
            let (certificate, key) = try make(now: now)
            // The certificate last: when it is there, its key is.
            try AtomicFile.write(Array(key.utf8), to: keyPath)
            try AtomicFile.write(Array(certificate.utf8), to: certificatePath)
        }
        return (certificatePath, keyPath)
    }

    /// A problem with the server's own identity that keeps it from starting; nil when there is none, or no identity.
    /// Changes nothing. Blocks.
    static func finding(in directory: String) -> String? {
        let (certificatePath, keyPath) = (directory + "/certificate.pem", directory + "/key.pem")
        // A key alone is that of a first start that was interrupted, and is made again.
        guard isThere(in: directory) else { return nil }
        do throws(BatonError) {
            _ = try ServerIdentity(certificatePath: certificatePath, keyPath: keyPath)
            return nil
        } catch {
            return error.message
        }
    }

    /// A self-signed certificate: devices know it by its fingerprint. Its dates mean nothing; it is valid for 20 years.
    private static func make(now: Date) throws(BatonError) -> (certificate: String, key: String) {
        do {
            let key = P256.Signing.PrivateKey()
            let name = try DistinguishedName { CommonName("baton-cloud") }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(),
                publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: now.addingTimeInterval(-86_400),
                notValidAfter: now.addingTimeInterval(20 * 365.25 * 86_400), issuer: name, subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([.serverAuth])
                    SubjectAlternativeNames([.dnsName("baton-cloud")])
                },
                issuerPrivateKey: Certificate.PrivateKey(key))
            return (try certificate.serializeAsPEM().pemString, key.pemRepresentation)
        } catch {
            throw BatonError(
                .internal, reason: "certificate_not_made", "The server's certificate could not be made.", cause: error)
        }
    }
}
