import BatonConcurrency
package import BatonCore
package import BatonStore
import Crypto
import FileSync
package import Foundation
import ServiceLifecycle
package import Sync
import Synchronization

/// The iCloud containers of this device's apps: their folders are the same on all devices of the account (D-5, D-36).
///
/// A container is one while this device has an account. Safe to use from any task.
package final class DocumentsService: Service {
    /// On this device.
    static let maximumContainers = 256

    private struct State {
        var account: DocumentsAccount?
        var containers: [ContainerName: ContainerEngine] = [:]
        var trigger: (any SyncTrigger)?
        /// Switched off on this device.
        var off: Set<AppIdentity> = []
        /// Containers that no app uses that is not switched off.
        var resting: Set<ContainerName> = []
        /// Where the person's folders are on this device, whether they are there now or not.
        var folders: [ContainerName: String] = [:]
        /// Those of them that only receive here.
        var readOnly: Set<ContainerName> = []
        /// Containers of which the account's other devices may learn. Bound: those of the account that were open.
        var told: Set<ContainerName> = []
    }

    let store: DocumentsStore
    let blobs: BlobService
    let recorder: any EventRecorder
    let clock: WallClock
    let arbiter: any FileArbiter
    private let isPackage: @Sendable (String) -> Bool
    private let patience: Duration
    private let peers: any DocumentPeers
    /// Where the containers are.
    package let directory: String
    private let state = Mutex(State())
    /// Opening, and what happens to the account, come one after the other.
    private let turns = AsyncSemaphore(1)
    private let uploads = AsyncSemaphore(2)
    private let downloads = AsyncSemaphore(4)
    private let folderUploads = AsyncSemaphore(2)
    private let folderDownloads = AsyncSemaphore(4)
    /// When contents of the person's folders go to the cloud and from it.
    package let pacer: FolderPacer
    /// The disks are to be looked at.
    let diskLooks = Signal()
    let prefetching = Mutex(Prefetching())
    /// Bound: contents that planners have under way.
    private let work: AsyncStream<@Sendable () async -> Void>
    private let workQueue: AsyncStream<@Sendable () async -> Void>.Continuation
    /// The account is another one.
    let accountChanges = Broadcaster<Void>(.newest)
    /// There is another folder of the person, or one fewer.
    let folderChanges = Broadcaster<Void>(.newest)
    /// Directories that must not be in a folder of the person, nor around it.
    let reserved: [String]
    /// Something changed in some container. True where search has to look at all documents: first, and when containers closed.
    let documentChanges = Mailbox(true)

    /// The tables that this module has in the daemon's database.
    package static var migrations: [DaemonDatabase.Migration] { DocumentsStore.migrations }

    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - directory: absolute; made with the first container.
    ///   - arbiter: lets the sync at files that apps coordinate.
    ///   - isPackage: whether a directory of this name is one document.
    ///   - reserved: absolute paths of what must not sync as a folder of the person: the daemon's own files.
    ///   - peers: devices that are near, for contents.
    ///   - patience: how long an app's claim may keep a file from the sync before a person is notified.
    package init(
        database: DaemonDatabase, blobs: BlobService, directory: String, arbiter: any FileArbiter,
        isPackage: @escaping @Sendable (String) -> Bool = { _ in false },
        reserved: [String] = [], peers: any DocumentPeers = NoDocumentPeers(), recorder: any EventRecorder,
        clock: WallClock = .system,
        patience: Duration = .seconds(10)
    ) throws {
        store = DocumentsStore(database: database)
        self.blobs = blobs
        self.directory = directory
        self.reserved = reserved
        self.recorder = recorder
        self.clock = clock
        self.arbiter = arbiter
        self.isPackage = isPackage
        self.patience = patience
        self.peers = peers
        (work, workQueue) = AsyncStream.makeStream()
        pacer = FolderPacer(changed: diskLooks.send)
        // Without it an app would see what it must not.
        let (off, folders, readOnly) = (try store.switchedOff(), try store.folders(), try store.readOnlyFolders())
        state.withLock { ($0.off, $0.folders, $0.readOnly) = (off, folders, readOnly) }
    }

    /// Sets the trigger that is notified from now on when there is something to send.
    package func connect(to trigger: any SyncTrigger) { state.withLock { $0.trigger = trigger } }

    /// Brings contents to the cloud and from it, until it is cancelled or shut down gracefully.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [work] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.lookForFolders() }
                group.addTask { await self.watchDisks() }
                for await body in work { group.addTask { await body() } }
                group.cancelAll()
            }
        }
        for container in running { await container.stop() }
    }

    /// Whether the account's cloud can be called now.
    var isCloudConnected: Bool { state.withLock { $0.trigger }?.isConnected ?? true }

    /// Near devices are to compare a container with theirs.
    func compareNearby(_ name: ContainerName) { state.withLock { $0.trigger }?.changedHere(name.zone) }

    // MARK: The account

    package var account: DocumentsAccount? { state.withLock { $0.account } }

    /// Names the account on this device, to be compared only: the same as long as it is the same. Empty without one.
    package var identityToken: Data {
        guard let account else { return Data() }
        var hash = SHA256()
        hash.update(data: Data("baton-ubiquity-identity-v1\(account.account.rawValue) \(account.device.rawValue)".utf8))
        return Data(hash.finalize())
    }

    /// Returns when the containers are that account's, or rest.
    package func accountChanged(to account: DocumentsAccount?) async {
        await turns.withPermit {
            let old = state.withLock { state in
                defer { state.account = account }
                return state.account
            }
            guard old != account else { return }
            if let account, old?.hasCloud != account.hasCloud {
                for container in running { container.later { $0.setCloud(account.hasCloud) } }
            }
            defer { documentChanges.post { $0 = true } }
            if old?.account != account?.account || old?.gearKey != account?.gearKey {
                let ended = state.withLock { state in
                    defer { (state.containers, state.told) = ([:], []) }
                    return state.containers
                }
                for container in ended.values {
                    await container.stop()
                    state.withLock { $0.trigger }?.removed(container.name.zone)
                }
            }
            accountChanges.send(())
            guard let account else { return }
            let kept =
                (try? await BlockingQueue("development.baton.documents-start").run { [store] in
                    try store.containers()
                }) ?? []
            let resting = resting
            for row in kept where row.account == account.account.rawValue && !resting.contains(row.name) {
                // A folder that is away is looked for.
                if row.name.folderName != nil, !hasFolder(row.name) { continue }
                _ = try? await make(row.name, account)
            }
        }
    }

    // MARK: Switches

    /// Whether documents are switched off for an app on this device (D-35).
    package func isOff(_ app: AppIdentity) -> Bool { state.withLock { $0.off.contains(app) } }

    package var off: Set<AppIdentity> { state.withLock { $0.off } }

    /// Closed, because documents are switched off for all apps that use them.
    package var resting: Set<ContainerName> { state.withLock { $0.resting } }

    /// As ``identityToken``, for one app.
    package func identityToken(for app: AppIdentity) -> Data { isOff(app) ? Data() : identityToken }

    /// It is on the disk when this returns, and the app hears of it.
    package func set(_ app: AppIdentity, off: Bool) async throws {
        try await BlockingQueue("development.baton.documents-switch").run { [store] in try store.set(app, off: off) }
        state.withLock { state in
            if off { state.off.insert(app) } else { state.off.remove(app) }
        }
        accountChanges.send(())
        for container in running { container.later { $0.tellNews() } }
    }

    /// These close, and those that rested and are not among them go on. Files stay where they are; nothing is deleted anywhere.
    package func rest(_ resting: Set<ContainerName>) async {
        let woken = await turns.withPermit { () -> Set<ContainerName> in
            let (woken, closed) = state.withLock { state in
                defer { state.resting = resting }
                let closed = state.containers.filter { resting.contains($0.key) }
                for name in closed.keys { state.containers[name] = nil }
                return (state.resting.subtracting(resting), closed)
            }
            if !closed.isEmpty { documentChanges.post { $0 = true } }
            for container in closed.values {
                await container.stop()
                state.withLock { $0.trigger }?.removed(container.name.zone)
            }
            return woken
        }
        for name in woken.sorted() { _ = try? await open(name) }
    }

    // MARK: Containers

    package var running: [ContainerEngine] { state.withLock { $0.containers.values.sorted { $0.name < $1.name } } }

    func container(of zone: ZoneName) -> ContainerEngine? {
        state.withLock { state in state.containers.values.first { $0.name.zone == zone } }
    }

    package func path(of name: ContainerName) -> String {
        state.withLock { $0.folders[name] } ?? "\(directory)/\(name.directory)"
    }

    /// Makes the container's folder, with `Documents` in it, if need be, and keeps it the same as on other devices.
    /// - Throws: `failed_precondition` (`no_account`) while this device has no account.
    package func open(_ name: ContainerName) async throws -> ContainerEngine {
        try await turns.withPermit {
            guard let account else { throw Self.noAccount }
            guard !resting.contains(name) else { throw Self.switchedOff }
            return try await make(name, account)
        }
    }

    /// Makes the containers of apps that were installed, so that their files are there before they are started.
    package func prepare(_ names: Set<ContainerName>) async {
        for name in names.sorted() { _ = try? await open(name) }
    }

    private func make(
        _ name: ContainerName, _ account: DocumentsAccount, _ marks: FolderMarks = FolderMarks()
    ) async throws -> ContainerEngine {
        if let container = state.withLock({ $0.containers[name] }) { return container }
        guard state.withLock({ $0.containers.count }) < Self.maximumContainers else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_containers",
                "There are \(Self.maximumContainers) containers on this device. Uninstall apps that you do not use.")
        }
        let folder = folders[name]
        guard folder != nil || name.folderName == nil else { throw Self.needsPlace(name) }
        let opener = ContainerOpener(
            store: store, name: name, account: account, directory: directory, folder: folder,
            isReadOnly: readOnlyFolders.contains(name), ports: try ports(name, account))
        let container: ContainerEngine
        do {
            container = try await BlockingQueue("development.baton.documents-open").run { try opener.open() }
        } catch {
            recorder.record(
                "documents", "container_not_opened", "The container “\(name)” cannot be opened.",
                ["container": name.identifier, "error": "\(error)"])
            throw error
        }
        state.withLock { $0.containers[name] = container }
        try await container.perform { container in
            container.begin()
            container.take(marks)
        }
        state.withLock { $0.trigger }?.changed(name.zone)
        diskLooks.send()
        // One that may be new is noted when that is known.
        if name.folderName != nil || container.row.isComplete {
            await noteContainers(adding: name)
        } else {
            await noteContainers()
            beginSoon(name)
        }
        return container
    }

    /// Does something that takes long, for as long as the service runs.
    func start(_ body: @escaping @Sendable () async -> Void) { workQueue.yield(body) }

    // MARK: Folders of the person

    package var folders: [ContainerName: String] { state.withLock { $0.folders } }

    /// Those that only receive on this device.
    var readOnlyFolders: Set<ContainerName> { state.withLock { $0.readOnly } }

    func setFolder(_ name: ContainerName, path: String?, isReadOnly: Bool = false) {
        state.withLock { state in
            state.folders[name] = path
            if path != nil, isReadOnly { state.readOnly.insert(name) } else { state.readOnly.remove(name) }
        }
    }

    /// Runs something that must not happen beside opening and closing.
    func inTurn<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
        try await turns.withPermit(body)
    }

    /// Closes a container; it is not forgotten. Within a turn.
    func close(_ name: ContainerName) async {
        guard let container = state.withLock({ $0.containers.removeValue(forKey: name) }) else { return }
        documentChanges.post { $0 = true }
        await container.stop()
        state.withLock { $0.trigger }?.removed(name.zone)
    }

    /// Within a turn.
    func openAgain(_ name: ContainerName, _ marks: FolderMarks = FolderMarks()) async throws -> ContainerEngine {
        guard let account else { throw Self.noAccount }
        return try await make(name, account, marks)
    }

    // MARK: The account's containers

    private var containerDirectory: ContainerDirectory { ContainerDirectory(drive: path(of: .drive)) }

    /// Other devices of the account learn of the containers that are here, but for those of which it is not known what the account has.
    func noteContainers(adding name: ContainerName? = nil) async {
        let names = state.withLock { state in
            if let name { state.told.insert(name) }
            return state.containers.keys.contains(.drive) ? state.told.intersection(state.containers.keys).sorted() : []
        }
        guard !names.isEmpty else { return }
        await BlockingQueue("development.baton.documents-directory").run { [containerDirectory] in
            containerDirectory.add(names)
        }
    }

    /// Those of the account that are not on this device.
    func elsewhere() async -> [ContainerName] {
        let here = Set(running.map(\.name)).union(resting).union(folders.keys)
        guard here.contains(.drive) else { return [] }
        let names = await BlockingQueue("development.baton.documents-directory").run { [containerDirectory] in
            containerDirectory.names
        }
        return names.filter { !here.contains($0) }
    }

    /// Brings one of them here, though no app of this device has it.
    /// - Parameter team: empty where there is one of that identifier.
    func add(_ identifier: String, team: String) async throws -> ContainerEngine {
        let known = await elsewhere() + running.map(\.name)
        let names = known.filter { $0.identifier == identifier && (team.isEmpty || $0.teamName == team) }
        guard let name = names.first, names.count == 1 else {
            throw BatonError(
                .notFound, reason: names.isEmpty ? "no_container" : "several_containers",
                names.isEmpty
                    ? "The account has no container “\(identifier.shortened(toBytes: 200))”. “baton documents” lists those that it has."
                    : "The account has \(names.count) containers “\(identifier.shortened(toBytes: 200))”, of several teams. Name the team, "
                        + "as “baton documents --json” shows it.")
        }
        return try await open(name)
    }

    private func ports(_ name: ContainerName, _ account: DocumentsAccount) throws -> ContainerDependencies {
        ContainerDependencies(
            store: store, blobs: blobs, gear: try GearTable(key: account.gearKey),
            device: account.deviceName.shortened(toBytes: EntryLimits.deviceBytes), recorder: recorder, clock: clock,
            arbiter: arbiter, isPackage: isPackage, patience: patience,
            trigger: { [weak self] in self?.state.withLock { $0.trigger }?.changed(name.zone) },
            hasten: { [weak self] in self?.state.withLock { $0.trigger }?.wanted(name.zone) },
            tell: { [documentChanges] in documentChanges.wake() }, lookAtDisks: diskLooks.send,
            start: { [workQueue] in workQueue.yield($0) },
            // Folders that wait hold up no app.
            uploads: name.folderName == nil ? uploads : folderUploads,
            downloads: name.folderName == nil ? downloads : folderDownloads,
            pacer: name.folderName == nil ? nil : pacer, peers: peers,
            tellNear: { [weak self] in self?.state.withLock { $0.trigger }?.changedHere(name.zone) },
            accountTime: { [weak self] in self?.state.withLock { $0.trigger }?.accountTime },
            countedTime: { [weak self] in self?.state.withLock { $0.trigger }?.countedTime },
            isCloudConnected: { [weak self] in self?.isCloudConnected ?? true },
            isCloudUnreachable: { [weak self] in
                self?.state.withLock { $0.trigger }?.isUnreachable(for: name.zone) ?? false
            })
    }

    /// Whether this device has nothing of a container, not even of one that is closed.
    func isAbsent(_ zone: ZoneName) async throws -> Bool {
        guard account != nil, container(of: zone) == nil else { return false }
        return try await BlockingQueue("development.baton.documents-absent").run { [store] in
            try !store.containers().contains { $0.name.zone == zone }
        }
    }

    static let switchedOff = BatonError(
        .failedPrecondition, reason: "switched_off",
        "iCloud documents are switched off for this app on this device. “baton documents on APP” switches them on.")

    static let noAccount = BatonError(
        .failedPrecondition, reason: "no_account",
        "This device belongs to no account, so there is no iCloud. Make one with “baton account create”, or join one with “baton pair”."
    )
}
