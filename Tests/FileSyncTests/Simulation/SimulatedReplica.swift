import BatonConcurrency
import BatonCore
import BatonTestSupport

@testable import FileSync

/// A device: its disk, its planner, and a service that performs what the planner asks for, one thing at a time.
struct SimulatedReplica {
    let index: Int
    var disk = SimulatedDisk()
    var planner: FileSyncPlanner
    /// The disk has the planner's state: all that it returned before its last actions were begun.
    var pending: [FileSyncAction] = []
    var version = 0
    var isRunning = true
    /// The wall clock's error.
    var drift: UInt64 = 0
    var dirty: Set<UInt64> = []
    /// Renames that were seen.
    var moves: [LocalPlace: [LocalPlace]] = [:]
    /// Intents whose paths were looked at.
    var checked: Set<Intent> = []
    /// Small contents that the disk has with each entry.
    var rows: [EntryID: SmallContents] = [:]
    /// And those with what edits replaced.
    var replaced: [EntryID: SmallContents] = [:]
    /// A small content that was to be written, and that nothing has.
    var lost: String?

    init(index: Int, seed: UInt64, policy: ConflictPolicy, traits: FileSystemTraits, keepsHistory: Bool) {
        self.index = index
        disk.traits = traits
        let state = FileSyncState(
            actor: ActorID(rawValue: UInt64(index + 1)), policy: policy, traits: traits,
            rootHandle: SimulatedDisk.handle(SimulatedDisk.root),
            stagingHandle: SimulatedDisk.handle(SimulatedDisk.staging),
            device: "D\(index)", keepsHistory: keepsHistory)
        planner = FileSyncPlanner(state: state, identifiers: IdentifierSource(seed: (seed, UInt64(index))))
    }

    mutating func tell(_ input: FileSyncInput, at time: UInt64) {
        guard isRunning else { return }
        pending += planner.handle(input, now: moment(time))
        keep()
    }

    mutating func advance(to time: UInt64) {
        guard isRunning else { return }
        if let deadline = planner.nextDeadline(now: moment(time)), deadline <= moment(time).monotonic {
            pending += planner.advance(now: moment(time))
            keep()
        }
    }

    // MARK: The database

    /// Writes what changed, with its small contents, which the planner has in memory no more.
    private mutating func keep() {
        let (changes, state) = (planner.takeChanges(), planner.state)
        var fresh: [EntryID: SmallContents?] = [:]
        for id in changes.entries {
            fresh[id] = .some(state.entries[id].map { contents(of: $0.heads, $0.history) })
        }
        let kept = state.replaced.mapValues { contents(of: $0) }
        for (id, contents) in fresh { rows[id] = contents }
        replaced = kept
        planner.noteKept(changes.entries)
    }

    private mutating func contents(of versions: [Dot: FileVersion]...) -> SmallContents {
        var result: SmallContents = [:]
        for version in versions.flatMap(\.values) {
            if case .chunks = version.body { continue }
            result[version.hash] = bytes(of: version)
            if result[version.hash] == nil { lost = "\(version)" }
        }
        return result
    }

    /// Nil for what is nowhere; wrong bytes are nothing either.
    func bytes(of version: FileVersion) -> ByteString? {
        let found: ByteString?
        switch version.body {
        case .chunks: return nil
        case .inline(let bytes): found = bytes
        case .kept(let entry): found = rows[entry]?[version.hash] ?? replaced[entry]?[version.hash]
        }
        return found == Self.bytes(of: Self.number(of: version.hash)) ? found : nil
    }

    /// As it is announced to others. Contents that left an entry since then may be here no more.
    func whole(_ entry: Entry) -> Entry {
        entry.with(
            entry.absentContents.reduce(into: [:]) { all, item in
                for hash in item.value {
                    let isOld = planner.state.entries[entry.id] != entry
                    let bytes = rows[item.key]?[hash] ?? replaced[item.key]?[hash]
                    all[item.key, default: [:]][hash] = bytes ?? (isOld ? Self.bytes(of: Self.number(of: hash)) : nil)
                }
            })
    }

    private func moment(_ time: UInt64) -> Timestamp {
        Timestamp(.milliseconds(Int64(time)), wall: 1_700_000_000_000 + time + drift)
    }

    /// The process is gone, and with it all that it had not written.
    mutating func crash() {
        isRunning = false
        pending = []
    }

    mutating func restore(_ backup: SimulatedReplica) {
        planner = FileSyncPlanner(state: backup.planner.state, identifiers: IdentifierSource(seed: (1, 1)))
        (rows, replaced) = (backup.rows, backup.replaced)
    }

    mutating func start(seed: UInt64, at time: UInt64) {
        planner = FileSyncPlanner(state: planner.state, identifiers: IdentifierSource(seed: (seed, UInt64(index))))
        isRunning = true
        // Staging keeps what an intent or a comparison names.
        let kept = Set(planner.state.intents.values.compactMap(\.stagedHandle) + planner.state.displaced.keys)
        let stashed = Set(planner.state.base.children(of: .stash).compactMap { planner.state.base[$0]?.handle })
        for node in disk.children(SimulatedDisk.staging) {
            let handle = SimulatedDisk.handle(node.handle)
            let isOld = planner.state.intents.values.contains { $0.displaced[handle] != nil }
            if !kept.contains(handle), !stashed.contains(handle), !isOld { disk.unlink(node.handle) }
        }
        tell(.started, at: time)
    }

    // MARK: Looking

    func scan() -> LocalScan {
        var byParent: [UInt64: [SimulatedDisk.Node]] = [:]
        for node in disk.nodes.values where !node.isHidden { byParent[node.parent, default: []].append(node) }
        var listings: [(directory: LocalHandle, nodes: [LocalNode])] = []
        var open = [SimulatedDisk.root]
        var index = 0
        while index < open.count {
            let nodes = (byParent[open[index]] ?? []).sorted { $0.handle < $1.handle }
            listings.append((SimulatedDisk.handle(open[index]), nodes.map(local)))
            open += nodes.filter { $0.kind == .directory }.map(\.handle)
            index += 1
        }
        return LocalScan(listings: listings, isComplete: true, moves: moves)
    }

    /// Scans directories that changed, and those in them.
    func scan(_ directories: Set<UInt64>) -> LocalScan {
        var scan = scan()
        scan.isComplete = false
        scan.listings = scan.listings.filter { listing in
            let number = SimulatedDisk.number(listing.directory)
            return directories.contains { disk.isBelow(number, $0) }
        }
        return scan
    }

    private func local(_ node: SimulatedDisk.Node) -> LocalNode {
        LocalNode(
            handle: SimulatedDisk.handle(of: node), kind: node.kind, name: node.name,
            fingerprint: disk.fingerprint(node), metadata: disk.metadata(node))
    }

    static func content(_ node: SimulatedDisk.Node) -> LocalContent { content(node.content, node.kind) }

    /// Some files are in chunks; a link's target never is.
    static func content(_ number: UInt64, _ kind: EntryKind = .file) -> LocalContent {
        let hash = ContentHash(number &* 0x9E37_79B9_7F4A_7C15, number, 0, 0)
        guard number % 3 == 0, kind != .symbolicLink,
            let list = try? ChunkList(
                sizes: .small, isIndirect: false, references: [ChunkReference(hash: hash, length: 8)], size: 8)
        else { return LocalContent(size: 8, hash: hash, body: .inline(bytes(of: number))) }
        return LocalContent(size: 8, hash: hash, body: .chunks(list))
    }

    private static func bytes(of number: UInt64) -> ByteString {
        ByteString((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    static func number(of hash: ContentHash) -> UInt64 { hash.bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) } }
}
