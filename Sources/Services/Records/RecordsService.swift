import BatonConcurrency
package import BatonCore
import Crypto
import Files
import Foundation
import GRDB
import ServiceLifecycle
package import Sync
import Synchronization

/// Databases of records: the same on all devices of the account, merged record by record and field by field.
///
/// The daemon is the apps' server. Each container has a replica of its own, in a file; a save is judged against it, durable when it is
/// answered, and travels later. Safe to use from any task.
package final class RecordsService: Service {
    private static let pause = Duration.seconds(10 * 60)
    /// Pauses between two times of tidying up, and between two looks for old deletions.
    private static let tidying = 36
    private static let burying = 6
    /// For the account, at the start.
    private static let patience = Duration.seconds(10)

    private struct State {
        var account: RecordsAccount?
        var isAccountKnown = false
        var replicas: [RecordContainer: RecordReplica] = [:]
        var trigger: (any SyncTrigger)?
        var deviceName: (@Sendable (String) -> String?)?
        var members = RecordsMembers()
    }

    let blobs: BlobService
    let recorder: any EventRecorder
    let clock: WallClock
    let uploads: AssetUploads
    let peers: any SyncPeers
    let small = SmallAssets()
    private let arrivals = Signal()
    let readings = AsyncSemaphore(RecordsBounds.nearReadings)
    let askings = KeyedLocks<DeviceID>(atOnce: RecordsBounds.nearAskings)
    private let directory: String
    private let state = Mutex(State())
    /// Opening, and what happens to the account, come one after the other.
    private let turns = AsyncSemaphore(1)
    /// The service has heard which account there is, or that there is none.
    private let accountKnown = OneShot()
    private let queue = BlockingQueue("development.baton.records")

    /// - Parameters:
    ///   - directory: absolute, for the files of replicas; made with the first. Only this service writes to it.
    ///   - peers: the account's devices that are near, which have assets too.
    package init(
        directory: String, blobs: BlobService, peers: any SyncPeers = NobodyNear(), recorder: any EventRecorder,
        clock: WallClock = .system
    ) {
        self.directory = directory
        self.blobs = blobs
        self.recorder = recorder
        self.clock = clock
        self.peers = peers
        uploads = AssetUploads(clock: clock) { try await blobs.put($0) }
    }

    /// Sets the trigger that is notified when something waits to be sent.
    package func connect(to trigger: any SyncTrigger) { state.withLock { $0.trigger = trigger } }

    /// Sets who knows the names of the account's devices.
    package func connect(deviceNames: @escaping @Sendable (String) -> String?) {
        state.withLock { $0.deviceName = deviceNames }
    }

    /// Sets who knows the account's devices.
    package func connect(members: RecordsMembers) { state.withLock { $0.members = members } }

    var members: RecordsMembers { state.withLock { $0.members } }

    /// Tidies up now and then, and fetches small assets, until it is cancelled or shut down gracefully.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            async let small: Void = bringSmall()
            async let arrived: Void = followArrivals()
            await tidyUp()
            await small
            await arrived
        }
        for replica in running { await replica.close() }
    }

    private func tidyUp() async {
        var round = 0
        while !Task.isCancelled {
            let (isTidying, isBurying) = (round.isMultiple(of: Self.tidying), round % Self.burying == 1)
            round += 1
            for replica in running {
                do {
                    try await replica.perform { transaction in
                        if isTidying { try transaction.tidy() }
                        if isBurying, let time = transaction.countedTime() {
                            try transaction.lookForOld(time: time)
                        }
                    }
                    try await retryContents(of: replica)
                    while try await replica.perform({ try $0.lookForFolds() }) {}
                } catch {
                    recorder.record(
                        "records", "not_tidied", "Leftovers of a database of records could not be removed.",
                        ["container": replica.container.identifier, "error": "\(error)"])
                }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// A device has appeared, or the cloud: rows of which a content was away are tried again.
    package func contentsMayCome() { arrivals.send() }

    private func followArrivals() async {
        for await _ in arrivals.stream {
            // Those that fail are tried again now and then.
            for replica in running { try? await retryContents(of: replica) }
        }
    }

    func retryContents(of replica: RecordReplica) async throws {
        let lacks = try await replica.look { transaction in
            try transaction.zones.contains { try transaction.lacksContents($0) }
        }
        guard lacks else { return }
        try await replica.perform { transaction in
            for zone in try transaction.zones { try transaction.retryContents(in: zone) }
        }
    }

    // MARK: The account

    var account: RecordsAccount? { state.withLock { $0.account } }

    /// Waits at the daemon's start until it is known whether there is an account. An app that heard of none would take the person
    /// for signed out, and delete what it has.
    /// - Throws: `unavailable` (`starting`) where that takes too long.
    func waitForAccount() async throws {
        if state.withLock({ $0.isAccountKnown }) { return }
        await withTaskGroup { [accountKnown] group in
            group.addTask { await accountKnown.wait() }
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
        guard state.withLock({ $0.isAccountKnown }) else {
            throw BatonError(
                .unavailable, reason: "starting",
                "The daemon has just started, and is not ready. Try again in a moment.")
        }
    }

    /// Returns when the open replicas are that account's.
    /// - Parameter left: accounts that the person made this device leave: what is kept of them here is deleted.
    package func accountChanged(to account: RecordsAccount?, left: Set<AccountID>) async {
        await turns.withPermit {
            let old = state.withLock { state in
                defer { (state.account, state.isAccountKnown) = (account, true) }
                return state.account
            }
            accountKnown.fire()
            if old != account {
                let ended = state.withLock { state in
                    defer { state.replicas = [:] }
                    return state.replicas
                }
                for replica in ended.values { await end(replica) }
            }
            await remove(left.filter { $0 != account?.account })
            guard old != account, account != nil else { return }
            for container in await kept() {
                do { _ = try await make(container) } catch { notOpened(container, error) }
            }
        }
    }

    private func end(_ replica: RecordReplica, removing: Bool = false) async {
        let zones = (try? await replica.perform { try $0.zones.map(\.name) }) ?? []
        await replica.close(removing: removing)
        guard let trigger = state.withLock({ $0.trigger }) else { return }
        for zone in zones { trigger.removed(replica.container.zone(zone)) }
    }

    private func remove(_ accounts: Set<AccountID>) async {
        guard !accounts.isEmpty else { return }
        let (directory, recorder) = (directory, recorder)
        await queue.run {
            for account in accounts {
                let path = directory + "/" + account.rawValue
                guard FileManager.default.fileExists(atPath: path) else { continue }
                do {
                    try FileManager.default.removeItem(atPath: path)
                } catch {
                    recorder.record(
                        "records", "not_removed", "Records of an account that was left could not be deleted.",
                        ["error": "\(error)"])
                }
            }
        }
    }

    private func path(of account: RecordsAccount) -> String { directory + "/" + account.account.rawValue }

    /// The containers of the account that have a file.
    func kept() async -> [RecordContainer] {
        guard let account else { return [] }
        let path = path(of: account)
        return await queue.run {
            let teams = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return teams.flatMap { team in
                ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + team)) ?? [])
                    .compactMap { RecordContainer(file: team + "/" + $0) }
            }.sorted()
        }
    }

    /// - Throws: `unavailable` (`containers_not_open`) while a container that the account has here is not open: what it needs is not known.
    func checkAllOpen() async throws(BatonError) {
        let kept = await kept()
        let isKnown = state.withLock { state in state.isAccountKnown && kept.allSatisfy { state.replicas[$0] != nil } }
        guard isKnown else {
            throw BatonError(
                .unavailable, reason: "containers_not_open",
                "Not all databases of records are open. This is tried again later.")
        }
    }

    // MARK: Containers

    package var containers: [RecordContainer] { running.map(\.container) }

    var running: [RecordReplica] {
        state.withLock { $0.replicas.values.sorted { $0.container < $1.container } }
    }

    /// The container that syncs in a zone of the account; nil while it is not open.
    func replica(of container: RecordContainer) -> RecordReplica? { state.withLock { $0.replicas[container] } }

    /// Makes those of apps that were installed, so that what the account has is there before they are started.
    package func prepare(_ containers: Set<RecordContainer>) async {
        for container in containers.sorted() {
            do {
                _ = try await open(container)
            } catch {
                guard (error as? BatonError)?.reason != "not_authenticated" else { return }
                notOpened(container, error)
            }
        }
    }

    private func notOpened(_ container: RecordContainer, _ error: any Error) {
        recorder.record(
            "records", "not_opened", "A database of records could not be opened.",
            ["container": container.identifier, "error": "\(error)"])
    }

    /// Opens it, made if need be.
    /// - Throws: `not_authenticated`; `resource_exhausted` where there are too many.
    func open(_ container: RecordContainer) async throws -> RecordReplica {
        if let replica = replica(of: container) { return replica }
        return try await turns.withPermit { try await make(container) }
    }

    /// Within a turn.
    private func make(_ container: RecordContainer) async throws -> RecordReplica {
        if let replica = replica(of: container) { return replica }
        guard let account else { throw RecordsError.notAuthenticated }
        guard state.withLock({ $0.replicas.count }) < RecordsBounds.containers else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_containers",
                "This device keeps records of \(RecordsBounds.containers) containers, and of no more.")
        }
        guard state.withLock({ $0.replicas.keys.count { $0.team == container.team } }) < RecordsBounds.teamContainers
        else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_containers",
                "This device keeps records of \(RecordsBounds.teamContainers) containers of one team, and of no more.")
        }
        let path = path(of: account) + "/" + container.file
        let (clock, directory) = (clock, directory)
        let replica = try await queue.run { [self] in
            for folder in [directory, self.path(of: account), (path as NSString).deletingLastPathComponent] {
                try SecureDirectory.prepare(folder)
            }
            return try RecordReplica(
                container: container, account: account, path: path, clock: clock,
                deviceName: { [weak self] in self?.state.withLock { $0.deviceName }?($0) },
                members: { [weak self] in self?.members ?? RecordsMembers() }
            ) { [weak self] in
                self?.state.withLock { $0.trigger }
            }
        }
        let trigger = state.withLock { state in
            state.replicas[container] = replica
            return state.trigger
        }
        let zones = try await replica.perform { try $0.zones.map(\.name) }
        for zone in zones { trigger?.opened(container.zone(zone)) }
        return replica
    }

    /// Removes the records kept of it here, with those that wait. The cloud's records come again.
    /// - Returns: how many records there were.
    func reset(_ container: RecordContainer) async throws -> Int {
        try await turns.withPermit {
            guard let replica = replica(of: container) else { throw Self.noContainer(container.identifier) }
            let count = try await replica.perform { try $0.count }
            state.withLock { $0.replicas[container] = nil }
            await end(replica, removing: true)
            _ = try await make(container)
            return count
        }
    }

    static func noContainer(_ name: String) -> BatonError {
        BatonError(
            .notFound, reason: "no_records",
            "“\(name.shortened(toBytes: 100))” has no database of records on this device. “baton records” lists those "
                + "that there are.")
    }

    /// The account's user, for one container: two containers' names do not reveal that they are one person.
    func userRecordName(of container: RecordContainer) -> String {
        guard let account else { return "" }
        var hash = SHA256()
        hash.update(
            data: Data(
                "baton-record-user-v1\(account.account.rawValue)\(container.teamName)/\(container.identifier)".utf8))
        return "_" + hash.finalize().prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension ReplicaTransaction {
    /// Records that apps see.
    var count: Int {
        get throws {
            try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM record r JOIN zone z ON z.id = r.zone WHERE r.is_present = 1 AND z.name <> '_zones'
                    """) ?? 0
        }
    }
}
