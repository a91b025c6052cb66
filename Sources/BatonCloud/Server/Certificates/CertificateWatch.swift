import BatonCore
import Foundation
import Logging
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// Looks every ten seconds, and at SIGHUP, whether the certificate's files were replaced. Connections that are open stay
/// as they are; the next ones see the new certificate.
struct CertificateWatch: Service {
    /// Nil where there is none to look after; SIGHUP ends nothing then, either.
    let certificate: ServerCertificate?
    let logger: Logger

    private static let interval = Duration.seconds(10)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    for await _ in await UnixSignalsSequence(trapping: .sighup) { await look() }
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: Self.interval)
                        await look()
                    }
                }
            }
        }
    }

    private func look() async {
        guard let certificate else { return }
        // Files block.
        switch try? await NIOThreadPool.singleton.runIfActive({ certificate.refresh() }) {
        case .replaced(let fingerprint)?:
            logger.notice("The certificate was replaced", metadata: ["sha256": "\(fingerprint.hexadecimal)"])
        case .refused(let error)?:
            logger.error(
                "The new certificate cannot be used; the old one stays in use", metadata: ["why": "\(error.message)"])
        case ServerCertificate.Change.none?, nil: break
        }
    }
}
