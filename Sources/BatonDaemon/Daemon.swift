import BatonCore
import BatonStore
import BatonTransport
import Dispatch
import Files
import Glibc
import LaunchServices
package import Logging
import ServiceLifecycle
import UnixSignals

/// The composition root: makes every part of one device's daemon, and runs them until a signal.
package struct Daemon: Sendable {
    /// Every capability, in the order of dependence: a part uses only those before it.
    static let parts: [any DaemonPart.Type] = [
        SettingsPart.self,
        AppsPart.self,
        DevicesPart.self,
        SitesPart.self,
        SessionsPart.self,
        CoordinationPart.self,
        ProtectionPart.self,
        IdlePart.self,
        HandoffPart.self,
        SavedActivitiesPart.self,
        OpeningPart.self,
        GeocodingPart.self,
        DesktopHelperPart.self,
        ContactsPart.self,
        TransfersPart.self,
        AirDropPart.self,
        KeyValuePart.self,
        BlobsPart.self,
        DocumentsPart.self,
        RecordsPart.self,
        SpotlightPart.self,
        PeoplePart.self,
        RemindersPart.self,
        // After every part with data that syncs.
        SyncPart.self,
        PublicIndexPart.self,
        NoticesPart.self,
        SuggestionsPart.self,
        DesktopSearchPart.self,
        ContextPart.self,
        FolderLimitsPart.self,
        PredictionsPart.self,
        MediaPart.self,
        RequestsPart.self,
        BackupPart.self,
    ]

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
        log.record("daemon", "started", "The daemon started.", ["version": BatonVersion.current])
        let daemon = try await compose(log)

        var services: [any Service] = try LinkPlane(daemon).services
        for part in daemon.parts { services += part.services }
        services.append(try localServer(daemon))
        var group = ServiceGroupConfiguration(
            // Named here: a service's own text has all that it holds, and takes long to make.
            services: services.map { .init(service: $0, serviceName: "\(type(of: $0))") },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(5)
        defer { unlink(locations.socket) }
        do {
            try await ServiceGroup(configuration: group).run()
        } catch is CancellationError {
            // The limit of the graceful shutdown.
        }
        for part in daemon.parts.reversed() { await part.shutdown() }
        log.record("daemon", "stopped", "The daemon stopped.", [:])
        await log.flush()
        try daemon.database.close()
    }

    /// Makes every part. Nothing runs yet.
    func compose(_ log: EventLog) async throws -> DaemonComposition {
        let incarnation = try Incarnation.next(in: options.locations.data)
        if let problem = incarnation.problem {
            log.record(
                "daemon", "incarnation_not_kept",
                "The start of the daemon could not be noted on the disk. Free some space on it, and set no clock back before the "
                    + "next start.", ["error": problem])
        }
        var daemon = DaemonComposition(
            options: options,
            database: try await openDatabase(log),
            log: log, logger: logger, incarnation: incarnation.number)
        try await daemon.make(Self.parts)
        return daemon
    }

    private static let diskPatience = Duration.seconds(5)

    /// A full disk is waited for: nothing works without the database, and it goes on by itself when there is room.
    private func openDatabase(_ log: EventLog) async throws -> DaemonDatabase {
        var isTold = false
        while true {
            if let database = try databaseUnlessFull() { return database }
            if !isTold {
                let message =
                    "There is no space for the database “\(options.locations.database)”. Free some: the daemon waits for it."
                logger.error("\(message)")
                log.record("daemon", "disk_full", message, [:])
            }
            isTold = true
            try await Task.sleep(for: Self.diskPatience)
        }
    }

    private func databaseUnlessFull() throws -> DaemonDatabase? {
        do {
            return try DaemonDatabase(
                path: options.locations.database, migrations: Self.parts.flatMap { $0.migrations })
        } catch {
            guard error.reason == "disk_full" else { throw error }
            return nil
        }
    }

    static func localRouter(_ daemon: DaemonComposition) throws -> ConnectRouter {
        var router = ConnectRouter(admission: try daemon.part(SessionsPart.self).admission)
        for part in daemon.parts { part.registerLocal(on: &router) }
        ControlHarness(daemon: daemon, started: WallClock.system.milliseconds).register(on: &router)
        return router
    }

    private static func isConfined(_ process: PeerProcess) -> Bool {
        ConfinementMark.isOn(process.processID) == true
    }

    private func localServer(_ daemon: DaemonComposition) throws -> LocalServer {
        LocalServer(
            socketPath: options.locations.socket, router: try Self.localRouter(daemon),
            // The rest is for other devices, the database and files.
            maximumConnections: min(LocalServer.maximumConnections, Int(clamping: options.descriptors.current / 2)),
            isConfined: Self.isConfined,
            admit: LocalAdmission(launchServices: try daemon.part(AppsPart.self).launchServices).check, logger: logger
        ) { [log = daemon.log] in
            log.record("daemon", "ready", "The daemon answers.", [:])
            // By then it has met the devices that are there.
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 15) {
                StartupMemory.release()
                QuietMemory.watch()
            }
        }
    }
}
