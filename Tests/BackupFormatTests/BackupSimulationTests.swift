import BackupFormat
import BatonCore
import BatonTestSupport
import FileSync
import Testing

/// Writers, forgetting, collecting and crashes at one target, one step at a time in random order. `BATON_SEED` runs that one alone.
@Suite("Backup simulation")
struct BackupSimulationTests {
    @Test(
        "Every chunk that a kept snapshot names is there, and what nothing names goes within two collections (B-1: K, G, B)",
        arguments: 0..<4)
    func schedules(part: Int) throws {
        let seeds = Schedules.seeds(400, soak: 250_000, part: part)
        var all = BackupWorld.Statistics()
        for seed in seeds {
            var world = try BackupWorld(seed: seed)
            try world.run()
            all.add(world.statistics)
        }
        for number in [all.snapshots, all.crashes, all.removed, all.forgotten, all.reused, all.damaged, all.released] {
            #expect(Schedules.isEnough(number, of: seeds.count, oneIn: 10), "\(all)")
        }
    }
}

/// A target with three devices that back up, forget and collect. Each call of the store is one step; between two of them others go on.
struct BackupWorld {
    struct Statistics {
        var snapshots = 0
        var crashes = 0
        var removed = 0
        var forgotten = 0
        var reused = 0
        var damaged = 0
        var aborted = 0
        var released = 0

        mutating func add(_ other: Statistics) {
            snapshots += other.snapshots
            crashes += other.crashes
            removed += other.removed
            forgotten += other.forgotten
            reused += other.reused
            damaged += other.damaged
            aborted += other.aborted
            released += other.released
        }
    }

    private struct Store {
        var packs: [BackupPack.ID: Set<ContentHash>] = [:]
        var marks: [BackupPack.ID: UInt64] = [:]
        var intents: [DeviceID: BackupIntent] = [:]
        var snapshots: [BackupSnapshot.ID: Set<ContentHash>] = [:]
        /// Chunks that a fault took, so that no promise holds for snapshots of before.
        var lost: Set<ContentHash> = []
    }

    private enum Work {
        case idle
        case writing(Writer)
        case collecting(Collector)
    }

    private struct Writer {
        var contents: Set<ContentHash>
        var left: [ContentHash]
        var packs: Set<BackupPack.ID> = []
        var usable: Set<ContentHash> = []
        var reserved: [BackupPack.ID] = []
        var step = 0
    }

    private struct Collector {
        var began: UInt64 = 0
        var marks: [BackupPack.ID: UInt64] = [:]
        var intents: [BackupIntent] = []
        var needed: Set<ContentHash> = []
        var packs: [BackupPack.ID: Set<ContentHash>] = [:]
        var steps: [BackupCollection.Step] = []
        var step = 0
    }

    private var random: SeededGenerator
    private let seed: UInt64
    private var store = Store()
    private var work: [Work]
    private let devices: [DeviceID]
    private var numbers: [UInt64] = [0, 0, 0]
    private var now: UInt64 = 1_800_000_000_000
    private var serial: UInt64 = 0
    private(set) var statistics = Statistics()

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        devices = try ["A", "B", "C"].map { try #require(DeviceID(rawValue: String(repeating: $0, count: 26))) }
        work = [.idle, .idle, .idle]
    }

    mutating func run() throws {
        for _ in 0..<120 {
            let device = Int.random(in: 0..<3, using: &random)
            // Hours pass, and sometimes more than an intent lives.
            if Int.random(in: 0..<4, using: &random) == 0 {
                now += UInt64.random(in: 0..<20 * 3_600_000, using: &random)
            }
            if Int.random(in: 0..<60, using: &random) == 0 { now += BackupIntent.lifetime + 1 }
            if Int.random(in: 0..<25, using: &random) == 0, case .idle = work[device] {
            } else {
                if Int.random(in: 0..<40, using: &random) == 0, !isIdle(device) {
                    work[device] = .idle
                    statistics.crashes += 1
                }
            }
            step(device)
            if Int.random(in: 0..<80, using: &random) == 0 { damage() }
            try check()
        }
        try settle()
    }

    private func isIdle(_ device: Int) -> Bool { if case .idle = work[device] { true } else { false } }

    private mutating func step(_ device: Int) {
        switch work[device] {
        case .idle: begin(device)
        case .writing(let writer): write(writer, device)
        case .collecting(let collector): collect(collector, device)
        }
    }

    private mutating func begin(_ device: Int) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0...2:
            let contents = Set((0..<6).map { _ in chunk(UInt64.random(in: 0..<12, using: &random)) })
            work[device] = .writing(Writer(contents: contents, left: contents.sorted()))
        case 3: work[device] = .collecting(Collector())
        default:
            // Before it forgets, a device lets go of what a backup of its own stored that found the target full.
            if Int.random(in: 0..<2, using: &random) == 0, store.intents.removeValue(forKey: devices[device]) != nil {
                statistics.released += 1
            }
            guard let id = store.snapshots.keys.sorted().randomElement(using: &random) else { return }
            store.snapshots[id] = nil
            statistics.forgotten += 1
        }
    }

    private func chunk(_ number: UInt64) -> ContentHash { ContentHash(number, 1, 2, 3) }

    private mutating func newPack() -> BackupPack.ID? {
        serial += 1
        return BackupPack.ID((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// As ``BackupWriter`` does it.
    private mutating func write(_ writer: Writer, _ index: Int) {
        var writer = writer
        let device = devices[index]
        defer { if case .writing = work[index] { work[index] = .writing(writer) } }
        switch writer.step {
        case 0:
            writer.packs = Set(store.packs.keys)
            writer.step = 1
        case 1:
            writer.reserved = (0..<6).compactMap { _ in newPack() }
            store.intents[device] = BackupIntent(
                device: device, written: now, packs: writer.packs.union(writer.reserved))
            writer.step = 2
        case 2:
            // Marks are read after the intent is there; packs that came meanwhile are not in it.
            let usable = store.packs.filter { writer.packs.contains($0.key) && store.marks[$0.key] == nil }
            writer.usable = usable.values.reduce(into: []) { $0.formUnion($1) }
            writer.step = 3
        case 3:
            guard let next = writer.left.popLast() else {
                writer.step = 4
                return
            }
            if writer.usable.contains(next) {
                statistics.reused += 1
            } else if let id = writer.reserved.popLast() {
                store.packs[id] = [next]
                writer.usable.insert(next)
            }
        case 4:
            guard store.intents[device] != nil else {
                work[index] = .idle
                return
            }
            let reserved = store.intents[device]?.packs ?? []
            store.intents[device] = BackupIntent(device: device, written: now, packs: reserved)
            writer.step = 5
        case 5:
            let there = store.packs.filter { store.marks[$0.key] == nil }.values.reduce(into: Set()) {
                $0.formUnion($1)
            }
            guard writer.contents.isSubset(of: there) else {
                statistics.aborted += 1
                work[index] = .idle
                return
            }
            writer.step = 6
        case 6:
            numbers[index] += 1
            store.snapshots[.init(device: device, number: numbers[index])] = writer.contents
            store.lost.subtract(writer.contents)
            statistics.snapshots += 1
            writer.step = 7
        default:
            store.intents[device] = nil
            work[index] = .idle
        }
    }

    /// As ``BackupRepository/collect(now:)`` does it.
    private mutating func collect(_ collector: Collector, _ index: Int) {
        var collector = collector
        defer { if case .collecting = work[index] { work[index] = .collecting(collector) } }
        switch collector.step {
        case 0:
            collector.began = now
            collector.marks = store.marks
        case 1: collector.intents = Array(store.intents.values)
        case 2: collector.needed = store.snapshots.values.reduce(into: []) { $0.formUnion($1) }
        case 3:
            collector.packs = store.packs
            let collection = BackupCollection(
                marks: collector.marks, intents: collector.intents, packs: collector.packs, now: collector.began)
            collector.steps = collection.steps(needing: collector.needed, isComplete: true, now: collector.began)
        default:
            guard let step = collector.steps.popLast() else {
                work[index] = .idle
                return
            }
            switch step {
            case .mark(let pack): if store.marks[pack] == nil { store.marks[pack] = collector.began }
            case .remove(let pack):
                store.packs[pack] = nil
                store.marks[pack] = nil
                statistics.removed += 1
            }
        }
        collector.step += 1
    }

    /// A pack is found damaged: its mark keeps later backups from it. Snapshots of before lose what it alone had.
    private mutating func damage() {
        guard let pack = store.packs.keys.sorted().randomElement(using: &random), store.marks[pack] == nil else {
            return
        }
        store.lost.formUnion(store.packs[pack] ?? [])
        store.packs[pack] = []
        store.marks[pack] = now
        // Writers of this moment looked before the fault. It is as if they were started again.
        for index in work.indices { if case .writing = work[index] { work[index] = .idle } }
        statistics.damaged += 1
    }

    /// **K**, and with it **B**: a snapshot names hashes, so chunks that are there are the bytes that were read.
    private func check() throws {
        let there = store.packs.values.reduce(into: Set<ContentHash>()) { $0.formUnion($1) }
        for (id, chunks) in store.snapshots {
            let missing = chunks.subtracting(there).subtracting(store.lost)
            try #require(missing.isEmpty, "seed \(seed): \(id) lost \(missing.count) chunks")
        }
    }

    /// **G**: everybody crashes, intents lapse, and two collections a day apart leave what is needed.
    private mutating func settle() throws {
        work = [.idle, .idle, .idle]
        now += BackupIntent.lifetime + 1
        for _ in 0..<2 {
            work[0] = .collecting(Collector())
            while !isIdle(0) { step(0) }
            now += BackupCollection.patience + 1
        }
        try check()
        let needed = store.snapshots.values.reduce(into: Set<ContentHash>()) { $0.formUnion($1) }
        for (pack, chunks) in store.packs {
            try #require(
                !chunks.isDisjoint(with: needed), "seed \(seed): the pack \(pack) stayed, though nothing needs it")
        }
    }
}
