import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import Files
package import Foundation
import HTTPTypes
package import Logging
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// The composition root of `baton-cloud serve`: storage, accounts, zones, blobs and the listener, run until a signal.
package struct CloudServer: Sendable {
    package struct Options: Sendable {
        /// The directory that holds everything that the server keeps.
        package var data: String
        /// Nil for every address of the machine.
        package var host: String?
        package var port: Int
        package var registration: CloudAccounts.Registration
        package var security: Security
        /// host:port as devices call the server; empty for any name that a request gives.
        package var authorities: Set<String> = []
        package var rules = StoreRules()
        package var limits = CloudLimits()
        package var callsPerSecond = 500.0
        var connections = PublicConnections.Limits(
            total: 20_000, perNetwork: 1024, perAccount: 512, perDevice: 64)
        package var metrics = MetricsAudience.local
        /// Whether pages that apps offer to everybody are taken and found.
        package var hasPublicIndex = false
        /// URLs of PostgreSQL databases, the directory first; empty for SQLite in the folder.
        package var databases: [String] = []
        /// Nil for files in the folder.
        package var objects: (S3Location, S3Credentials)?

        package init(
            data: String, host: String?, port: Int, registration: CloudAccounts.Registration, security: Security
        ) {
            self.data = data
            self.host = host
            self.port = port
            self.registration = registration
            self.security = security
        }
    }

    package enum Security: Sendable {
        /// A certificate that the server makes for itself and keeps.
        case ownCertificate
        case certificate(path: String, key: String)
        /// In the clear, behind a proxy.
        /// - Parameter certificatePath: the proxy's, so that what devices sign can be compared with it.
        case plain(certificatePath: String?)

        var isPlain: Bool { if case .plain = self { true } else { false } }
        /// Nil for the server's own, and where none is known.
        var givenCertificate: String? {
            switch self {
            case .ownCertificate: nil
            case .certificate(let path, _): path
            case .plain(let path): path
            }
        }
    }

    private let options: Options
    private let logger: Logger
    private let onReady: @Sendable (_ port: Int, _ fingerprint: Data?) -> Void

    /// - Parameter onReady: called once devices can connect.
    package init(
        options: Options, logger: Logger, onReady: @escaping @Sendable (_ port: Int, _ fingerprint: Data?) -> Void
    ) {
        self.options = options
        self.logger = logger
        self.onReady = onReady
    }

    static func databasePath(in data: String) -> String { data + "/cloud.sqlite" }

    package func run() async throws {
        try CloudFolder.checkIsOwn(options.data)
        let path = Self.databasePath(in: options.data)
        if options.databases.isEmpty {
            try CloudFolder.checkHasDatabase(options.data, given: options.security.givenCertificate)
            // Checked before anything is created in the directory. Other faults of a database are reported when it is
            // opened.
            if (try? CloudDatabase.isBackup(path: path)) == true { throw CloudDatabase.backupNotServed }
            try CloudFolder.checkHasAccounts(options.data)
        }
        try SecureDirectory.prepare(options.data)
        let lock = try Self.lock(options.data)
        defer { withExtendedLifetime(lock) {} }
        // Before the certificate that it makes itself: where that is and no database, one was lost.
        if options.databases.isEmpty, case .ownCertificate = options.security { try CloudDatabase.make(path) }
        let certificate = try certificate()
        let names = ServerNames(authorities: options.authorities, isCertificate: certificate.map { $0.isShown })
        let threads = NIOThreadPool(numberOfThreads: 4)
        threads.start()
        let hub = ChangeHub(maximumPerDevice: options.limits.subscriptionsPerDevice)
        let relay = NodeEventRelay()
        let shortage = SpaceShortage()
        let storage = try await CloudStorage(
            options: options, threads: threads, hub: hub, relay: relay, shortage: shortage, logger: logger)
        let store = storage.items
        let blobs = CloudBlobs(items: store, store: storage.blobs, limits: options.limits)
        let accounts = CloudAccounts(
            store: store, tokens: ServerTokens(secret: try await store.secret()), names: names, hub: hub,
            registration: options.registration, clock: options.rules.clock)
        relay.attach { accounts.hear($0) }
        // Databases that are elsewhere know themselves whether they have room.
        let metrics = CloudMetrics(
            troubles: StorageHealth(logger: logger), shortage: options.databases.isEmpty ? shortage : nil)
        // Behind a proxy all callers have its address, and who calls too often is for the proxy to find out.
        let times = options.security.isPlain ? 100.0 : 1
        let ofAddress = RateLimiter<String>(perSecond: 20 * times, burst: 200 * times)
        let budgets = CloudBudgets(isProxied: options.security.isPlain)
        let authorizer = RequestAuthorizer(
            accounts: accounts, metrics: metrics, limits: options.limits, budgets: budgets,
            ofDevice: RateLimiter(perSecond: options.callsPerSecond, burst: 2 * options.callsPerSecond),
            ofAddress: ofAddress)
        let publicIndex =
            options.hasPublicIndex
            ? try await threads.runIfActive { [options] in
                try PublicIndexStore(path: options.data + "/public-index.sqlite", clock: options.rules.clock)
            } : nil
        defer { publicIndex?.close() }
        let server = makeServer(storage, blobs, hub, authorizer, certificate, publicIndex)
        metrics.gauge("connections", "Open connections.") { server.connectionCount }
        metrics.gauge("held_bytes", "Bytes of requests and answers in memory.") { budgets.bytes }
        metrics.gauge("subscriptions", "Open subscriptions.") { hub.count }
        if let certificate {
            metrics.gauge("certificate_expiry_seconds", "Until when the certificate is valid, in seconds since 1970.") {
                certificate.expiry
            }
        }

        let services: [any Service] = [
            KeepAlive(hub: hub), OtherNodes(accounts: accounts),
            Maintenance(store: store, blobs: blobs, metrics: metrics, logger: logger),
            CertificateWatch(certificate: certificate, logger: logger), server,
        ]
        var group = ServiceGroupConfiguration(
            // Named here: a service's own text has all that it holds, and takes long to make.
            services: services.map { .init(service: $0, serviceName: "\(type(of: $0))") },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(10)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch is CancellationError {
            // The limit of the graceful shutdown.
        } catch {
            await storage.close()
            throw error
        }
        await storage.close()
        threads.shutdownGracefully { _ in }
        logger.notice("Stopped")
    }

    static func lock(_ data: String) throws(BatonError) -> SingleInstanceLock {
        do {
            return try SingleInstanceLock(path: data + "/lock")
        } catch {
            guard error.reason == "already_running" else { throw error }
            throw BatonError(
                .failedPrecondition, reason: "already_running",
                "A server runs with the folder “\(data)” already. Use that one, stop it first, or name another "
                    + "folder with --data.")
        }
    }

    /// Nil behind a proxy whose certificate is not known.
    private func certificate() throws(BatonError) -> ServerCertificate? {
        switch options.security {
        case .ownCertificate:
            let isLost = isOwnCertificateLost
            let (path, key) = try ServerIdentity.own(in: options.data, now: options.rules.clock.now)
            let certificate = try ServerCertificate(path: path, keyPath: key)
            if isLost {
                logger.warning(
                    """
                    There was no certificate, though the cloud has accounts, and a new one was made. Devices refuse it \
                    until they log in again with its fingerprint. To keep the one that they know, put back certificate.pem \
                    and key.pem from a backup and start again
                    """, metadata: ["sha256": "\(certificate.fingerprint.hexadecimal)"])
            }
            return certificate
        case .certificate(let path, let key): return try ServerCertificate(path: path, keyPath: key)
        case .plain(let path?): return try ServerCertificate(path: path, keyPath: nil)
        case .plain(nil): return nil
        }
    }

    /// Nodes that share a database have each their own, and a new one has none.
    private var isOwnCertificateLost: Bool {
        guard options.databases.isEmpty, !ServerIdentity.isThere(in: options.data) else { return false }
        // Other faults of a database are reported when it is opened.
        return (try? CloudDatabase.hasAccounts(path: Self.databasePath(in: options.data))) ?? false
    }

    private func makeServer(
        _ storage: CloudStorage, _ blobs: CloudBlobs, _ hub: ChangeHub, _ authorizer: RequestAuthorizer,
        _ certificate: ServerCertificate?, _ publicIndex: PublicIndexStore?
    ) -> PublicServer {
        let store = storage.items
        var router = ConnectRouter()
        AccountHarness(store: store, authorizer: authorizer, limits: options.limits, rules: options.rules)
            .register(on: &router)
        ZoneHarness(store: store, blobs: blobs, hub: hub, authorizer: authorizer, limits: options.limits)
            .register(on: &router)
        if let publicIndex {
            PublicIndexHarness(store: publicIndex, authorizer: authorizer).register(on: &router)
        }
        BlobResource(blobs: blobs, authorizer: authorizer, hub: hub).register(on: &router)
        HealthPages(
            readiness: ReadinessCheck(check: storage.checkAnswers), metrics: authorizer.metrics,
            audience: options.metrics
        ).register(on: &router)
        let isPlain = options.security.isPlain
        var settings = PublicServer.Settings(host: options.host, port: options.port, tls: nil)
        if !isPlain { settings.tls = { certificate?.context } }
        settings.limits = ConnectLimits(maximumMessageSize: options.limits.messageBytes)
        settings.connections = options.connections
        return PublicServer(
            router: router, settings: settings, terms: authorizer.checkHead, logger: logger,
            onReady: { [onReady, logger] port in
                logger.notice("Ready", metadata: ["port": "\(port)"])
                onReady(port, isPlain ? nil : certificate?.fingerprint)
            })
    }
}
