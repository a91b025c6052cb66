import BatonConcurrency
package import BatonCore
import BatonTransport
import BatonWire
import CloudClient
package import Devices
import Foundation
package import Logging
import ServiceLifecycle
import Synchronization

/// The engine: keeps the zones of every source the same on this device and in the account's cloud.
///
/// ``SyncStateMachine`` decides; this runs it. Sources keep their data themselves, and what waits to be sent: so nothing of that
/// is lost with this process. Safe to use from any thread.
package final class SyncService: Service, SyncTrigger {
    struct State {
        var machine: SyncStateMachine
        /// Bound: one of a kind for a zone, besides what the cloud reports, which follows its reading.
        var inbox: [SyncStateMachine.Input] = []
        var connection: CloudConnection?
        var transfer: ZoneTransfer?
        var session: CloudSession?
        var zoneIDs: [Data: ZoneName] = [:]
        var welcome: CloudSession.Welcome?
        var connectedSince: UInt64?
        /// By how many milliseconds this device's clock was ahead of the cloud's when it connected, a message's way apart.
        var clockLead: Int64 = 0
        var cloudTime: CloudTime?
        var lastConnected: UInt64?
        /// The account is being given another cloud here.
        var isMoving = false
        /// Zones whose source is merging another device's items: that device sends the changes too.
        var nearby: Set<ZoneName> = []
        var sources: [ZoneName.Kind: any ZoneSource] = [:]
        /// By how many milliseconds the clocks of devices that are near are ahead of this one's. Bound: the account's devices.
        var nearbyLeads: [DeviceID: Int64] = [:]

        init(_ sources: [any ZoneSource]) {
            for source in sources { self.sources[source.kind] = source }
            machine = SyncStateMachine(policies: self.sources.mapValues(\.policy))
        }
    }

    let account: AccountService
    let access: any SyncAccess
    let store: SyncStore
    let blobs: BlobService?
    let recorder: any EventRecorder
    let logger: Logger
    private let prepareSources: @Sendable () async -> Void
    let clock: WallClock
    let state: Mutex<State>
    private let held = ResyncNames()
    private let start = ContinuousClock.now
    private let posted = Signal()
    /// Zones that changed, for the exchange with devices that are near.
    let changes = SyncChanges()
    let largeExchanges = LargeExchanges()

    /// - Parameters:
    ///   - blobs: nil: no source's items name any.
    ///   - prepareSources: brings the sources to the account that is there now; awaited before they are asked for their zones.
    package init(
        account: AccountService, access: any SyncAccess, sources: [any ZoneSource], store: SyncStore,
        blobs: BlobService? = nil,
        prepareSources: @escaping @Sendable () async -> Void = {},
        recorder: any EventRecorder = NullEventRecorder(), clock: WallClock = .system, logger: Logger
    ) {
        self.prepareSources = prepareSources
        self.account = account
        self.access = access
        state = Mutex(State(sources))
        self.store = store
        self.blobs = blobs
        self.recorder = recorder
        self.clock = clock
        self.logger = logger
    }

    package func changed(_ zone: ZoneName) {
        let isNearby = state.withLock { $0.nearby.contains(zone) }
        post(isNearby ? .changedNearby(zone) : .changed(zone))
        changes.add(zone)
    }

    package func opened(_ zone: ZoneName) {
        changed(zone)
        post(.refresh(zone))
    }

    package func changedHere(_ zone: ZoneName) { changes.add(zone) }

    package func wanted(_ zone: ZoneName) { post(.wanted(zone)) }

    /// The network changed, e.g. another device appeared: failed operations may succeed now.
    package func networkChanged() { post(.networkChanged) }

    /// A person has just got through to the cloud: nothing is waited for any more.
    func cloudReached() { post(.reached) }

    func post(_ input: SyncStateMachine.Input) {
        state.withLock { state in
            guard !state.inbox.contains(where: { $0.makesNeedless(input) }) else { return }
            state.inbox.append(input)
        }
        posted.send()
    }

    // MARK: Running

    package func run() async throws {
        let events = account.events()
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.followAccount(events) }
                await loop(in: &group)
                group.cancelAll()
            }
        }
    }

    private func loop(in group: inout DiscardingTaskGroup) async {
        await prepareSources()
        // After that: sources say which blobs they need.
        group.addTask { await self.collectBlobs() }
        await forgetOtherAccounts()
        await addZones()
        reconfigure()
        var timer: DeadlineTimer.Entry?
        for await _ in posted.stream {
            let (actions, wake) = step()
            for action in actions { perform(action, in: &group) }
            if let timer { DeadlineTimer.shared.cancel(timer) }
            timer = wake.map { wake in
                DeadlineTimer.shared.schedule(after: .milliseconds(Int64(clamping: wake - min(wake, now)))) { [self] in
                    post(.woke)
                }
            }
        }
        if let timer { DeadlineTimer.shared.cancel(timer) }
    }

    var now: UInt64 {
        let passed = start.duration(to: .now).components
        return UInt64(passed.seconds) * 1000 + UInt64(passed.attoseconds / 1_000_000_000_000_000)
    }

    private func step() -> (actions: [SyncStateMachine.Action], wake: UInt64?) {
        let now = now
        return state.withLock { state in
            let inputs = state.inbox
            state.inbox = []
            var actions: [SyncStateMachine.Action] = []
            for input in inputs {
                actions += state.machine.handle(input, now: now, fraction: Double.random(in: 0..<1))
            }
            return (actions, state.machine.nextWake)
        }
    }

    private func perform(_ action: SyncStateMachine.Action, in group: inout DiscardingTaskGroup) {
        switch action {
        case .connect: group.addTask { await self.connect() }
        case .disconnect: state.withLock { $0.connection }?.end()
        case .pull(let zone, let resync): perform(.pull(zone, resync), zone)
        case .push(let zone): perform(.push(zone), zone)
        case .forget(let zone): group.addTask { await self.forget(zone) }
        }
    }

    private func perform(_ operation: CloudConnection.Operation, _ zone: ZoneName) {
        guard let connection = state.withLock({ $0.connection }) else {
            // It has just ended, which is reported as well.
            return
        }
        connection.perform(operation)
    }

    // MARK: The account

    private func followAccount(_ events: AsyncStream<AccountEvent>) async {
        for await event in events {
            switch event {
            case .accountChanged:
                await prepareSources()
                await forgetOtherAccounts()
                await addZones()
                reconfigure()
            case .revokedSelf, .cloudEndpointChanged: reconfigure()
            case .membershipChanged: state.withLock { $0.connection }?.exchangeMembership()
            case .contentKeysChanged: refreshSealed()
            case .profilesChanged: break
            }
            tellSources(event)
        }
    }

    /// The owner of the synchronised data; nil: there is none.
    var owner: SyncStore.Owner? {
        account.snapshot().map { .init(account: $0.accountID, device: $0.deviceID) }
    }

    private func forgetOtherAccounts() async {
        do {
            try await store.keepOnly(owner)
        } catch {
            logger.error("the data of another account's zones cannot be removed: \(error)")
        }
    }

    private func reconfigure() { post(.configured(account.standing == .member && access.address() != nil)) }

    // MARK: The cloud

    private func connect() async {
        let failure: SyncFailure
        do {
            guard let owner, let address = access.address() else {
                // Another configuration follows.
                return post(.disconnected(Self.noCloud))
            }
            let session = try await access.session(to: address, invitation: "")
            let connection = CloudConnection(
                session: session, account: account, ports: ports(session, owner))
            let isUnwanted = state.withLock { state in
                state.connection = connection
                return state.machine.cloud == .closing
            }
            // The order to end came before there was anything to end.
            if isUnwanted { connection.end() }
            failure = await connection.run()
        } catch {
            failure = SyncFailure(error)
        }
        let wasUp = state.withLock { state in
            defer {
                if state.connectedSince != nil { state.lastConnected = clock.milliseconds }
                state.connection = nil
                state.transfer = nil
                state.session = nil
                state.connectedSince = nil
            }
            return state.connectedSince != nil
        }
        blobs?.disconnected()
        recorder.record(
            "sync", wasUp ? "cloud_disconnected" : "cloud_failed", failure.message, ["reason": failure.reason])
        post(.disconnected(failure))
    }

    private static let noCloud = SyncFailure(
        kind: .refused, reason: "no_cloud", message: "The account has no cloud. Give it one with “baton cloud login”.")

    private func ports(_ session: CloudSession, _ owner: SyncStore.Owner) -> CloudConnection.Ports {
        CloudConnection.Ports(
            welcomed: { [self] welcome, heads in
                await welcomed(welcome, heads, session, owner)
            },
            moved: { [self] head in
                guard let zone = zone(of: head.zoneID) else { return }
                post(.head(zone, .init(version: head.head, epoch: head.epoch)))
            },
            gone: { [self] id in
                if let zone = zone(of: id) { post(.refresh(zone)) }
            },
            perform: { [self] in await perform($0) })
    }

    private func welcomed(
        _ welcome: CloudSession.Welcome, _ heads: [Baton_Cloud_V1_ZoneHead], _ session: CloudSession,
        _ owner: SyncStore.Owner
    ) async {
        // Where it cannot be written down, nothing that lasts for weeks is counted.
        let believed = try? await store.hear(welcome.time, of: owner)
        state.withLock { state in
            state.welcome = welcome
            state.connectedSince = clock.milliseconds
            state.clockLead = Int64(clamping: clock.milliseconds) - Int64(clamping: welcome.time)
            state.cloudTime = CloudTime(told: welcome.time, believed: believed, at: now)
            state.zoneIDs = [:]
            state.session = session
            state.transfer = ZoneTransfer(
                cloud: session, limits: welcome.limits, records: store.records(of: owner),
                codec: codec, recorder: recorder, clock: clock,
                prepare: { [self] in try await prepare($0) }, blobs: blobs.map { ($0, session) }, held: held,
                gathering: .standard)
        }
        blobs?.connected(to: session)
        for source in state.withLock({ Array($0.sources.values) }) { source.connected() }
        var known: [ZoneName: SyncStateMachine.ZoneHead] = [:]
        for head in heads {
            if let zone = zone(of: head.zoneID) { known[zone] = .init(version: head.head, epoch: head.epoch) }
        }
        recorder.record(
            "sync", "cloud_connected", "This device is connected to its account's cloud.",
            ["cloud": session.address.url, "version": welcome.softwareVersion])
        post(.connected(heads: known))
    }

    /// Which zone of this device a blinded name means, if any.
    private func zone(of id: Data) -> ZoneName? {
        state.withLock { state in
            if let zone = state.zoneIDs[id] { return zone }
            guard state.zoneIDs.count != state.machine.zones.count else { return nil }
            let (access, sources) = (access, state.sources)
            let codec = AccessCodec(access: access) { sources[$0]?.codec }
            state.zoneIDs = Dictionary(state.machine.zones.keys.map { (codec.zoneID(of: $0), $0) }) { first, _ in first
            }
            return state.zoneIDs[id]
        }
    }

    private func perform(_ operation: CloudConnection.Operation) async {
        let zone = operation.zone
        do {
            let (known, head) = state.withLock { ($0.transfer, $0.machine.head(of: zone)) }
            guard let transfer = known, let source = source(of: zone) else {
                throw BatonError(.canceled, reason: "ended", "The connection has ended.")
            }
            switch operation {
            case .pull(_, let resync):
                post(.pulled(zone, try await transfer.pull(zone, resync, head: head, into: source)))
            case .push:
                if let wait = largeExchanges.wait(for: zone) {
                    // The zone may be read meanwhile.
                    _ = DeadlineTimer.shared.schedule(after: wait) { [self] in post(.changed(zone)) }
                    return post(.pushed(zone, .nothing))
                }
                post(.pushed(zone, try await transfer.push(zone, head: head, from: source)))
            }
        } catch {
            let failure = SyncFailure(error)
            recorder.record(
                "sync", "zone_failed", failure.message, ["zone": zone.description, "reason": failure.reason])
            if case .push = operation, let error = error as? BatonError, error.reason == "quota_exceeded" {
                await source(of: zone)?.refused(error, in: zone)
            }
            post(.failed(zone, failure))
        }
    }

    // MARK: Devices that are near

    /// Lets a source merge another device's items. Its resulting writes to the cloud can wait a moment: the other
    /// device sends the items too.
    /// - Returns: as of the source.
    func exchanged(
        _ contents: [String: Data], in zone: ZoneName, _ source: any ZoneSource, asked: Set<String>?
    ) async throws -> Set<String> {
        state.withLock { _ = $0.nearby.insert(zone) }
        defer { state.withLock { _ = $0.nearby.remove(zone) } }
        let rivals = try await source.exchanged(contents, in: zone, asked: asked)
        if rivals.isEmpty { post(.nearby(zone)) }
        return rivals
    }

    /// Whether the account's cloud can be called now.
    package var isConnected: Bool { !isCloudAway }

    /// Whether a source may take the state of another device for the account's: no other device knows more.
    var isCloudAway: Bool { state.withLock { $0.machine.cloud != .up } }

    /// Whether of two devices that do not know what the account has this one may say that it is what it has: there is
    /// no cloud to ask, and one of two must not wait for the other.
    func isFirst(before device: DeviceID) -> Bool {
        guard access.address() == nil, let own = account.snapshot()?.deviceID else { return false }
        return own < device
    }

    var zoneNames: [ZoneName] { state.withLock { Array($0.machine.zones.keys) } }

    func keeps(_ zone: ZoneName) -> Bool { state.withLock { $0.machine.zones[zone] != nil } }
}

extension CloudConnection.Operation {
    var zone: ZoneName {
        switch self {
        case .pull(let zone, _), .push(let zone): zone
        }
    }
}

extension SyncStateMachine.Input {
    /// Whether this input replaces another one in the queue, since it may be repeated freely.
    func makesNeedless(_ other: Self) -> Bool {
        switch (self, other) {
        case (.changed(let zone), .changed(let other)), (.wanted(let zone), .wanted(let other)),
            (.nearby(let zone), .nearby(let other)):
            zone == other
        case (.networkChanged, .networkChanged): true
        default: false
        }
    }
}
