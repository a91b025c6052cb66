import AppSessions
package import BatonCore
import BatonStore
import BatonTransport
import BatonTrust
import BatonWire
import Devices
import Foundation
import Glibc
package import Handoff
import KeyValue
import LaunchServices
package import Logging
import Notices
import SavedActivities
import ServiceLifecycle
package import SiteAssociations
import Sync
import Synchronization
import UnixSignals

/// The composition root: makes every service of one device, joins them, and runs them until a signal.
///
/// The order of making is the order of dependence: files, account, apps, presence, Handoff, the planes.
package struct Daemon: Sendable {
    package struct Options: Sendable {
        package var locations: Locations
        /// Whether `--home` or `BATON_HOME` gives the device a folder of its own.
        package var hasHome: Bool
        /// Interfaces of the link plane; nil for every one but the loopback.
        package var interfaces: [String]?
        /// The link plane's port; the next one is for pairing, and the one after that for AirDrop.
        package var port: Int
        package var payloadLimit: Int
        package var sites: SiteAssociationsSettings
        package var documentRoots: [DocumentRoot]
        /// A file in PEM, instead of the system's authorities, that vouches for clouds.
        package var cloudAuthorities: String?
        package var environment: [String: String]
        var descriptors: DescriptorLimit

        init(
            locations: Locations, hasHome: Bool = false, interfaces: [String]?, port: Int = LinkServer.defaultPort,
            payloadLimit: Int = HandoffConfiguration().payloadLimit,
            sites: SiteAssociationsSettings, documentRoots: [DocumentRoot] = [], cloudAuthorities: String? = nil,
            environment: [String: String],
            descriptors: DescriptorLimit
        ) {
            self.locations = locations
            self.hasHome = hasHome
            self.interfaces = interfaces
            self.port = port
            self.payloadLimit = payloadLimit
            self.sites = sites
            self.documentRoots = documentRoots
            self.cloudAuthorities = cloudAuthorities
            self.environment = environment
            self.descriptors = descriptors
        }
    }

    private let options: Options
    private let logger: Logger

    package init(options: Options, logger: Logger) {
        self.options = options
        self.logger = logger
    }

    /// - Throws: `failed_precondition` when a daemon of the same home runs already, and what storage throws.
    package func run() async throws {
        let locations = options.locations
        try SecureDirectory.prepareAll(locations)
        let lock = try SingleInstanceLock(path: locations.lock)
        defer { withExtendedLifetime(lock) {} }
        try lock.removeStaleSocket(locations.socket)
        let log = EventLog(path: locations.eventLog)
        let incarnation = try Incarnation.next(in: locations.data)
        log.record("daemon", "started", "The daemon started.", ["version": BatonVersion.current])

        let settings = DaemonSettings(locations: locations, recorder: log)
        if let problem = settings.problem { logger.warning("\(problem.message)") }
        let account = try await AccountService.open(locations: locations, recorder: log)
        let database = try DaemonDatabase(
            path: locations.database,
            migrations: LaunchServices.migrations + DeviceSightings.migrations + SiteAssociations.migrations
                + SavedActivities.migrations + KeyValueService.migrations + SyncStore.migrations + KeyZone.migrations
                + AccountZone.migrations + OpeningPart.migrations)
        let launchServices = try await LaunchServices(
            locations: locations, database: database, recorder: log, logger: logger,
            settings: .init(environment: options.environment, descriptorLimit: options.descriptors.original))
        let discovery = AvahiDiscovery(interfaces: options.interfaces, recorder: log)
        let authority = LinkAuthority(account: account)
        let offers = OfferRelay()
        let linkPort = LinkPort()
        let deviceName: @Sendable () -> String = { account.snapshot().map { $0.name(of: $0.deviceID) } ?? "" }
        let presence = PresenceService(
            configuration: .init(
                port: { linkPort.port }, renewPort: linkPort.renew, softwareVersion: BatonVersion.current,
                incarnation: incarnation),
            discovery: discovery, dialer: LinkDialing(authority: authority), naming: authority.admission.naming,
            membership: PresenceMembership(account), handlers: PresenceHandlers(offers: offers.receive),
            deviceName: deviceName,
            timestamp: { HybridTimestamp(milliseconds: WallClock.system.milliseconds, counter: 0).rawValue },
            recorder: log)
        authority.onExhaustion { presence.changeName() }
        let sightings = try await DeviceSightings(database: database, account: account, presence: presence)
        let peers = LinkPeers(account: account, presence: presence, authority: authority)
        let apps = InstalledApps(launchServices: launchServices)
        let sites = try await SiteAssociations(
            database: database, recorder: log, logger: logger, settings: options.sites)
        sites.appsChanged(apps.claiming)
        let browser = SystemBrowser(
            command: { settings.value(of: .browser) },
            surroundings: .init(
                environment: options.environment, descriptorLimit: options.descriptors.original,
                logs: locations.state),
            recorder: log)
        var sessionsConfiguration = AppSessionsConfiguration()
        sessionsConfiguration.payloadLimit = options.payloadLimit
        let sessions = AppSessions(
            apps: apps, configuration: sessionsConfiguration, deviceName: deviceName, recorder: log)
        var configuration = HandoffConfiguration()
        configuration.payloadLimit = options.payloadLimit
        let handoff = HandoffService(
            incarnation: incarnation, sessions: sessions, peers: peers, apps: apps,
            sites: PageSites(associations: sites), browser: browser,
            documents: DocumentRoots(options.documentRoots), recorder: log, configuration: configuration)
        handoff.appsChanged(apps.all)
        let saved = SavedActivities(
            database: database,
            apps: SavingApps(launchServices: launchServices, sessions: sessions, recorder: log), recorder: log)
        offers.connect(to: handoff)
        let icons = AppIcons(launchServices: launchServices)
        let opening = try await OpeningPart(
            database: database, launchServices: launchServices, sessions: sessions, sites: sites, browser: browser,
            icons: icons, locations: locations, hasHome: options.hasHome, recorder: log, logger: logger)
        let airDrop = AirDropPart(
            account: account, presence: presence, peers: peers, opening: opening.service, discovery: discovery,
            locations: locations,
            downloads: locations.downloads(hasHome: options.hasHome, environment: options.environment),
            interfaces: options.interfaces, port: options.port + 2, recorder: log, logger: logger)
        let keyValues = KeyValueService(database: database, recorder: log)
        let keyValueCoupling = KeyValueCoupling(
            service: keyValues, launchServices: launchServices, account: account, teams: locations.teams, recorder: log)
        try await keyValueCoupling.start()

        let cloudConnectors = CloudConnectors(authorities: options.cloudAuthorities)
        let sync = SyncService(
            account: account, access: AccountAccess(account: account, connectors: cloudConnectors),
            sources: [
                try await KeyZone(database: database, account: account),
                try await AccountZone(database: database, account: account), KeyValueZones(keyValues),
            ],
            store: SyncStore(database: database), prepareSources: keyValueCoupling.accountChanged, recorder: log,
            logger: logger)
        keyValues.connect(to: sync)
        let exchange = DirectExchange(sync: sync, peers: peers, presence: presence)

        let link = makeLinkServer(
            account: account, presence: presence, handoff: handoff, sync: sync, airDrop: airDrop,
            authority: authority, onReady: linkPort.opened)
        linkPort.onRenewal { link.renewPort() }
        let pairing = PairingService(
            account: account,
            ports: PairingPorts(
                listener: StrangerPairingListener(
                    interfaces: options.interfaces, port: options.port + 1, logger: logger),
                dialer: HTTPPairingDialer(), discovery: discovery),
            recorder: log)
        let notices = NoticeService(
            displays: [DesktopDisplay(environment: options.environment, ledger: locations.runtime + "/notices.json")],
            policy: NoticePolicy(rawValue: settings.value(of: .notifications)) ?? .on, recorder: log
        ) { _ = try handoff.accept($0.rawValue) }
        var router = ConnectRouter()
        NoticesHarness(service: notices).register(on: &router)
        AppSessionsHarness(sessions).register(on: &router)
        HandoffHarness(service: handoff).registerApp(on: &router)
        HandoffHarness(service: handoff).registerStreams(on: &router)
        HandoffHarness(service: handoff).registerControl(on: &router)
        LaunchServicesHarness(
            launchServices, developmentApps: { handoff.developmentApps }, uninstalled: saved.appsRemoved
        ).register(on: &router)
        SiteAssociationsHarness(sites).register(on: &router)
        SettingsHarness(settings: settings).register(on: &router)
        SavedActivitiesHarness(saved).register(on: &router)
        opening.register(on: &router)
        airDrop.register(on: &router)
        KeyValueHarness(keyValues, sessions: sessions, apps: keyValueCoupling).register(on: &router)
        DevicesHarness(
            account: account, pairing: pairing, presence: presence, spreadMembership: presence.spreadMembership,
            tellCloud: sync.tellMembership, accountLeft: keyValueCoupling.accountChanged,
            lastSeen: sightings.lastSeen, recoveryCloud: CloudRecovery(connectors: cloudConnectors)
        ).register(on: &router)
        ControlHarness(
            account: account, presence: presence, launchServices: launchServices, handoff: handoff, sites: sites,
            opening: opening.service, log: log, started: WallClock.system.milliseconds, home: locations.data,
            interfaces: options.interfaces ?? [],
            linkPort: { linkPort.port }
        ).register(on: &router)
        CloudControlHarness(sync: sync).register(on: &router)
        let local = LocalServer(
            socketPath: locations.socket, router: router,
            // The rest is for other devices, the database and files.
            maximumConnections: min(LocalServer.maximumConnections, Int(clamping: options.descriptors.current / 2)),
            admit: LocalAdmission(launchServices: launchServices).check, logger: logger
        ) {
            log.record("daemon", "ready", "The daemon answers.", [:])
        }
        let couplings = Couplings(
            account: account, presence: presence, launchServices: launchServices, sessions: sessions,
            handoff: handoff, apps: apps,
            sites: sites, settings: settings, saved: saved, keyValues: keyValueCoupling, opening: opening, peers: peers,
            link: link)

        let noticeCoupling = NoticeCoupling(
            notices: notices, handoff: handoff, settings: settings, icons: icons,
            deviceName: peers.name)
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: notices), .init(service: noticeCoupling), .init(service: handoff),
                .init(service: sessions), .init(service: link), .init(service: airDrop.receiver),
                .init(service: couplings),
                // Before presence, so that it ends after presence has told who is gone.
                .init(service: sightings),
                .init(service: LinkPort.Waiting(port: linkPort, service: presence)),
                .init(service: sites), .init(service: saved), .init(service: keyValues),
                .init(service: exchange), .init(service: sync),
                .init(service: ReachabilityMonitor(changed: sync.networkChanged)), .init(service: local),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(5)
        defer { unlink(locations.socket) }
        do {
            try await ServiceGroup(configuration: group).run()
        } catch is CancellationError {
            // The limit of the graceful shutdown.
        }
        await discovery.shutdown()
        log.record("daemon", "stopped", "The daemon stopped.", [:])
        await log.flush()
        try database.close()
    }

    private func makeLinkServer(
        account: AccountService, presence: PresenceService, handoff: HandoffService, sync: SyncService,
        airDrop: AirDropPart, authority: LinkAuthority,
        onReady: @escaping @Sendable (Int) -> Void
    ) -> LinkServer {
        var router = ConnectRouter()
        let isMember: @Sendable (DeviceID) -> Bool = { device in
            account.standing == .member && account.membership()?.isMember(device) == true
        }
        HandoffHarness(service: handoff).registerLink(on: &router, isMember: isMember)
        DirectExchangeHarness(sync: sync).register(on: &router, isMember: isMember)
        airDrop.registerLink(on: &router) { context in
            guard case .device(let device) = context.peer, isMember(device) else {
                throw BatonError(
                    .permissionDenied, reason: "not_a_member",
                    "The calling device does not belong to the account, or not any more.")
            }
            return device
        }
        router.duplex(LinkMethods.presence) { incoming, context, writer in
            guard case .device(let device) = context.peer else {
                throw BatonError(
                    .unauthenticated, reason: "not_a_device", "Only a device of the account may call this.")
            }
            try await presence.acceptPresence(
                peer: device, address: context.remoteAddress, incoming: incoming, writer: writer)
        }
        var policy = authority.policy
        policy.refusedByPeer = { presence.refusedByPeer() }
        return LinkServer(
            router: router, policy: policy, interfaces: options.interfaces, port: options.port, logger: logger,
            onReady: onReady)
    }
}

/// Hands what other devices offer to Handoff, which is made after presence because it depends on it.
private final class OfferRelay: Sendable {
    private let handoff = Mutex<HandoffService?>(nil)

    var receive: @Sendable (DeviceID, Baton_Link_V1_OfferSnapshot) async -> Void {
        { [self] device, snapshot in handoff.withLock { $0 }?.offersReceived(snapshot, from: device) }
    }

    func connect(to service: HandoffService) { handoff.withLock { $0 = service } }
}
