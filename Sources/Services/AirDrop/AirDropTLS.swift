import BatonCore
import BatonTrust
import Crypto
import Foundation
import NIOSSL

/// TLS of the AirDrop protocol: certificates prove nothing there, and are made anew so that they identify no one.
enum AirDropTLS {
    /// For connections of others.
    static func serverContext() throws -> NIOSSLContext {
        let (certificate, key) = try identity()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .none
        return try NIOSSLContext(configuration: configuration)
    }

    /// For connections to others.
    static func clientContext() throws -> NIOSSLContext {
        let (certificate, key) = try identity()
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .none
        // Some receivers ask for one.
        configuration.certificateChain = [.certificate(certificate)]
        configuration.privateKey = .privateKey(key)
        return try NIOSSLContext(configuration: configuration)
    }

    /// A key that is used for this alone.
    private static func identity() throws -> (NIOSSLCertificate, NIOSSLPrivateKey) {
        let key = P256.Signing.PrivateKey()
        let der = try DeviceCertificate.root(key: key, now: Date())
        return (
            try NIOSSLCertificate(bytes: der, format: .der),
            try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)
        )
    }
}
