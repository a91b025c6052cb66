import BatonCore
import BatonTestSupport
import Foundation
import KeyValue
import Sync

/// Devices with their sync engines, key-value replicas and keys, and their cloud, under a seeded schedule.
///
/// Each device runs the real state machine, the real transfer of zones and the real replica; the cloud runs the rules
/// of its memory driver. The network between them loses, doubles, delays and reorders, devices and the cloud crash
/// between any two writes, clocks are hours apart, devices join, leave and are revoked, and backups are restored.
final class SyncWorld: @unchecked Sendable {
    struct Violation: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    struct Statistics {
        var sets = 0
        var calls = 0
        var written = 0
        var conflicts = 0
        var exchanges = 0
        var crashes = 0
        var lost = 0
        var doubled = 0
        var early = 0
        var startedOver = 0
        var parked = 0
        var joined = 0
        var signOuts = 0
        var revocations = 0
        var restores = 0
        var putBacks = 0
        var buried = 0
        var lies = 0

        mutating func add(_ other: Statistics) {
            sets += other.sets
            calls += other.calls
            written += other.written
            conflicts += other.conflicts
            exchanges += other.exchanges
            crashes += other.crashes
            lost += other.lost
            doubled += other.doubled
            early += other.early
            startedOver += other.startedOver
            parked += other.parked
            joined += other.joined
            signOuts += other.signOuts
            revocations += other.revocations
            restores += other.restores
            putBacks += other.putBacks
            buried += other.buried
            lies += other.lies
        }
    }

    /// A content key, but for its bytes.
    struct Generation {
        var counter: Int
        var issuer: UInt8
        /// Those who must never have it.
        var revoked: Set<UInt8>
    }

    struct Setting {
        var zone: ZoneName
        var key: String
        /// Nil: the device crashed before anybody knew.
        var time: HybridTimestamp?
    }

    enum Event {
        case head(ZoneName, SyncStateMachine.ZoneHead)
        case gone(ZoneName)
        case membership
    }

    enum Message {
        case hello(Int, Int, UInt8, SimulatedMembership)
        case welcome(Int, Int, [ZoneName: SyncStateMachine.ZoneHead], SimulatedMembership)
        case subscribe(Int, Int)
        case event(Int, Int, Event)
        case merge(Int, Int, SimulatedMembership)
        case merged(Int, Int, SimulatedMembership)
        case refused(Int, Int, SyncFailure)
        case request(SimulatedCall)
        case answer(SimulatedCall, Result<SimulatedCloud.Answer, any Error>)
        case given(to: Int, from: UInt8, ZoneName, [String: KeyValueEntry], SimulatedMembership, Set<UInt8>)
    }

    static let account = AccountID(unchecked: String(repeating: "A", count: 26))
    /// The identifiers of the account's members; the first is unused.
    static let identifiers: [DeviceID] = (0..<256).map { number in
        let letters = Array("ABCDEFGHIJKLMNOP")
        return DeviceID(
            unchecked: String(repeating: "A", count: 24) + String([letters[number >> 4], letters[number & 15]]))
    }
    static let keys = ["a", "b", "c"]

    let executor = StepExecutor()
    let time = SimulatedTime()
    var random: SeededGenerator
    var statistics = Statistics()
    let zones: [ZoneName]
    let hasKeys: Bool
    let batchItems: Int
    private(set) var devices: [SimulatedDevice] = []
    var cloud: SimulatedCloud
    var backup: SimulatedCloud.Kept
    var messages: [Message] = []
    var connections = 0
    /// Connections whose devices hear what moves.
    var subscribers: [Int: Int] = [:]
    /// Devices that the cloud does not hear.
    var cut: Set<Int> = []
    /// Everything arrives.
    var isCalm = false
    var generations = [Generation(counter: 0, issuer: 1, revoked: [])]
    var memberCount: UInt8 = 1
    var revoked: Set<UInt8> = []
    /// Values that must not be lost, except to newer ones.
    var acknowledged: [ZoneName: [String: KeyValueEntry]] = [:]
    /// The newest removal of each key by anybody.
    var removed: [ZoneName: [String: KeyValueStamp]] = [:]
    /// Values that were removed when everybody knew it.
    var buried: Set<Int64> = []
    /// All values that were ever set.
    var values: [Int64: Setting] = [:]
    private var entries: [KeyValueEntry] = []
    /// A clock far ahead takes every removal for an old one.
    var hasFastClock = false
    /// The cloud loses items, deletes them, and brings back what they were earlier.
    var isFaulty = false
    /// Found where nothing can be thrown.
    var violation: Violation?
    /// Nil: not recorded.
    var history: [String]?

    init(seed: UInt64, isRecording: Bool = false) throws {
        random = SeededGenerator(seed: seed)
        if isRecording { history = [] }
        let isLong = Int.random(in: 0..<100, using: &random) == 0
        let count =
            isLong ? Int.random(in: 4...8, using: &random) : [2, 2, 2, 2, 3, 3].randomElement(using: &random) ?? 2
        // One that is revoked leaves two that go on.
        hasKeys = count > 2 && Bool.random(using: &random)
        let zoneCount = isLong ? 2 : 1
        zones = (0..<zoneCount).map { ZoneName(kind: .keyValue, name: "z\($0)") }
        batchItems = Int.random(in: 1...3, using: &random)
        cloud = try SimulatedCloud(
            time: time, pageItems: Int.random(in: 1...4, using: &random),
            conflictBytes: Bool.random(using: &random) ? 1 : 1 << 20)
        backup = cloud.kept
        steps = isLong ? 150 : [4, 8, 12, 16, 24].randomElement(using: &random) ?? 16
        devices = (0..<count).map { SimulatedDevice(self, index: $0) }
        for device in devices where Bool.random(using: &random) {
            device.skew = Int64.random(in: -36_000_000...36_000_000, using: &random)
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            devices[0].skew = 300_000_000_000
            hasFastClock = true
        }
        isFaulty = Int.random(in: 0..<5, using: &random) == 0
        // The first device makes the account.
        devices[0].disk.member = 1
        devices[0].disk.recordsOwner = 1
        devices[0].disk.membership.members = [1]
        devices[0].disk.generations = [0]
    }

    let steps: Int

    func note(_ event: @autoclosure () -> String) {
        if history != nil { history?.append("\(time.now): \(event())") }
    }

    // MARK: Values

    func content(_ entry: KeyValueEntry) -> Data {
        entries.append(entry)
        return withUnsafeBytes(of: UInt32(entries.count - 1)) { Data($0) }
    }

    func entry(_ content: Data) -> KeyValueEntry {
        entries[content.reversed().reduce(0) { $0 << 8 | Int($1) }]
    }

    func item(_ name: String, _ version: UInt64, _ state: ItemState) -> KeyValueItem {
        switch state {
        case .content(let content): KeyValueItem(key: name, version: version, entry: entry(content))
        case .deleted(let tombstone):
            KeyValueItem(
                key: name, version: version, entry: tombstone.map(entry).flatMap { $0.value == nil ? $0 : nil },
                isDeleted: true)
        }
    }

    func zone(_ id: Data) -> ZoneName? {
        id.isEmpty ? KeyZone.zone : zones.first { $0.name.utf8.elementsEqual(id) }
    }

    /// The devices that can act for the account.
    var members: [SimulatedDevice] {
        devices.filter { $0.disk.member != 0 && !revoked.contains($0.disk.member) }
    }

    // MARK: Running

    func run() throws {
        defer { for device in devices { device.endCalls() } }
        try process()
        for index in devices.indices.dropFirst() where Bool.random(using: &random) { try join(devices[index]) }
        for _ in 0..<steps { try step() }
        try heal()
    }

    /// Until every device has done what it can do now.
    func process() throws {
        var isBusy = true
        while isBusy {
            executor.run()
            if let violation { throw violation }
            isBusy = false
            for device in devices {
                if device.mustStart {
                    device.start()
                    isBusy = true
                }
                guard !device.inbox.isEmpty else { continue }
                isBusy = true
                let inputs = device.inbox
                device.inbox = []
                for input in inputs where !device.mustStart { try device.handle(input) }
            }
        }
    }

    private func step() throws {
        let device = devices[Int.random(in: 0..<devices.count, using: &random)]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<26: try write(device)
        case 26..<66:
            for _ in 0..<Int.random(in: 1...6, using: &random) where !messages.isEmpty {
                try deliver()
                try process()
            }
        case 66..<80: wake(after: UInt64.random(in: 1...3000, using: &random))
        case 80..<85: exchange(from: device)
        case 85..<87: device.crash()
        case 87..<90: device.fuse = Int.random(in: 0..<6, using: &random)
        default: try trouble(device)
        }
        try process()
        try device.checkStores()
    }

    func wake(after passed: UInt64) {
        time.now += passed
        for device in devices {
            if let wake = device.machine.nextWake, wake <= time.now { device.inbox.append(.woke) }
        }
    }

    /// An app sets a key, which it has in view.
    private func write(_ device: SimulatedDevice) throws {
        let zone = zones[Int.random(in: 0..<zones.count, using: &random)]
        let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
        let number = Int64(values.count + 1)
        let isRemoval = Int.random(in: 0..<4, using: &random) == 0
        if !isRemoval { values[number] = Setting(zone: zone, key: key) }
        let before = device.replicas[zone]?.slots[key]?.entry
        let life = device.life
        do {
            try device.change(zone, life) {
                try $0.set(isRemoval ? nil : .integer(number), forKey: key, wall: device.wall)
            }
        } catch is SimulatedDevice.Crash {
            // It was not announced that it is kept, but it may be.
            if let kept = device.disk.stores[zone]?.slots[key]?.entry, kept.value == nil { remove(zone, key, kept) }
            return
        }
        guard let replica = device.replicas[zone], let entry = replica.slots[key]?.entry, entry != before else {
            return
        }
        statistics.sets += 1
        note(
            "\(device.index) sets \(zone.name)/\(key) to \(isRemoval ? "nothing" : String(number)) at \(entry.stamp.time), "
                + "\(replica.phase)")
        device.tell(zone, key)
        if isRemoval { remove(zone, key, entry) } else { values[number]?.time = entry.stamp.time }
        guard case .synced = replica.phase else { return }
        device.acknowledged[zone, default: [:]][key] = entry.stamp
        // A write on a revoked device counts for nothing.
        guard !revoked.contains(device.disk.member) else { return }
        if acknowledged[zone]?[key].map({ $0.stamp < entry.stamp }) ?? true {
            acknowledged[zone, default: [:]][key] = entry
        }
    }

    private func remove(_ zone: ZoneName, _ key: String, _ entry: KeyValueEntry) {
        removed[zone, default: [:]][key] = max(removed[zone]?[key] ?? entry.stamp, entry.stamp)
    }

    /// The direct exchange from one device to another.
    private func exchange(from device: SimulatedDevice) {
        let other = devices[Int.random(in: 0..<devices.count, using: &random)]
        guard other !== device, device.isMember, !other.mustStart,
            device.disk.membership.present.contains(other.disk.member)
        else { return }
        statistics.exchanges += 1
        for zone in zones {
            guard let replica = device.replicas[zone], case .synced = replica.phase else { continue }
            let contents = replica.exchangeable(wall: device.wall)
            messages.append(
                .given(
                    to: other.index, from: device.disk.member, zone, contents, device.disk.membership,
                    device.knownGenerations))
        }
    }
}
