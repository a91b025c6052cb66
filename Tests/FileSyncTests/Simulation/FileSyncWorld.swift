import BatonConcurrency
import BatonCore
import BatonTestSupport

@testable import FileSync

/// Devices with their disks and planners, and a cloud, under a seeded schedule.
///
/// People create, edit, save by rename, move, swap, replace and delete; what arrives is late, doubled and reordered; devices
/// crash between any two actions, and between a step and its record; clocks are months apart.
final class FileSyncWorld {
    struct Violation: Error, CustomStringConvertible {
        var description: String
    }

    struct Statistics {
        var operations = 0, steps = 0, crashes = 0, changed = 0, conflicts = 0, directMeetings = 0, lateWrites = 0
        var exchanges = 0, merged = 0, stashes = 0, links = 0, held = 0, resolved = 0, obstacles = 0
        var burials = 0, keptContents = 0, contentions = 0

        mutating func add(_ other: Statistics) {
            operations += other.operations
            steps += other.steps
            crashes += other.crashes
            changed += other.changed
            conflicts += other.conflicts
            directMeetings += other.directMeetings
            lateWrites += other.lateWrites
            exchanges += other.exchanges
            merged += other.merged
            stashes += other.stashes
            links += other.links
            held += other.held
            resolved += other.resolved
            obstacles += other.obstacles
            burials += other.burials
            keptContents += other.keptContents
            contentions += other.contentions
        }
    }

    let seed: UInt64
    var random: SeededGenerator
    var statistics = Statistics()
    var replicas: [SimulatedReplica] = []
    let policy: ConflictPolicy
    var time: UInt64 = 0
    var history: [String]?
    /// Nothing happens by chance but the order.
    var isCalm = false
    /// A violation found in the middle of an action.
    var violation: Violation?
    /// The contents that the entries still hold of devices whose files are all gone at once.
    var unconfirmed: [Int: Set<UInt64>] = [:]
    /// A file that was saved over another one by renaming, before a scan, takes with it what the other one stood for.
    var successors: [Int: [UInt64: Set<UInt64>]] = [:]
    // The cloud.
    var items: [EntryID: (version: Int, entry: Entry)] = [:]
    var version = 0
    var blobs: Set<ContentHash> = []
    // Saved contents, and those that a device with them has given up.
    var contents: UInt64 = 1000
    var saved: Set<UInt64> = []
    var released: Set<UInt64> = []
    /// Versions that a deletion took along, which a device had or could have had as conflicts.
    var deletedAlong: Set<UInt64> = []

    // Devices that are near.
    let network: Network
    /// All is delivered.
    var isQuiescing = false
    /// Contents that devices keep for each other.
    var kept: [Int: Set<ContentHash>] = [:]
    /// The burials in the zone, and each device's knowledge of them.
    var zoneGraves: [EntryID: UInt64] = [:]
    var graves: [Int: [EntryID: UInt64]] = [:]
    /// Since when a device knows of what may be buried, and when it saw that another device has the same.
    var noted: [Int: [EntryID: UInt64]] = [:]
    var met: [Int: [Int: UInt64]] = [:]

    static let names = ["a", "b", "c", "A"].map { EntryName(unchecked: Array($0.utf8)) }

    /// Pipes and the like come and go on the disks.
    let hasObstacles: Bool
    /// Documents are saved on two devices at once, and deleted on one of them.
    let hasContention: Bool

    init(
        seed: UInt64, hasObstacles: Bool = false, hasContention: Bool = false, network: Network = .cloud,
        isRecording: Bool = false
    ) {
        self.seed = seed
        self.network = network
        self.hasObstacles = hasObstacles
        self.hasContention = hasContention
        random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 1)
        history = isRecording ? [] : nil
        policy = Bool.random(using: &random) && !hasContention ? .files : .versions
        for index in 0..<Int.random(in: 2...5, using: &random) {
            let foldsCase = Int.random(in: 0..<4, using: &random) == 0
            var replica = SimulatedReplica(
                index: index, seed: seed, policy: policy, traits: FileSystemTraits(foldsCase: foldsCase),
                keepsHistory: false)
            replica.drift = UInt64.random(in: 0..<8_000_000_000, using: &random)
            replicas.append(replica)
            tell(index, .started)
        }
    }

    /// Devices for a case, without chance in what people do.
    init(devices: Int, policy: ConflictPolicy, traits: [FileSystemTraits] = []) {
        seed = 0
        network = .cloud
        hasObstacles = false
        hasContention = false
        isCalm = true
        random = SeededGenerator(seed: 1)
        self.policy = policy
        for index in 0..<devices {
            replicas.append(
                SimulatedReplica(
                    index: index, seed: 0, policy: policy,
                    traits: index < traits.count ? traits[index] : FileSystemTraits(), keepsHistory: false))
            tell(index, .started)
        }
    }

    func log(_ text: @autoclosure () -> String) {
        if history != nil { history?.append(text()) }
    }

    func run() throws {
        // Now and then all come to the same in between, so that there is something in common to be changed apart.
        if seed % 100 == 7 { try fill() }
        for _ in 0..<(hasContention ? 6 : Int.random(in: 1...2, using: &random)) {
            if hasContention { contend(Int.random(in: 0..<replicas.count, using: &random)) }
            for _ in 0..<Int.random(in: 10...40, using: &random) {
                event()
                time += 10
                if let violation { throw violation }
            }
            if hasObstacles { try restBesideObstacles() }
            try quiesce()
            if buryAll() { try quiesce() }
        }
    }

    func chance(_ interval: Int) -> Bool { Int.random(in: 0..<interval, using: &random) == 0 }

    func tell(_ index: Int, _ input: FileSyncInput) {
        if history != nil {
            log("\(index) <- \(brief(input))")
            let count = replicas[index].pending.count
            replicas[index].tell(input, at: time)
            for action in replicas[index].pending.dropFirst(count) { log("      -> \(brief(action))") }
        } else {
            replicas[index].tell(input, at: time)
        }
        checkPlannedPaths(index)
        checkContents(index)
    }

    private func event() {
        let index = Int.random(in: 0..<replicas.count, using: &random)
        if hasObstacles, chance(4) { obstruct(index) }
        switch Int.random(in: 0..<22, using: &random) {
        case 19: bury(index)
        case 20: meetSomebody(index)
        case 0..<7: change(index)
        case 7..<13: for _ in 0..<Int.random(in: 1...4, using: &random) { act(index) }
        case 13: scan(index)
        case 14: meet(index)
        case 15..<17: if network == .cloud { deliver(index) } else { meetSomebody(index) }
        case 17: crash(index)
        case 18: if seed % 100 == 7, chance(4) { deleteAll(index) } else { lateWrite(index) }
        default:
            time += 3000
            replicas[index].advance(to: time)
        }
        if !replicas[index].isRunning, chance(2) { start(index) }
    }

    // MARK: The devices' services

    func start(_ index: Int) {
        guard !replicas[index].isRunning else { return }
        log("\(index) starts")
        replicas[index].start(seed: random.next(), at: time)
        let known = (graves[index] ?? [:]).mapValues { FileSyncPlanner.grave(at: $0) }
        if !known.isEmpty { tell(index, .buried(known)) }
        replicas[index].dirty = []
        replicas[index].version = 0
    }

    private func crash(_ index: Int) {
        guard replicas[index].isRunning else { return }
        statistics.crashes += 1
        // Perhaps a step was done, and was not reported.
        if case .perform(_, let step)? = replicas[index].pending.first(where: {
            if case .perform = $0 { true } else { false }
        }),
            chance(2)
        {
            log("\(index) performs \(step), untold")
            _ = performOnDisk(step, index)
        }
        log("\(index) crashes")
        replicas[index].crash()
    }

    func scan(_ index: Int) {
        guard replicas[index].isRunning, !replicas[index].dirty.isEmpty else { return }
        let scan = replicas[index].scan(replicas[index].dirty)
        replicas[index].dirty = []
        tell(index, .scanned(scan))
    }

    /// One of the next actions.
    func act(_ index: Int) {
        guard replicas[index].isRunning, !replicas[index].pending.isEmpty else { return }
        let position = chance(3) ? Int.random(in: 0..<replicas[index].pending.count, using: &random) : 0
        let action = replicas[index].pending.remove(at: position)
        perform(action, index)
    }

    private func perform(_ action: FileSyncAction, _ index: Int) {
        switch action {
        case .scanEverything:
            replicas[index].dirty = []
            tell(index, .scanned(replicas[index].scan()))
        case .scan(let handles): tell(index, .scanned(replicas[index].scan(Set(handles.map(SimulatedDisk.number)))))
        case .read(let handle, _, let fingerprint):
            guard let node = replicas[index].disk[SimulatedDisk.number(handle)],
                replicas[index].disk.fingerprint(node) == fingerprint
            else { return tell(index, .readFailed(handle)) }
            tell(index, .contentRead(handle, fingerprint, SimulatedReplica.content(node)))
        case .upload(let version, let handle):
            guard let node = replicas[index].disk[SimulatedDisk.number(handle)],
                SimulatedReplica.content(node).hash == version.hash
            else { return tell(index, .uploadFailed(version.hash)) }
            if network == .cloud {
                blobs.insert(version.hash)
            } else if !keepElsewhere(version.hash, from: index) {
                // No device is near.
                return replicas[index].pending.append(action)
            }
            tell(index, .uploaded(version.hash))
        case .push(let entries): if network == .cloud { push(entries, index) }
        case .stage(let id, let kind, let request, let metadata): stage(id, kind, request, metadata, index)
        case .discard(let handle):
            let number = SimulatedDisk.number(handle)
            if replicas[index].disk[number]?.parent == SimulatedDisk.staging { replicas[index].disk.unlink(number) }
        case .perform(let id, let step):
            statistics.steps += 1
            if case .exchange = step { statistics.exchanges += 1 }
            if case .move(_, let place) = step, SimulatedDisk.number(place.directory) == SimulatedDisk.staging {
                statistics.stashes += 1
            }
            let outcome = performOnDisk(step, index)
            if outcome == .changed { statistics.changed += 1 }
            log("\(index) performs \(step): \(outcome)")
            tell(index, .performed(id, chance(40) && outcome == .changed ? .failed : outcome))
        case .compare(let handle): compare(handle, index)
        case .deletionsHeld: statistics.held += 1
        }
    }

    private func compare(_ handle: LocalHandle, _ index: Int) {
        let number = SimulatedDisk.number(handle)
        if !isCalm, chance(6) { lateWrite(index) }
        guard let file = replicas[index].planner.state.displaced[handle] else { return }
        guard let node = replicas[index].disk[number], node.parent == SimulatedDisk.staging else {
            return tell(index, .compared(handle, nil))
        }
        let content = SimulatedReplica.content(node)
        tell(index, .compared(handle, content.hash == file.hash ? nil : content))
        // A content that the cloud does not have yet stays until it does.
        if replicas[index].planner.state.displaced[handle] == nil { replicas[index].disk.unlink(number) }
    }

    private func stage(
        _ id: EntryID, _ kind: EntryKind, _ request: StagingRequest, _ metadata: [MetadataKey: ByteString], _ index: Int
    ) {
        var content: UInt64 = 0
        var isPlaceholder = false
        switch request {
        case .directory: break
        case .placeholder: isPlaceholder = true
        case .content(_, let version):
            // Chunks come from the cloud, from a device that is near, or from this one.
            if case .chunks = version.body, !blobs.contains(version.hash), !hasNeighbour(index, with: version.hash),
                kept[index]?.contains(version.hash) != true,
                !replicas[index].disk.nodes.values.contains(where: {
                    SimulatedReplica.content($0).hash == version.hash
                })
            {
                return tell(index, .stagingFailed(id))
            }
            if case .chunks = version.body {
            } else if bytes(of: version, for: id, index) == nil {
                let entry = replicas[index].planner.state.entries[id]
                if entry?.heads.values.contains(where: { $0.hash == version.hash }) == true {
                    violation = Violation(description: "B: device \(index) has not the content of \(version)")
                }
                tell(index, .stagingFailed(id))
                return tell(index, .retry([id]))
            }
            content = SimulatedReplica.number(of: version.hash)
        }
        let name = EntryName(unchecked: Array("new-\(random.next())".utf8))
        let number = replicas[index].disk.create(kind, in: SimulatedDisk.staging, name, content: content)
        replicas[index].disk.set(number, metadata)
        if isPlaceholder { replicas[index].disk.setPlaceholder(number) }
        guard let node = replicas[index].disk[number] else { return }
        tell(index, .staged(id, request, SimulatedDisk.handle(number), replicas[index].disk.fingerprint(node)))
    }

    // MARK: The cloud

    /// All entries are taken, or none: the writer gets what the cloud has that they do not hold, and tries again.
    private func push(_ changed: [Entry], _ index: Int) {
        let entries = changed.map(replicas[index].whole)
        checkWhole(entries, index)
        for entry in entries where entry.kind != .symbolicLink && (try? entry.validated()) != entry {
            violation = Violation(description: "V: device \(index) sends what others refuse: \(entry)")
        }
        let conflicts = entries.compactMap { entry in
            items[entry.id].flatMap { $0.entry.joined(entry) == entry ? nil : $0.entry }
        }
        let isUnread = entries.contains { zoneGraves[$0.id] ?? 0 > graves[index]?[$0.id] ?? 0 }
        if !conflicts.isEmpty || isUnread {
            deliver(index, all: true)
            return tell(index, .pushFailed)
        }
        for entry in entries {
            version += 1
            items[entry.id] = (version, entry)
        }
        // The answer may be lost.
        tell(index, chance(20) ? .pushFailed : .pushed(entries))
    }

    func deliver(_ index: Int, all: Bool = false) {
        guard replicas[index].isRunning else { return }
        tellGraves(index, zoneGraves)
        var news = items.values.filter { $0.version > replicas[index].version }.sorted { $0.version < $1.version }
        if !all, news.count > 1 { news = Array(news.prefix(Int.random(in: 1...news.count, using: &random))) }
        guard let last = news.last else {
            // The last entry may have been buried.
            replicas[index].version = version
            return tell(index, .readToEnd)
        }
        replicas[index].version = last.version
        var entries = news.map(\.entry).filter { !isOld($0, index) }
        if chance(3) { entries.shuffle(using: &random) }
        tell(index, .received(entries))
        if all { tell(index, .readToEnd) }
    }

    /// Two devices that are near give each other some of what they have.
    private func meet(_ index: Int) {
        let other = Int.random(in: 0..<replicas.count, using: &random)
        guard areNear(index, other), replicas[index].isRunning, replicas[other].isRunning else { return }
        statistics.directMeetings += 1
        let planner = replicas[index].planner
        var given = planner.state.entries.entries.values.sorted { $0.id < $1.id }.filter { _ in
            Bool.random(using: &random)
        }
        given = given.filter { planner.isWhole($0) && !isOld($0, other) }
        given = given.map(replicas[index].whole)
        checkWhole(given, index)
        if !given.isEmpty { tell(other, .receivedDirectly(given)) }
    }
}
