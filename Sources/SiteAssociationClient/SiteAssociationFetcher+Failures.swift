import AssociatedDomains
import BatonCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

extension SiteAssociationFetcher {
    /// Describes a connection error in a sentence for the person who can fix it.
    func describe(
        _ error: any Error, _ domain: DomainName, allowsPrivateNetwork: Bool
    ) async -> BatonError {
        let place = settings.servers[domain].map { "\(domain) (at \($0))" } ?? domain.rawValue
        func unreachable(_ reason: String, _ message: String) -> BatonError {
            BatonError(.unavailable, reason: reason, message, cause: error)
        }
        switch error {
        case let error as BatonError:
            return error
        case NIOSSLError.handshakeFailed(let failure):
            // Among others: a root of the right name with another key is a bad signature first.
            if "\(failure)".contains("CERTIFICATE_VERIFY_FAILED") {
                let (reason, message) = await certificateFault(domain, place, allowsPrivateNetwork)
                return unreachable(reason, message)
            }
            let (reason, message) = Self.handshakeFailure(Self.name(of: failure), place)
            return unreachable(reason, message)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            return unreachable(
                "site_certificate_wrong_name",
                "The TLS certificate of \(place) is for another name. Serve one that names \(domain).")
        case is NIOConnectionError, is ChannelError, is IOError, is SocketAddressError:
            return unreachable(
                "site_unreachable", "No connection to \(place) could be made. Is the name right, and the server up?")
        case is HTTPParserError:
            return unreachable("site_answer_malformed", "\(place) does not answer in HTTP, or not to the end.")
        default:
            return unreachable("site_answer_cut", "\(place) closed the connection before its answer was whole.")
        }
    }

    /// BoringSSL's name for what went wrong, as `WRONG_VERSION_NUMBER`; empty when the connection just ended.
    private static func name(of failure: BoringSSLError) -> Substring {
        let text = "\(failure)"
        guard let mark = text.range(of: "OPENSSL_internal:") else { return "" }
        return text[mark.upperBound...].prefix { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
    }

    private static func handshakeFailure(_ name: Substring, _ place: String) -> (reason: String, message: String) {
        switch name {
        case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
            ("site_no_tls", "\(place) does not speak TLS on this port. Serve the file over HTTPS.")
        case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION":
            ("site_tls_failed", "\(place) speaks only versions of TLS that are too old. Let it speak 1.2 or 1.3.")
        case "TLSV1_UNRECOGNIZED_NAME", "TLSV1_ALERT_UNRECOGNIZED_NAME":
            ("site_tls_failed", "The server of \(place) does not know a site of that name.")
        case "":
            ("site_tls_failed", "\(place) closed the connection in the middle of the TLS handshake.")
        default:
            ("site_tls_failed", "\(place) does not speak TLS as it should (\(name.prefix(100))).")
        }
    }

    // MARK: Certificates

    private func certificateFault(
        _ domain: DomainName, _ place: String, _ allowsPrivateNetwork: Bool
    ) async -> (reason: String, message: String) {
        func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
        let chain = await shownCertificates(of: domain, allowsPrivateNetwork: allowsPrivateNetwork)
        switch try? CertificateFault(chain: chain, time: Date()) {
        case .expired(let subject, let date):
            return (
                "site_certificate_expired",
                "The TLS certificate of \(place) is not valid: \(subject.prefix(200)) expired on \(day(date)). Renew it."
            )
        case .notYetValid(let subject, let date):
            return (
                "site_certificate_not_yet_valid",
                "The TLS certificate of \(place) is not valid: \(subject.prefix(200)) counts only from \(day(date)) on. "
                    + "Is the clock of this machine right?"
            )
        case .notForServers(let subject):
            return (
                "site_certificate_untrusted",
                "The TLS certificate of \(place), \(subject.prefix(200)), is for other uses than those of a server. "
                    + "Have one issued for servers."
            )
        case .selfSigned:
            return (
                "site_certificate_untrusted",
                "The TLS certificate of \(place) is self-signed, not issued by an authority that is trusted here. Have an "
                    + "authority issue one, or name it as a root."
            )
        case .unknownIssuer(let issuer):
            return (
                "site_certificate_untrusted",
                "The TLS certificate of \(place) does not lead to an authority that is trusted here: \(issuer.prefix(200)) "
                    + "is not one. Serve the intermediate certificates with it, or name the roots."
            )
        case nil:
            return (
                "site_certificate_invalid",
                "The TLS certificate of \(place) is not valid for it: it has expired, names another host, or does not "
                    + "lead to a trusted root. Mend it, or name the roots."
            )
        }
    }

    /// The certificates that the server shows, in DER, on a connection of its own that goes no further.
    private func shownCertificates(of domain: DomainName, allowsPrivateNetwork: Bool) async -> [[UInt8]] {
        let shown = ShownCertificates()
        let deadline = TimeAmount.nanoseconds(Int64(settings.deadline / .nanoseconds(1)))
        let connecting = ClientBootstrap(group: group)
            .connectTimeout(deadline)
            .channelInitializer { [context] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ConnectionGate(allowsPrivateNetwork: allowsPrivateNetwork))
                    let handler = try NIOSSLClientHandler(
                        context: context, serverHostname: domain.rawValue,
                        customVerificationCallback: { certificates, promise in
                            shown.certificates.withLock {
                                $0 = certificates.prefix(10).compactMap { try? $0.toDERBytes() }
                            }
                            promise.succeed(.failed)
                        })
                    try pipeline.addHandler(handler)
                    try pipeline.addHandler(ClosingHandler())
                }
            }
            .connect(
                host: settings.servers[domain]?.host ?? domain.rawValue, port: settings.servers[domain]?.port ?? 443)
        let ending = connecting.flatMap { channel in
            let timer = channel.eventLoop.scheduleTask(in: deadline) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in timer.cancel() }
            return channel.closeFuture
        }
        await withTaskCancellationHandler {
            try? await ending.get()
        } onCancel: {
            connecting.whenSuccess { $0.close(promise: nil) }
        }
        return shown.certificates.withLock { $0 }
    }
}

private final class ShownCertificates: Sendable {
    let certificates = Mutex<[[UInt8]]>([])
}

/// Ends a connection at its first error.
private final class ClosingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
