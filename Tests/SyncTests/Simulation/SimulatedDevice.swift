import BatonCore
import BatonWire
import Foundation
import KeyValue
import SwiftProtobuf

@testable import Sync

/// A device: what its disk holds, and the process that runs on it. Everything of it happens on the thread of the schedule.
final class SimulatedDevice: @unchecked Sendable {
    struct Store {
        var slots: [String: KeyValueReplica.Slot] = [:]
        var phase = KeyValueReplica.Phase.local
    }

    struct Disk {
        /// Which member of the account it is; 0: of none.
        var member: UInt8 = 0
        var membership = SimulatedMembership()
        /// Content keys that were handed over.
        var generations: Set<UInt8> = []
        var stores: [ZoneName: Store] = [:]
        var envelopes: [String: SimulatedKeys.Entry] = [:]
        var records: [ZoneName: ZoneRecord] = [:]
        var parked: [ZoneName: Set<Data>] = [:]
        /// Those among them that were damaged.
        var damaged: [ZoneName: Set<Data>] = [:]
        var names: [ZoneName: [Data: String]] = [:]
        var held: [ZoneName: [Data: HeldItem]] = [:]
        /// The owner of the records.
        var recordsOwner: UInt8 = 0
    }

    struct Crash: Error {}

    unowned let world: SyncWorld
    let index: Int
    /// Milliseconds that its clock is off.
    var skew: Int64 = 0
    var disk = Disk()

    // The number of the process's life.
    private(set) var life = 0
    private(set) var mustStart = true
    /// How many times the disk is written before the device crashes.
    var fuse: Int?
    private(set) var machine = SyncStateMachine(policies: Machine.policies)
    var replicas: [ZoneName: KeyValueReplica] = [:]
    /// The values as its app got them.
    private(set) var told: [ZoneName: [String: PropertyValue]] = [:]
    /// Writes that were acknowledged to an app.
    var acknowledged: [ZoneName: [String: KeyValueStamp]] = [:]
    var inbox: [SyncStateMachine.Input] = []
    private var held = ResyncNames()
    private var nearby: ZoneName?
    private(set) var connection: Int?
    var calls: [SimulatedCall] = []

    init(_ world: SyncWorld, index: Int) {
        self.world = world
        self.index = index
    }

    var wall: UInt64 { UInt64(Int64(world.time.wall) + skew) }
    var isMember: Bool { disk.member != 0 && !disk.membership.revoked.contains(disk.member) }
    var identifier: DeviceID { SyncWorld.identifiers[Int(disk.member)] }

    // MARK: The disk

    /// - Throws: ``Crash`` when the device crashes there, before or after it was written.
    func write(_ life: Int, _ change: (inout Disk) -> Void) throws {
        guard life == self.life else { throw Crash() }
        guard let left = fuse else { return change(&disk) }
        guard left == 0 else {
            fuse = left - 1
            return change(&disk)
        }
        if Bool.random(using: &world.random) { change(&disk) }
        crash()
        throw Crash()
    }

    func crash() {
        world.note("\(index) crashes")
        world.statistics.crashes += 1
        fuse = nil
        life += 1
        mustStart = true
    }

    // MARK: The process

    func start() {
        mustStart = false
        endCalls()
        inbox = []
        connection = nil
        machine = SyncStateMachine(policies: Machine.policies)
        held = ResyncNames()
        nearby = nil
        do {
            try readStores()
            try reconcile()
        } catch {
            // It crashed again.
        }
    }

    private func readStores() throws {
        for zone in world.zones {
            let store = disk.stores[zone] ?? Store()
            let id = store.phase.account == nil ? KeyValueReplica.nobody : identifier
            let replica = KeyValueReplica(device: id, phase: store.phase, slots: store.slots)
            replicas[zone] = replica
            told[zone] = replica.values
        }
    }

    /// Does the work of the service when the account has changed, and when it starts.
    func reconcile() throws {
        let life = life
        for zone in world.zones {
            try change(zone, life) { replica in
                disk.member == 0 ? replica.signedOut() : replica.signedIn(SyncWorld.account, as: identifier)
            }
        }
        try keepRecords(life)
        guard disk.member != 0 else { return inbox.append(.configured(false)) }
        inbox += (world.hasKeys ? world.zones + [KeyZone.zone] : world.zones).map { .added($0) }
        inbox.append(.configured(isMember))
    }

    private func keepRecords(_ life: Int) throws {
        guard disk.recordsOwner != disk.member else { return }
        try write(life) { disk in
            disk.records = [:]
            disk.parked = [:]
            disk.names = [:]
            disk.held = [:]
            disk.recordsOwner = disk.member
        }
    }

    func handle(_ input: SyncStateMachine.Input) throws {
        world.note("\(index) is told \(input)")
        let actions = machine.handle(
            input, now: world.time.now, fraction: Double.random(in: 0..<1, using: &world.random))
        for action in actions {
            world.note("\(index) does \(action)")
            switch action {
            case .connect:
                world.connections += 1
                connection = world.connections
                world.send(.hello(index, world.connections, disk.member, disk.membership))
            case .disconnect:
                disconnect(
                    SyncFailure(kind: .connection, reason: "ended", message: "This device ended the connection."))
            case .forget(let zone): disk.records[zone] = nil
            case .pull(let zone, let resync):
                let head = machine.head(of: zone)
                begin(zone) { .pulled(zone, try await $0.pull(zone, resync, head: head, into: $1)) }
            case .push(let zone):
                let head = machine.head(of: zone)
                begin(zone) { .pushed(zone, try await $0.push(zone, head: head, from: $1)) }
            }
        }
        try checkMachine()
    }

    private func begin(
        _ zone: ZoneName,
        _ body: @escaping @Sendable (ZoneTransfer, any ZoneSource) async throws -> SyncStateMachine.Input
    ) {
        guard let connection else { return }
        let life = life
        let source: any ZoneSource =
            zone.kind == .contentKeys
            ? SimulatedKeys(device: self, life: life) : SimulatedStores(device: self, life: life)
        let transfer = ZoneTransfer(
            cloud: SimulatedSession(device: self, connection: connection),
            limits: .with {
                $0.itemBytes = 1 << 18
                $0.itemsPerBatch = UInt32(world.cloud.pageItems)
            },
            records: SimulatedRecords(device: self, life: life), codec: SimulatedCodec(device: self),
            recorder: NullEventRecorder(),
            clock: WallClock { [self] in Date(timeIntervalSince1970: Double(wall) / 1000) },
            prepare: { [self] zone in
                guard zone.kind != .contentKeys else { return }
                try makeKeyIfNeeded(life)
                try checkShared()
            }, blobs: nil, held: held,
            gathering: .init(items: index % 3 * 2 * world.cloud.pageItems, bytes: 1 << 20, rounds: 1 + index % 2))
        Task(executorPreference: world.executor) { [self] in
            let input: SyncStateMachine.Input
            do {
                input = try await body(transfer, source)
            } catch {
                input = .failed(zone, SyncFailure(error))
            }
            if life == self.life { inbox.append(input) }
        }
    }

    /// The connection ends, and every operation over it.
    func disconnect(_ failure: SyncFailure) {
        guard connection != nil else { return }
        connection = nil
        endCalls()
        inbox.append(.disconnected(failure))
    }

    func endCalls() {
        for call in calls { call.end(throwing: SimulatedCall.interrupted) }
        calls = []
        world.executor.run()
    }

    // MARK: Stores

    /// One round of the key-value service: what has changed is kept before anybody hears of it.
    func change(
        _ zone: ZoneName, _ life: Int, _ body: (inout KeyValueReplica) throws -> [KeyValueAction]
    ) throws {
        guard life == self.life, var replica = replicas[zone] else { throw Crash() }
        let phase = replica.phase
        let before = replica.slots
        let actions = try body(&replica)
        replicas[zone] = replica
        if case .synced = phase, replica.phase == phase { checkKept(before, replica.slots) }
        checkAcknowledged(zone, replica)
        var saved: [String: KeyValueReplica.Slot?] = [:]
        for case .save(let slots) in actions { saved.merge(slots) { $1 } }
        if !saved.isEmpty || replica.phase != phase {
            try write(life) { disk in
                disk.stores[zone, default: Store()].phase = replica.phase
                for (key, slot) in saved { disk.stores[zone]?.slots[key] = slot }
            }
        }
        var isPushed = replica.phase != phase && replica.phase.account != nil
        for action in actions {
            switch action {
            case .save: break
            case .announce(let reason, let keys):
                if reason == .initialSync { world.statistics.early += keys.count }
                for key in keys { told[zone]?[key] = replica.value(forKey: key) }
            case .push: isPushed = true
            }
        }
        if isPushed { inbox.append(nearby == zone ? .changedNearby(zone) : .changed(zone)) }
    }

    /// The process of an app sees what it has written itself.
    func tell(_ zone: ZoneName, _ key: String) { told[zone]?[key] = replicas[zone]?.value(forKey: key) }

    /// Takes contents of another device that knew the account's state.
    func take(_ contents: [String: KeyValueEntry], _ zone: ZoneName) throws {
        guard isMember else { return }
        let (life, wall) = (life, wall)
        nearby = zone
        defer { nearby = nil }
        try change(zone, life) { $0.exchanged(contents, wall: wall) }
        if machine.cloud != .up { try change(zone, life) { $0.initialDownloadEnded(byCloud: false) } }
    }

    // MARK: The account

    /// Generations whose statements are understood.
    var knownGenerations: Set<UInt8> {
        disk.generations.filter { world.generations[Int($0)].revoked.isSubset(of: disk.membership.revoked) }
    }

    var usableGeneration: UInt8? {
        disk.generations.filter { number in
            let generation = world.generations[Int(number)]
            return generation.revoked == disk.membership.revoked
                && !disk.membership.revoked.contains(generation.issuer)
        }.max { left, right in
            (world.generations[Int(left)].counter, left) < (world.generations[Int(right)].counter, right)
        }
    }

    func makeKeyIfNeeded(_ life: Int) throws {
        guard usableGeneration == nil, isMember else { return }
        let counter = disk.generations.map { world.generations[Int($0)].counter }.max() ?? 0
        let number = UInt8(world.generations.count)
        world.generations.append(
            .init(counter: counter + 1, issuer: disk.member, revoked: disk.membership.revoked))
        world.note("\(index) makes key \(number)")
        try write(life) { $0.generations.insert(number) }
        keysChanged()
    }

    /// As the zone of content keys does.
    private func checkShared() throws {
        guard let generation = usableGeneration, generation > 0,
            !disk.membership.present.allSatisfy({ disk.envelopes["\(generation).\($0)"]?.content != nil })
        else { return }
        throw BatonError(.failedPrecondition, reason: "content_key_not_shared", "It is handed on first.")
    }

    func keysChanged() {
        inbox += world.zones.map { .refresh($0) }
        inbox.append(.changed(KeyZone.zone))
    }

    /// Learns another's knowledge of the account.
    func learn(_ membership: SimulatedMembership, generations: Set<UInt8> = [], _ life: Int) throws {
        let known = knownGenerations
        let merged = disk.membership.merged(membership)
        let isNew = merged != disk.membership
        guard isNew || !generations.isSubset(of: disk.generations) else { return }
        let wasMember = isMember
        try write(life) { disk in
            disk.membership = merged
            disk.generations.formUnion(generations)
        }
        if isNew {
            if let connection { world.send(.merge(index, connection, disk.membership)) }
            if world.hasKeys { inbox.append(.changed(KeyZone.zone)) }
        }
        if wasMember, !isMember { inbox.append(.configured(false)) }
        if knownGenerations != known { keysChanged() }
    }

    // MARK: Invariants

    private func checkMachine() throws {
        let busy = machine.zones.values.count { $0.operation != nil }
        if busy > machine.limits.operations { throw SyncWorld.Violation("more than four operations at once") }
        if let wake = machine.nextWake {
            if wake <= world.time.now { throw SyncWorld.Violation("\(index) would wake at once, for ever") }
            return
        }
        switch machine.cloud {
        case .waiting: throw SyncWorld.Violation("\(index) waits to connect, and never wakes")
        case .up where busy == 0:
            if machine.zones.values.contains(where: \.isWaiting) {
                throw SyncWorld.Violation("\(index) has something to do, and never wakes")
            }
        default: break
        }
    }

    /// An entry here is replaced only by something newer, whatever a cloud does.
    private func checkKept(_ before: [String: KeyValueReplica.Slot], _ after: [String: KeyValueReplica.Slot]) {
        for (key, slot) in before where after[key].map({ $0.entry.stamp < slot.entry.stamp }) ?? true {
            world.violation = .init("\(index) has lost “\(key)”: \(slot), \(after[key] as Any)")
        }
    }

    /// An accepted write gives way to newer ones only.
    private func checkAcknowledged(_ zone: ZoneName, _ replica: KeyValueReplica) {
        for (key, stamp) in acknowledged[zone] ?? [:] {
            guard let entry = replica.slots[key]?.entry else {
                // Removed since, which is forgotten by now.
                acknowledged[zone]?[key] = nil
                continue
            }
            guard entry.stamp < stamp else { continue }
            world.violation = .init("“\(key)” on \(index) fell back behind what its app was told")
        }
    }

    func checkStores() throws {
        for zone in world.zones {
            guard let replica = replicas[zone] else { continue }
            guard told[zone]?.compactMapValues({ $0 }) == replica.values else {
                throw SyncWorld.Violation("the app on \(index) was not told of what it reads")
            }
            guard disk.stores[zone]?.slots ?? [:] == replica.slots else {
                throw SyncWorld.Violation("the disk of \(index) does not hold what the replica does")
            }
        }
    }
}
