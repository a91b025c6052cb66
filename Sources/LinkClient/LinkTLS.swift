package import BatonCore
import Foundation
import NIOCore
package import NIOSSL

/// TLS between devices of one account: 1.3 only, both sides with certificates, each side's judged by ``verify``.
///
/// One value serves both directions. It holds the device's private key; nothing of it is ever logged.
package struct LinkTLS: Sendable {
    /// Judges the certificates (DER, the leaf first) that the peer presented; TLS then proves that it holds the leaf's
    /// key. Called on an event loop: it must not block.
    package typealias Verify = @Sendable ([[UInt8]]) -> Result<DeviceID, BatonError>

    private let clientContext: NIOSSLContext
    private let serverContext: NIOSSLContext
    private let verify: Verify

    /// - Parameters:
    ///   - certificateChain: DER, this device's first, up to the account's root.
    ///   - privateKey: DER of this device's key.
    /// - Throws: `data_loss` when the key or certificates are damaged.
    package init(certificateChain: [[UInt8]], privateKey: [UInt8], verify: @escaping Verify) throws(BatonError) {
        do {
            let chain = try certificateChain.map { try NIOSSLCertificate(bytes: $0, format: .der) }
            let key = try NIOSSLPrivateKey(bytes: privateKey, format: .der)
            var client = TLSConfiguration.makeClientConfiguration()
            client.minimumTLSVersion = .tlsv13
            client.certificateChain = chain.map { .certificate($0) }
            client.privateKey = .privateKey(key)
            client.trustRoots = .certificates([])
            // The chain is judged by `verify`, which knows the account; names mean nothing here.
            client.certificateVerification = .noHostnameVerification
            var server = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            server.minimumTLSVersion = .tlsv13
            server.trustRoots = .certificates([])
            server.certificateVerification = .noHostnameVerification
            clientContext = try NIOSSLContext(configuration: client)
            serverContext = try NIOSSLContext(configuration: server)
        } catch {
            throw BatonError(
                .dataLoss, reason: "damaged_identity",
                "This device's key or certificates cannot be used. Pair the device again.", cause: error)
        }
        self.verify = verify
    }

    /// - Parameter accepted: called with the peer once its certificates were accepted and before any of its bytes are
    ///   read. A resumed session would not come by here; a caller that got no peer must refuse.
    package func clientHandler(
        serverName: String, accepted: @escaping @Sendable (DeviceID) -> Void,
        refused: @escaping @Sendable (BatonError) -> Void
    ) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(
            context: clientContext, serverHostname: serverName,
            customVerificationCallback: callback(accepted: accepted, refused: refused))
    }

    package func serverHandler(
        accepted: @escaping @Sendable (DeviceID) -> Void, refused: @escaping @Sendable (BatonError) -> Void
    ) -> NIOSSLServerHandler {
        NIOSSLServerHandler(
            context: serverContext, customVerificationCallback: callback(accepted: accepted, refused: refused))
    }

    private func callback(
        accepted: @escaping @Sendable (DeviceID) -> Void, refused: @escaping @Sendable (BatonError) -> Void
    ) -> NIOSSLCustomVerificationCallback {
        { [verify] certificates, promise in
            do {
                switch verify(try certificates.map { try $0.toDERBytes() }) {
                case .success(let device):
                    accepted(device)
                    promise.succeed(.certificateVerified)
                case .failure(let error):
                    refused(error)
                    promise.succeed(.failed)
                }
            } catch {
                promise.succeed(.failed)
            }
        }
    }
}
