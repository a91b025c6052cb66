import BatonCore
import BatonTestSupport
import KeyValue

/// Devices with one key-value store, and their cloud, under a seeded schedule: messages are lost, doubled, late and
/// reordered, devices crash between any two steps, clocks are hours apart.
struct KeyValueWorld {
    struct Violation: Error, CustomStringConvertible { var description: String }

    struct Statistics {
        var sets = 0
        var refused = 0
        var writes = 0
        var conflicts = 0
        var pages = 0
        var exchanges = 0
        var crashes = 0
        var early = 0
        var dropped = 0
        var superseded = 0
        var deletions = 0
        var restarts = 0
        var signOuts = 0

        mutating func add(_ other: Statistics) {
            sets += other.sets
            refused += other.refused
            writes += other.writes
            conflicts += other.conflicts
            pages += other.pages
            exchanges += other.exchanges
            crashes += other.crashes
            early += other.early
            dropped += other.dropped
            superseded += other.superseded
            deletions += other.deletions
            restarts += other.restarts
            signOuts += other.signOuts
        }
    }

    /// The cloud's order of one zone, by the rules of docs/cloud.md.
    struct Cloud {
        var items: [String: KeyValueItem] = [:]
        var head: UInt64 = 0
        /// The last forgotten deletion: a device that has not read so far must start over.
        var floor: UInt64 = 0

        mutating func write(_ batch: [KeyValueChange]) -> Answer {
            let conflicts = batch.compactMap { write in
                let current = items[write.key] ?? KeyValueItem(key: write.key, version: 0, entry: nil)
                return current.version == write.replaces ? nil : current
            }
            guard conflicts.isEmpty else { return .conflicts(conflicts) }
            return .written(
                batch.map { write in
                    head += 1
                    let item = KeyValueItem(
                        key: write.key, version: head, entry: write.entry, isDeleted: write.isDeletion)
                    items[write.key] = item
                    return item
                })
        }

        /// - Parameter began: the head when the subscriber began at the start: it cannot have what was deleted before.
        /// - Returns: nil when it must start over.
        func changes(since cursor: UInt64, began: UInt64, limit: Int) -> Page? {
            guard cursor == 0 || max(cursor, began) >= floor else { return nil }
            let all = items.values.filter { $0.version > cursor }.sorted { $0.version < $1.version }
            let page = Array(all.prefix(limit))
            let more = all.count > page.count
            return Page(
                items: page, cursor: more ? page.last?.version ?? cursor : head, began: cursor == 0 ? head : began,
                more: more)
        }

        mutating func forgetDeletions() {
            for (key, item) in items where item.isDeleted {
                floor = max(floor, item.version)
                items[key] = nil
            }
        }
    }

    struct Page {
        var items: [KeyValueItem]
        var cursor: UInt64
        var began: UInt64
        var more: Bool
    }

    enum Answer {
        case written([KeyValueItem])
        case conflicts([KeyValueItem])
    }

    struct Device {
        var id: DeviceID
        var replica: KeyValueReplica
        var cursor: UInt64 = 0
        var began: UInt64 = 0
        /// The contents of its disk.
        var disk: Disk
        /// Milliseconds that its clock is off.
        var skew: Int64
        /// The values as its app got them.
        var told: [String: PropertyValue] = [:]
        /// Grows when the account changes: an answer to an earlier message is dropped.
        var stay: UInt64 = 0
        /// The replica asked for it, and it is not done.
        var wantsPush = false
        /// The number of the newest pull: an answer to an older one is ignored.
        var pull: UInt64 = 0
        /// Reading from the start since the cloud said so: what it holds.
        var startsOver: Set<String>?
    }

    struct Disk {
        var slots: [String: KeyValueReplica.Slot] = [:]
        var phase: KeyValueReplica.Phase
        var cursor: UInt64 = 0
        var began: UInt64 = 0
    }

    enum Message {
        case push(from: Int, [KeyValueChange], stay: UInt64)
        case pushed(to: Int, Answer, stay: UInt64)
        case pull(from: Int, cursor: UInt64, began: UInt64, number: UInt64)
        /// Without a page: start over.
        case pulled(to: Int, Page?, from: UInt64, number: UInt64)
        case exchange(to: Int, [String: KeyValueEntry])
    }

    static let account = AccountID(unchecked: String(repeating: "A", count: 26))
    static let keys = ["a", "b", "c", "d"]

    var random: SeededGenerator
    var devices: [Device] = []
    var cloud = Cloud()
    var messages: [Message] = []
    var wall: UInt64 = 1_700_000_000_000
    var statistics = Statistics()
    /// Values that must not be lost, except to newer ones.
    var set: [String: KeyValueEntry] = [:]
    /// Such a clock takes every removal for an old one.
    var hasFastClock = false

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for index in 0..<Int.random(in: 2...8, using: &random) {
            let id = DeviceID(unchecked: String(repeating: ["B", "C", "D", "E", "F", "G", "H", "I"][index], count: 26))
            let phase: KeyValueReplica.Phase = index == 0 ? .synced(Self.account) : .local
            let replica = KeyValueReplica(device: index == 0 ? id : KeyValueReplica.nobody, phase: phase)
            let skew = Bool.random(using: &random) ? Int64.random(in: -36_000_000...36_000_000, using: &random) : 0
            devices.append(Device(id: id, replica: replica, disk: Disk(phase: phase), skew: skew))
        }
        // One clock is years ahead now and then.
        if Int.random(in: 0..<4, using: &random) == 0 {
            devices[0].skew = 300_000_000_000
            hasFastClock = true
        }
    }

    // MARK: Running

    mutating func run(steps: Int) throws {
        for _ in 0..<steps / 2 { try step() }
        if Int.random(in: 0..<4, using: &random) == 0 { try leaveOneBehind() }
        for _ in 0..<steps / 2 { try step() }
        try heal()
    }

    mutating func step() throws {
        wall += UInt64.random(in: 0...5000, using: &random)
        // Weeks go by now and then.
        if Int.random(in: 0..<40, using: &random) == 0 { wall += 50 * 86_400_000 }
        if Int.random(in: 0..<15, using: &random) == 0 { cloud.forgetDeletions() }
        let index = Int.random(in: 0..<devices.count, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: try write(index)
        case 6..<8: push(index)
        case 8..<10: pull(index)
        case 10: exchange(from: index)
        case 11: try crash(index)
        case 12 where Int.random(in: 0..<12, using: &random) == 0: try signOut(index)
        case 12: try signIn(index)
        default: try deliver()
        }
        try check(index)
    }

    func time(_ index: Int) -> UInt64 { UInt64(Int64(wall) + devices[index].skew) }

    mutating func write(_ index: Int) throws {
        let key = Self.keys.randomElement(using: &random) ?? "a"
        let value: PropertyValue? =
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: nil
            case 2: .string(String(repeating: "x", count: 40_000))
            default: .integer(Int64.random(in: 0...1_000_000, using: &random))
            }
        try write(index, value, forKey: key, isInformed: Int.random(in: 0..<4, using: &random) > 0)
    }

    mutating func write(
        _ index: Int, _ value: PropertyValue?, forKey key: String, isInformed: Bool
    ) throws {
        let before = devices[index].replica.value(forKey: key)
        let replaced = devices[index].replica.slots[key]?.entry.stamp
        // A process that was away sends late.
        let late = isInformed ? 0 : UInt64.random(in: 0...20_000, using: &random)
        let write = KeyValueWrite(key: key, value: value, time: time(index) - late, isInformed: isInformed)
        let (outcome, actions) = try devices[index].replica.write(write, wall: time(index))
        guard outcome == .taken, !actions.isEmpty else {
            if outcome == .refused { statistics.refused += 1 }
            if outcome == .superseded { statistics.superseded += 1 }
            guard devices[index].replica.value(forKey: key) == before else {
                throw Violation(description: "a set that was not taken changed the value")
            }
            return
        }
        statistics.sets += 1
        guard devices[index].replica.value(forKey: key) == value else {
            throw Violation(description: "what was set is not read")
        }
        devices[index].told[key] = value
        try apply(actions, index)
        guard let entry = devices[index].replica.slots[key]?.entry else { return }
        guard replaced.map({ entry.stamp > $0 }) ?? true else {
            throw Violation(description: "a set will lose against what it replaced")
        }
        if case .synced = devices[index].replica.phase {
            if set[key].map({ $0.stamp < entry.stamp }) ?? true { set[key] = entry }
        } else {
            statistics.early += 1
        }
        try again(write, index)
    }

    /// The answer was lost, and the process sends once more.
    mutating func again(_ write: KeyValueWrite, _ index: Int) throws {
        var write = write
        write.isInformed = false
        let slots = devices[index].replica.slots
        let (outcome, actions) = try devices[index].replica.write(write, wall: time(index))
        guard outcome == .superseded, actions.isEmpty, devices[index].replica.slots == slots else {
            throw Violation(description: "a set that was told twice changed something")
        }
    }

    /// Not while it starts over: what it would write then is not among the values that it got.
    mutating func push(_ index: Int) {
        guard devices[index].startsOver == nil else { return }
        let batch = devices[index].replica.pending(
            limit: Int.random(in: 1...3, using: &random), wall: time(index))
        if !batch.isEmpty { messages.append(.push(from: index, batch, stay: devices[index].stay)) }
    }

    /// As a device sends: when the replica has asked for it, until nothing is left.
    mutating func pushIfWanted(_ index: Int) {
        guard devices[index].wantsPush else { return }
        devices[index].wantsPush = hasWork(index)
        push(index)
    }

    func hasWork(_ index: Int) -> Bool {
        !devices[index].replica.pending(limit: 1, wall: time(index)).isEmpty
    }

    mutating func pull(_ index: Int) {
        guard devices[index].replica.phase.account != nil else { return }
        devices[index].pull += 1
        messages.append(
            .pull(
                from: index, cursor: devices[index].cursor, began: devices[index].began, number: devices[index].pull))
    }

    mutating func exchange(from index: Int) {
        guard case .synced = devices[index].replica.phase else { return }
        let other = Int.random(in: 0..<devices.count, using: &random)
        messages.append(.exchange(to: other, devices[index].replica.exchangeable(wall: time(index))))
    }

    mutating func crash(_ index: Int) throws {
        statistics.crashes += 1
        let disk = devices[index].disk
        let id = disk.phase.account == nil ? KeyValueReplica.nobody : devices[index].id
        devices[index].replica = KeyValueReplica(device: id, phase: disk.phase, slots: disk.slots)
        devices[index].cursor = disk.cursor
        devices[index].began = disk.began
        // A device that was starting over does so again.
        devices[index].startsOver = disk.cursor == 0 ? [] : nil
        devices[index].pull += 1
        devices[index].wantsPush = hasWork(index)
    }

    mutating func signIn(_ index: Int) throws {
        guard devices[index].replica.phase.account == nil else { return }
        try apply(devices[index].replica.signedIn(Self.account, as: devices[index].id), index)
        arrive(index)
    }

    /// Values that the account does not have yet go with it.
    mutating func signOut(_ index: Int) throws {
        guard devices[index].replica.phase.account != nil else { return }
        statistics.signOuts += 1
        for (key, slot) in devices[index].replica.slots where slot.isPending {
            if let newest = set[key], slot.entry.stamp >= newest.stamp { set[key] = nil }
        }
        try apply(devices[index].replica.signedOut(), index)
        guard devices[index].replica.slots.isEmpty else {
            throw Violation(description: "something of the account stays")
        }
        arrive(index)
    }

    mutating func arrive(_ index: Int) {
        devices[index].cursor = 0
        devices[index].startsOver = nil
        devices[index].disk.cursor = 0
        devices[index].disk.phase = devices[index].replica.phase
        devices[index].pull += 1
        devices[index].stay += 1
    }
}
