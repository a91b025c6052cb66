import BatonConcurrency
package import BatonCore
package import BatonStore
import BatonTrust
import Files
import Foundation
package import Logging
import Synchronization

/// The apps of this device: which are installed, which run, and how they come and go.
///
/// - The installed apps are in memory, so that questions are answered at once, and in the database, so that they survive.
/// - An app that was launched lives in a session of its own: it goes on when the daemon ends, and the next daemon
///   knows that it runs.
/// - Operations on one app happen one after the other; on different apps, side by side.
package final class LaunchServices: Sendable {
    /// The most events that wait for one subscriber to ``events()``. Policy: the oldest is dropped; the present
    /// state can be asked for.
    static let eventLimit = 256
    private let broadcast = Broadcaster<LaunchEvent>(.latest(eventLimit))

    struct State {
        var apps: [BundleID: InstalledApp] = [:]
        var sortedApps: [InstalledApp] = []
        /// How often ``sortedApps`` has changed.
        var changes = 0
        var byExecutable: [String: BundleID] = [:]
        /// For bundles that were verified by this daemon.
        var seals: [BundleID: BundleSeal] = [:]
        var processes = ProcessTable()
        var watches: [ProcessStamp: ProcessWatch] = [:]
        var lastExits: [BundleID: AppExit] = [:]
        var endWaiters: [ProcessStamp: [OneShot]] = [:]
    }

    /// The values that the rest of the package gives it.
    package struct Settings: Sendable {
        /// The daemon's environment; apps get a part of it.
        package var environment: [String: String]
        package var clock: WallClock
        /// How long an app may take to end before it is killed.
        package var terminationGrace: Duration
        /// The soft limit of open descriptors that apps get; nil for the daemon's.
        package var descriptorLimit: UInt64?
        /// The program that runs ``ConfinedLaunch``; nil to start apps without it.
        package var helper: String?
        /// Awaited before an app is started. An error that it throws refuses the launch.
        package var beforeStart: @Sendable (BundleID) async throws -> Void
        /// Called at each step of an installation, for tests.
        package var installStep: @Sendable (InstallStep) -> Void

        package init(
            environment: [String: String], clock: WallClock = .system, terminationGrace: Duration = .seconds(5),
            descriptorLimit: UInt64? = nil, helper: String? = nil,
            beforeStart: @escaping @Sendable (BundleID) async throws -> Void = { _ in },
            installStep: @escaping @Sendable (InstallStep) -> Void = { _ in }
        ) {
            self.environment = environment
            self.clock = clock
            self.terminationGrace = terminationGrace
            self.descriptorLimit = descriptorLimit
            self.helper = helper
            self.beforeStart = beforeStart
            self.installStep = installStep
        }
    }

    let locations: Locations
    let registry: AppRegistry
    let files: AppFiles
    let runningFiles: RunningFiles
    let confinementRecord: ConfinementRecord
    let recorder: any EventRecorder
    let logger: Logger
    let settings: Settings
    let state = Mutex(State())
    let locks = BundleLocks()
    /// Copies and hashes bundles: one installation at a time.
    let installQueue = BlockingQueue("baton.launch-services.install")
    /// Verifies bundles before their launch. An app's first launch since the daemon started hashes its files, which
    /// others wait for; later ones only look at the files' stamps.
    let launchQueue = BlockingQueue("baton.launch-services.launch")

    /// The tables that this module has in the daemon's database.
    package static var migrations: [DaemonDatabase.Migration] { AppRegistry.migrations }

    /// Reads what is installed, finishes what an earlier daemon was interrupted in, and finds the apps that still run.
    ///
    /// - Parameter database: opened with ``migrations``.
    package init(
        locations: Locations, database: DaemonDatabase, recorder: any EventRecorder, logger: Logger,
        settings: Settings
    ) async throws {
        self.locations = locations
        self.recorder = recorder
        self.logger = logger
        self.settings = settings
        registry = AppRegistry(database: database)
        confinementRecord = ConfinementRecord(locations.runtime)
        (files, runningFiles) = try await installQueue.run {
            for path in [
                locations.applications, locations.containers, AppContainer.inboxes(locations), locations.appLogs,
                locations.runtime,
            ] {
                try SecureDirectory.prepare(path)
            }
            return (try AppFiles(locations.applications), try RunningFiles(locations))
        }
        try await restore()
    }

    // MARK: Questions, answered from memory

    /// Sorted by bundle identifier.
    package func apps() -> [InstalledApp] { state.withLock { $0.sortedApps } }

    /// Another number once an app was installed or removed. Read it before ``apps()`` to keep what was made of them.
    package var changes: Int { state.withLock { $0.changes } }

    package func app(_ bundleID: BundleID) -> InstalledApp? { state.withLock { $0.apps[bundleID] } }

    /// The installed app whose program this is.
    /// - Parameter path: what `/proc/<pid>/exe` points at.
    package func app(forExecutable path: String) -> InstalledApp? {
        state.withLock { state in
            if let bundleID = state.byExecutable[path] { return state.apps[bundleID] }
            // The kernel says so of a program whose file was unlinked, as during an upgrade.
            guard path.hasSuffix(" (deleted)") else { return nil }
            return state.byExecutable[String(path.dropLast(10))].flatMap { state.apps[$0] }
        }
    }

    /// Whether a program is of an installed bundle: its executable or another one in it, or one that an upgrade has
    /// replaced meanwhile.
    /// - Parameter path: what `/proc/<pid>/exe` points at.
    package func isInstalledProgram(_ path: String) -> Bool { path.hasPrefix(files.applications + "/") }

    /// Apps in development that are attached now.
    package func developmentApps() -> [AppIdentity] {
        state.withLock { $0.processes.runningApps }.filter(\.team.isDevelopment)
            .sorted { $0.description < $1.description }
    }

    /// The process of an installed app.
    package func runningProcess(_ bundleID: BundleID) -> Int32? {
        state.withLock { state in
            state.apps[bundleID].flatMap { state.processes.current($0.identity)?.stamp.processID }
        }
    }

    /// The process of any app, installed or in development.
    package func runningProcess(_ app: AppIdentity) -> Int32? {
        state.withLock { $0.processes.current(app)?.stamp.processID }
    }

    /// How many apps run, those in development included.
    package var runningCount: Int { state.withLock { $0.processes.runningApps.count } }

    /// How the app's last process ended; nil if none has since the app was installed. Survives a restart of the daemon.
    package func lastExit(_ bundleID: BundleID) -> AppExit? { state.withLock { $0.lastExits[bundleID] } }

    /// Events from now on. Ends when the caller drops the stream.
    package func events() -> AsyncStream<LaunchEvent> { broadcast.subscribe() }

    func emit(_ event: LaunchEvent) { broadcast.send(event) }

    // MARK: The registry in memory

    func installedApp(_ record: AppRegistry.Record) -> InstalledApp {
        let bundlePath = files.absolute(record.bundle)
        return InstalledApp(
            identity: record.identity, name: record.name, version: record.version, build: record.build,
            activityTypes: record.activityTypes, activityTitles: record.activityTitles, bundlePath: bundlePath,
            executablePath: bundlePath + "/" + record.executable,
            containerPath: locations.containers + "/" + record.identity.bundleID.rawValue,
            logPath: AppLog.path(record.identity.bundleID, in: locations.appLogs), digest: record.digest,
            installed: record.installed, associatedDomains: record.associatedDomains,
            keyValueStore: record.keyValueStore,
            keyValueProfile: record.keyValueProfile, claims: record.claims, traits: record.traits)
    }

    /// Puts an app in the place of the one with its bundle identifier, or removes that one.
    func setApp(_ app: InstalledApp?, for bundleID: BundleID) {
        state.withLock { state in
            if let old = state.apps[bundleID] { state.byExecutable[old.executablePath] = nil }
            state.seals[bundleID] = nil
            state.apps[bundleID] = app
            if let app { state.byExecutable[app.executablePath] = bundleID }
            state.sortedApps = state.apps.values.sorted { $0.bundleID < $1.bundleID }
            state.changes += 1
        }
        emit(.registryChanged)
    }

    /// Nothing that an app left behind may keep the daemon from starting: what cannot be read or removed is recorded,
    /// passed over, and tried again at the next start.
    private func restore() async throws {
        let contents = try await registry.all()
        for row in contents.damaged { recordFailure("registration_damaged", row.error, bundleID: row.bundleID) }
        let apps = contents.records.map(installedApp)
        let exits = try await registry.exits()
        state.withLock { state in
            state.sortedApps = apps
            state.lastExits = exits
            state.apps = Dictionary(apps.map { ($0.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
            state.byExecutable = Dictionary(
                apps.map { ($0.executablePath, $0.bundleID) }, uniquingKeysWith: { first, _ in first })
        }
        for bundleID in try await registry.doomedContainers() { await tryToRemoveContainer(bundleID) }
        // Damaged ones too: their person may know what to do with the files.
        let kept = contents.records.map(\.bundle) + contents.damaged.map(\.bundle)
        await removeLeftovers(keeping: kept)
        await findRunning()
    }

    private func removeLeftovers(keeping kept: [String]) async {
        let files = files
        do {
            let (removed, failures) = try await installQueue.run { try files.removeLeftovers(keeping: kept) }
            for failure in failures { recordFailure("removal_postponed", failure) }
            guard removed > 0 else { return }
            recorder.record(
                "launch", "leftovers_removed", "Leftovers of \(removed) interrupted installations were removed.",
                ["count": String(removed)])
        } catch {
            recordFailure("removal_postponed", error)
        }
    }

    private func findRunning() async {
        let runningFiles = runningFiles
        do {
            let (running, failures) = try await installQueue.run { try runningFiles.stillRunning() }
            for failure in failures { recordFailure("process_note_unreadable", failure) }
            for (bundleID, stamp) in running {
                if let app = app(bundleID) { note(app.identity, stamp) }
            }
            // Without the helper apps have no filter of their own.
            let processes = settings.helper == nil ? [] : running.values.map(\.processID)
            try await installQueue.run { [confinementRecord] in
                try ConfinementMark.learn(from: confinementRecord, running: processes)
            }
        } catch {
            recordFailure("process_note_unreadable", error)
        }
    }

    /// Something that is not done now and tried again at the next start.
    func recordFailure(_ event: String, _ error: any Error, bundleID: String? = nil) {
        logger.warning("\(event)", metadata: ["error": "\(error)", "bundle_id": "\(bundleID ?? "")"])
        let error = error as? BatonError
        let subject = bundleID.map { "\($0): " } ?? ""
        recorder.record(
            "launch", event, subject + (error?.message ?? "Something unexpected went wrong."),
            ["reason": error?.reason ?? "internal"].merging(bundleID.map { ["bundle_id": $0] } ?? [:]) { $1 })
    }
}
