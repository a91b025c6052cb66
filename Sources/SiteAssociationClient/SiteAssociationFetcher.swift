package import AssociatedDomains
package import BatonCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Fetches the file `apple-app-site-association` of a domain: HTTPS with a valid certificate, first below
/// `/.well-known/`, then at the root, never through a redirect, at most 128 KB, within a deadline (H-88, H-89).
package struct SiteAssociationFetcher: Sendable {
    package struct Settings: Sendable {
        /// PEM of the roots that servers' certificates must lead to, in place of the system's.
        package var roots: [UInt8]?
        /// Asked in place of where the DNS says. The server must still prove that it is the domain's.
        package var servers: [DomainName: ServerAddress]
        /// For each of the two places.
        package var deadline: Duration

        package init(
            roots: [UInt8]? = nil, servers: [DomainName: ServerAddress] = [:], deadline: Duration = .seconds(10)
        ) {
            self.roots = roots
            self.servers = servers
            self.deadline = deadline
        }
    }

    let settings: Settings
    let context: NIOSSLContext
    let group: any EventLoopGroup
    /// A group of its own: each event loop looks names up one after the other, and a name server that does not answer
    /// must not delay other users of the loop.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Reads the roots. Blocks.
    /// - Throws: `invalid_argument` with reason `invalid_roots`; `failed_precondition` when the system has no roots.
    package init(settings: Settings) throws(BatonError) {
        self.settings = settings
        group = Self.group
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        configuration.applicationProtocols = ["http/1.1"]
        do {
            if let roots = settings.roots {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(roots))
            }
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw settings.roots == nil
                ? BatonError(
                    .failedPrecondition, reason: "no_roots",
                    "This system's root certificates cannot be read. Install the package ca-certificates.", cause: error
                )
                : BatonError(
                    .invalidArgument, reason: "invalid_roots",
                    "The file of roots is no PEM file of certificates only.", cause: error)
        }
    }

    /// - Parameters:
    ///   - validators: of the file that is held, so that the server can answer that it is still the one.
    ///   - allowsPrivateNetwork: also a server whose address is not of the public internet.
    package func fetch(
        _ domain: DomainName, validators: SiteValidators? = nil, allowsPrivateNetwork: Bool = false
    ) async -> SiteFetch {
        var attempts: [SiteFetch.Attempt] = []
        var verdicts: [SiteFetch.Outcome] = []
        for path in ["/.well-known/" + SiteFile.name, "/" + SiteFile.name] {
            let url = "https://\(domain)\(path)"
            do {
                let answer = try await request(path, of: domain, validators, allowsPrivateNetwork)
                let verdict = verdict(on: answer, url: url, sentValidators: validators != nil)
                attempts.append(.init(url: url, finding: verdict.finding))
                // A file at the first place is the site's word; any other status leads to the second place.
                if answer.status == 200 || answer.status == 304 {
                    return SiteFetch(outcome: verdict.outcome, attempts: attempts)
                }
                verdicts.append(verdict.outcome)
            } catch {
                attempts.append(.init(url: url, finding: error.message))
                // A file that is too large was there; anything else would be the same at the other place.
                return SiteFetch(
                    outcome: error.reason == "site_file_too_large" ? .refused(error) : .unreachable(error),
                    attempts: attempts)
            }
        }
        return SiteFetch(outcome: Self.worst(verdicts, domain), attempts: attempts)
    }

    /// Combines the results of both places: a server that is out of order says nothing, a redirect is worse than no
    /// file.
    private static func worst(_ verdicts: [SiteFetch.Outcome], _ domain: DomainName) -> SiteFetch.Outcome {
        for verdict in verdicts { if case .unreachable = verdict { return verdict } }
        for verdict in verdicts { if case .refused = verdict { return verdict } }
        return .absent(
            BatonError(
                .notFound, reason: "site_file_absent",
                "\(domain) has no file \(SiteFile.name), neither below /.well-known/ nor at its root. Put one there."))
    }

    // MARK: Judging answers

    private func verdict(
        on answer: SiteAnswer, url: String, sentValidators: Bool
    ) -> (outcome: SiteFetch.Outcome, finding: String) {
        func problem(_ code: BatonError.Code, _ reason: String, _ message: String) -> BatonError {
            BatonError(code, reason: reason, message)
        }
        switch answer.status {
        case 200:
            if let encoding = answer.headers.first(name: "content-encoding"), encoding.lowercased() != "identity" {
                let error = problem(
                    .failedPrecondition, "site_file_encoded",
                    "\(url) was answered with the content encoding “\(encoding.prefix(50))”, which was not asked for. "
                        + "Serve the file as it is.")
                return (.refused(error), error.message)
            }
            let file = FetchedFile(
                bytes: answer.body, contentType: answer.headers.first(name: "content-type") ?? "", url: url,
                validators: SiteValidators(
                    entityTag: answer.headers.first(name: "etag"),
                    lastModified: answer.headers.first(name: "last-modified")),
                maximumAge: Self.maximumAge(answer.headers))
            return (.file(file), "Answered with \(answer.body.count) bytes, \(file.contentType.prefix(100)).")
        case 304 where sentValidators:
            return (.unchanged, "Answered that the file has not changed.")
        case 300..<400:
            let target = answer.headers.first(name: "location") ?? ""
            let error = problem(
                .failedPrecondition, "site_redirects",
                "\(url) is redirected\(target.isEmpty ? "" : " to \(target.prefix(200))"). Redirects are not followed: "
                    + "serve the file there itself.")
            return (.refused(error), error.message)
        case 408, 425, 429, 500...:
            let error = problem(
                .unavailable, "site_out_of_order", "\(url) was answered with the status \(answer.status). Try later.")
            return (.unreachable(error), error.message)
        case 400..<500:
            let error = problem(
                .notFound, "site_file_absent", "\(url) was answered with the status \(answer.status).")
            return (.absent(error), error.message)
        default:
            let error = problem(
                .failedPrecondition, "site_status",
                "\(url) was answered with the status \(answer.status). Serve the file with 200.")
            return (.refused(error), error.message)
        }
    }

    private static func maximumAge(_ headers: HTTPHeaders) -> Int? {
        for directive in headers[canonicalForm: "cache-control"] {
            let parts = directive.split(separator: "=", maxSplits: 1)
            if parts.first?.lowercased() == "max-age", parts.count == 2 { return Int(parts[1]).map { max(0, $0) } }
            if ["no-cache", "no-store"].contains(directive.lowercased()) { return 0 }
        }
        return nil
    }

    // MARK: One request

    private func request(
        _ path: String, of domain: DomainName, _ validators: SiteValidators?, _ allowsPrivateNetwork: Bool
    ) async throws(BatonError) -> SiteAnswer {
        let server = settings.servers[domain]
        let isAddressFree = allowsPrivateNetwork || server != nil
        var headers: HTTPHeaders = [
            "host": domain.rawValue, "user-agent": "Baton/\(BatonVersion.current)",
            "accept": "application/json, application/pkcs7-mime", "accept-encoding": "identity", "connection": "close",
        ]
        if let tag = validators?.entityTag { headers.add(name: "if-none-match", value: tag) }
        if let date = validators?.lastModified { headers.add(name: "if-modified-since", value: date) }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
        let loop = group.next()
        let promise = loop.makePromise(of: SiteAnswer.self)
        // The connection is closed when its answer is there, at the deadline, and when the caller gives up.
        let deadline = TimeAmount.nanoseconds(Int64(settings.deadline / .nanoseconds(1)))
        let connecting = ClientBootstrap(group: loop)
            .connectTimeout(deadline)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { [context] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let gate = ConnectionGate(allowsPrivateNetwork: isAddressFree)
                    try pipeline.addHandler(gate)
                    try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: domain.rawValue))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(
                        SiteExchangeHandler(
                            head: head, limit: SiteFile.maximumSize, deadline: deadline, gate: gate, promise: promise))
                }
            }
            .connect(host: server?.host ?? domain.rawValue, port: server?.port ?? 443)
        connecting.whenFailure { promise.fail($0) }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                connecting.whenSuccess { $0.close(promise: nil) }
            }
        } catch {
            throw await describe(error, domain, allowsPrivateNetwork: isAddressFree)
        }
    }
}
