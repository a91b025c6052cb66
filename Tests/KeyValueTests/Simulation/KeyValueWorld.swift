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
        }
    }

    /// The cloud's order of one zone, by the rules of docs/cloud.md.
    struct Cloud {
        var items: [String: KeyValueItem] = [:]
        var head: UInt64 = 0

        mutating func write(_ batch: [(key: String, entry: KeyValueEntry, replaces: UInt64)]) -> Answer {
            let conflicts = batch.compactMap { write in
                let current = items[write.key]
                return (current?.version ?? 0) == write.replaces ? nil : current
            }
            guard conflicts.isEmpty else { return .conflicts(conflicts) }
            return .written(
                batch.map { write in
                    head += 1
                    let item = KeyValueItem(key: write.key, version: head, entry: write.entry)
                    items[write.key] = item
                    return item
                })
        }

        func changes(since cursor: UInt64, limit: Int) -> (items: [KeyValueItem], cursor: UInt64, more: Bool) {
            let all = items.values.filter { $0.version > cursor }.sorted { $0.version < $1.version }
            let page = Array(all.prefix(limit))
            return (page, page.last?.version ?? cursor, all.count > page.count)
        }
    }

    enum Answer {
        case written([KeyValueItem])
        case conflicts([KeyValueItem])
    }

    struct Device {
        var id: DeviceID
        var replica: KeyValueReplica
        var cursor: UInt64 = 0
        /// What its disk holds.
        var disk: (slots: [String: KeyValueReplica.Slot], phase: KeyValueReplica.Phase, cursor: UInt64)
        /// Milliseconds that its clock is off.
        var skew: Int64
        /// The values as its app was told them.
        var told: [String: PropertyValue] = [:]
        /// The replica asked for it, and it is not done.
        var wantsPush = false
        /// Of the newest pull: an answer to an older one is passed over.
        var pull: UInt64 = 0
    }

    enum Message {
        case push(from: Int, [(key: String, entry: KeyValueEntry, replaces: UInt64)])
        case pushed(to: Int, Answer)
        case pull(from: Int, cursor: UInt64, number: UInt64)
        case pulled(to: Int, [KeyValueItem], from: UInt64, cursor: UInt64, more: Bool, number: UInt64)
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
    /// What was set and must not be lost, but to something newer.
    var set: [String: KeyValueStamp] = [:]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for index in 0..<Int.random(in: 2...8, using: &random) {
            let id = DeviceID(unchecked: String(repeating: ["B", "C", "D", "E", "F", "G", "H", "I"][index], count: 26))
            let phase: KeyValueReplica.Phase = index == 0 ? .synced(Self.account) : .local
            let replica = KeyValueReplica(device: id, phase: phase)
            let skew = Bool.random(using: &random) ? Int64.random(in: -36_000_000...36_000_000, using: &random) : 0
            devices.append(Device(id: id, replica: replica, disk: ([:], phase, 0), skew: skew))
        }
        // One clock is years ahead now and then.
        if Int.random(in: 0..<4, using: &random) == 0 { devices[0].skew = 300_000_000_000 }
    }

    // MARK: Running

    mutating func run(steps: Int) throws {
        for _ in 0..<steps { try step() }
        try heal()
    }

    private mutating func step() throws {
        wall += UInt64.random(in: 0...5000, using: &random)
        let index = Int.random(in: 0..<devices.count, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: try write(index)
        case 6..<8: push(index)
        case 8..<10: pull(index)
        case 10: exchange(from: index)
        case 11: try crash(index)
        case 12: try signIn(index)
        default: try deliver()
        }
        try check(index)
    }

    private func time(_ index: Int) -> UInt64 { UInt64(Int64(wall) + devices[index].skew) }

    private mutating func write(_ index: Int) throws {
        let key = Self.keys.randomElement(using: &random) ?? "a"
        let before = devices[index].replica.value(forKey: key)
        let replaced = devices[index].replica.slots[key]?.entry.stamp
        let value: PropertyValue? =
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: nil
            case 2: .string(String(repeating: "x", count: 40_000))
            default: .integer(Int64.random(in: 0...1_000_000, using: &random))
            }
        let actions = try devices[index].replica.set(value, forKey: key, wall: time(index))
        if actions.contains(where: { if case .announce(.quotaViolation, _) = $0 { true } else { false } }) {
            statistics.refused += 1
            guard devices[index].replica.value(forKey: key) == before else {
                throw Violation(description: "a refused set changed the value")
            }
            return
        }
        guard !actions.isEmpty else { return }
        statistics.sets += 1
        guard devices[index].replica.value(forKey: key) == value else {
            throw Violation(description: "what was set is not read")
        }
        devices[index].told[key] = value
        try apply(actions, index)
        guard let stamp = devices[index].replica.slots[key]?.entry.stamp else { return }
        guard replaced.map({ stamp > $0 }) ?? true else {
            throw Violation(description: "a set will lose against what it replaced")
        }
        if case .synced = devices[index].replica.phase {
            set[key] = max(set[key] ?? stamp, stamp)
        } else {
            statistics.early += 1
        }
    }

    private mutating func push(_ index: Int) {
        let batch = devices[index].replica.pending(limit: Int.random(in: 1...3, using: &random))
        if !batch.isEmpty { messages.append(.push(from: index, batch)) }
    }

    /// As a device sends: when the replica has asked for it, until nothing is left.
    private mutating func pushIfWanted(_ index: Int) {
        guard devices[index].wantsPush else { return }
        devices[index].wantsPush = devices[index].replica.hasPending
        push(index)
    }

    private mutating func pull(_ index: Int) {
        guard devices[index].replica.phase.account != nil else { return }
        devices[index].pull += 1
        messages.append(.pull(from: index, cursor: devices[index].cursor, number: devices[index].pull))
    }

    private mutating func exchange(from index: Int) {
        guard case .synced = devices[index].replica.phase else { return }
        let other = Int.random(in: 0..<devices.count, using: &random)
        messages.append(.exchange(to: other, devices[index].replica.slots.mapValues(\.entry)))
    }

    private mutating func crash(_ index: Int) throws {
        statistics.crashes += 1
        let disk = devices[index].disk
        devices[index].replica = KeyValueReplica(device: devices[index].id, phase: disk.phase, slots: disk.slots)
        devices[index].cursor = disk.cursor
        devices[index].pull += 1
        devices[index].wantsPush = devices[index].replica.hasPending
    }

    private mutating func signIn(_ index: Int) throws {
        guard devices[index].replica.phase.account == nil else { return }
        try apply(devices[index].replica.signedIn(Self.account), index)
        devices[index].cursor = 0
        devices[index].disk.cursor = 0
        devices[index].disk.phase = devices[index].replica.phase
    }

    // MARK: The network

    private mutating func deliver() throws {
        guard !messages.isEmpty else { return }
        let index = Int.random(in: 0..<messages.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: messages.remove(at: index)
        case 1: try handle(messages[index])
        default: try handle(messages.remove(at: index))
        }
    }

    private mutating func handle(_ message: Message) throws {
        switch message {
        case .push(let device, let batch):
            let answer = cloud.write(batch)
            if case .written = answer { statistics.writes += 1 } else { statistics.conflicts += 1 }
            messages.append(.pushed(to: device, answer))
        case .pushed(let device, .written(let items)):
            try apply(devices[device].replica.written(items), device)
        case .pushed(let device, .conflicts(let items)):
            try apply(devices[device].replica.received(items, wall: time(device)), device)
        case .pull(let device, let cursor, let number):
            let page = cloud.changes(since: cursor, limit: 2)
            messages.append(
                .pulled(
                    to: device, page.items, from: cursor, cursor: page.cursor, more: page.more, number: number))
        case .pulled(let device, let items, let from, let cursor, let more, let number):
            guard number == devices[device].pull, from == devices[device].cursor else { return }
            statistics.pages += 1
            try apply(devices[device].replica.received(items, wall: time(device)), device)
            devices[device].cursor = cursor
            devices[device].disk.cursor = cursor
            if !more {
                try apply(devices[device].replica.initialDownloadEnded(), device)
                devices[device].disk.phase = devices[device].replica.phase
            }
        case .exchange(let device, let entries):
            statistics.exchanges += 1
            try apply(devices[device].replica.exchanged(entries, wall: time(device)), device)
        }
    }

    private mutating func apply(_ actions: [KeyValueAction], _ index: Int) throws {
        for action in actions {
            switch action {
            case .save(let slots):
                for (key, slot) in slots { devices[index].disk.slots[key] = slot }
            case .announce(let reason, let keys):
                guard Set(keys).count == keys.count else {
                    throw Violation(description: "a key was announced twice at once")
                }
                if reason == .initialSync { statistics.dropped += keys.count }
                for key in keys { devices[index].told[key] = devices[index].replica.value(forKey: key) }
            case .push:
                devices[index].wantsPush = true
            }
        }
    }

    // MARK: What holds

    private func check(_ index: Int) throws {
        let device = devices[index]
        guard device.told.compactMapValues({ $0 }) == device.replica.values else {
            throw Violation(
                description: "the app was not told of what it reads: \(device.told), \(device.replica.values)")
        }
        guard device.disk.slots == device.replica.slots else {
            throw Violation(description: "the disk does not hold what the replica does")
        }
        let bytes = device.replica.values.values.reduce(0) { $0 + KeyValueLimits.size(of: $1) }
        guard bytes == device.replica.totalBytes, device.replica.values.count == device.replica.count else {
            throw Violation(description: "the size is counted wrongly")
        }
    }

    /// Everything arrives from now on: the replicas must agree, and nothing may be missing.
    private mutating func heal() throws {
        messages = []
        for index in devices.indices { try signIn(index) }
        for round in 0... {
            guard round < 200 else { throw Violation(description: "the devices do not come to rest") }
            for index in devices.indices {
                pull(index)
                pushIfWanted(index)
            }
            while !messages.isEmpty { try handle(messages.removeFirst()) }
            let isQuiet = devices.allSatisfy { $0.cursor == cloud.head && !$0.replica.hasPending }
            if isQuiet, devices.allSatisfy({ $0.replica.phase == .synced(Self.account) }) { break }
        }
        for index in devices.indices { try check(index) }
        guard let first = devices.first else { return }
        for device in devices where device.replica.values != first.replica.values {
            throw Violation(description: "the devices differ: \(device.replica.values), \(first.replica.values)")
        }
        for (key, stamp) in set {
            guard let entry = first.replica.slots[key]?.entry, entry.stamp >= stamp else {
                throw Violation(description: "a write of “\(key)” was lost")
            }
        }
    }
}
