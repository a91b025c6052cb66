package import BatonConcurrency
import BatonCore

/// Decides what is done so that a disk, and what all devices know of a tree, become the same.
///
/// Three trees: what all devices know (the entries), what this disk was made to hold (the base), and what it holds now, of which
/// only the differences from the base count. Differences become changes of entries; entries that differ from the base become steps,
/// one for each entry at a time. A change acts on what the disk held, so nothing is undone that its author had not seen.
package struct FileSyncPlanner: StateMachine {
    package typealias Input = FileSyncInput
    package typealias Action = FileSyncAction

    /// The reason why an entry waits.
    enum Blocker: Hashable {
        /// A directory that is not on the disk yet.
        case directory(EntryID)
        /// Something else that has the name still.
        case place(EntryID, NameKey)
        /// Something that is in the directory still.
        case content(of: EntryID)
        /// A content that is on this disk only.
        case unstored(ContentHash)
        /// An entry that is to be handed what is on the disk, and with which something is going on.
        case heir(EntryID)
        /// A directory that it is to be moved into is in it still.
        case nesting
    }

    struct StagedFile {
        var request: StagingRequest
        var handle: LocalHandle
        var fingerprint: Fingerprint
        /// As they were when it was asked for.
        var metadata: [MetadataKey: ByteString]
    }

    struct AskedFile {
        var request: StagingRequest
        var metadata: [MetadataKey: ByteString]
    }

    static let pushedAtOnce = 200
    /// A file that is missing is looked for everywhere after that.
    static let missingDelay = Duration.seconds(2)
    static let retryDelay = Duration.seconds(5)
    /// So often a place that is not as expected is looked at before it counts as taken by something that no look shows.
    static let obstructionsInARow = 3

    package internal(set) var state: FileSyncState
    var identifiers: IdentifierSource
    var now = Timestamp(.zero)
    var actions: [Action] = []
    /// Changes of a scan that is being taken in.
    var batch: EntryChanges?

    // State that a crash may lose.
    var isStarted = false
    var isRootThere = true
    /// The disk was looked at as a whole since the start.
    var isScanned = false
    var isScanning = false
    var ready: Set<EntryID> = []
    var blocked: [Blocker: Set<EntryID>] = [:]
    var blockers: [EntryID: Blocker] = [:]
    /// Steps from before the start that are not known to be done or not.
    var resumed: Set<EntryID> = []
    /// Places that steps under way will fill.
    var reserved: [Blocker: EntryID] = [:]
    var staged: [EntryID: StagedFile] = [:]
    var staging: [EntryID: AskedFile] = [:]
    var reads: PendingReads
    /// Entries that a step changes.
    var involved: Set<EntryID> = []
    var uploading: Set<ContentHash> = []
    /// Contents that are on this disk only, and are not being brought to the cloud.
    var toUpload: Set<ContentHash>
    /// Whether something may wait that can be sent. A look at all that waits is not made for each input.
    var maySend = true
    /// Where a content is that the cloud does not have.
    var sources: [ContentHash: LocalHandle] = [:]
    /// Contents that a near device keeps while they wait for the cloud here: entries that name them go there after them.
    package var waitingForCloud: Set<ContentHash> = [] {
        didSet { maySend = true }
    }
    var isPushing = false
    /// Wait for a look at places that were not as expected.
    var awaitingScan: Set<EntryID> = []
    /// How often in a row the disk was not as an entry's steps expected it.
    var obstructions: [EntryID: Int] = [:]
    /// Deletions that a person has confirmed, until the next look at everything.
    var confirmed: Set<EntryID> = []
    var retries: [EntryID: Duration] = [:]
    /// Buried entries whose files are still to leave the tree here, or to be compared.
    var graves: [EntryID: Stamp] = [:]
    var pushAt: Duration?
    var scanAt: Duration?

    package init(state: FileSyncState, identifiers: IdentifierSource) {
        self.state = state
        self.identifiers = identifiers
        reads = PendingReads(traits: state.base.traits)
        toUpload = state.unstored
        for intent in state.intents.values { reserve(intent) }
    }

    package mutating func handle(_ input: Input, now: Timestamp) -> [Action] {
        self.now = now
        actions = []
        switch input {
        case .started: start()
        case .rootLost: isRootThere = false
        case .rootFound: rootFound()
        case .scanned(let scan): absorb(scan)
        case .contentRead(let handle, let fingerprint, let content): contentRead(handle, fingerprint, content)
        case .readFailed(let handle): readFailed(handle)
        case .received(let entries): receive(entries, isFromZone: true)
        case .receivedDirectly(let entries): receive(entries, isFromZone: false)
        case .readToEnd: note(state.entries.complete())
        case .toldByDevice: note(state.entries.complete(waitsForLost: true))
        case .buried(let graves, let kept): bury(graves, kept: kept)
        case .missing(let ids):
            maySend = true
            for id in ids where state.entries.contains(id) { state.unsent.insert(id) }
        case .pushed(let entries): pushed(entries)
        case .pushFailed:
            (isPushing, maySend) = (false, true)
            pushAt = now.monotonic + Self.retryDelay
        case .uploaded(let hash): uploaded(hash)
        case .uploadFailed(let hash): uploadFailed(hash)
        case .staged(let id, let request, let handle, let fingerprint):
            let metadata = staging.removeValue(forKey: id)?.metadata ?? [:]
            discardStaged(id)
            staged[id] = StagedFile(request: request, handle: handle, fingerprint: fingerprint, metadata: metadata)
            ready.insert(id)
        case .stagingFailed(let id):
            staging[id] = nil
            retries[id] = now.monotonic + Self.retryDelay
        case .performed(let id, let outcome): performed(id, outcome)
        case .retry(let ids):
            for id in ids where retries.removeValue(forKey: id) != nil { free(id) }
        case .compared(let handle, let content): compared(handle, content)
        case .command(let command): perform(command)
        }
        buryWaiting()
        return finish()
    }

    package mutating func nextDeadline(now: Timestamp) -> Duration? {
        var times = Array(retries.values)
        if let pushAt { times.append(pushAt) }
        if let scanAt { times.append(scanAt) }
        return times.min()
    }

    package mutating func advance(now: Timestamp) -> [Action] {
        self.now = now
        actions = []
        for (id, time) in retries where time <= now.monotonic {
            retries[id] = nil
            free(id)
        }
        if let pushAt, pushAt <= now.monotonic { (self.pushAt, maySend) = (nil, true) }
        if let scanAt, scanAt <= now.monotonic {
            self.scanAt = nil
            scanEverything()
        }
        return finish()
    }

    /// Whether the disk has an entry where and as it is to be, but for its metadata.
    package func isPlaced(_ id: EntryID) -> Bool {
        guard let record = state.base[id], let entry = state.entries[id],
            case .shown(let parent, let name) = state.entries.placement(of: id),
            record.parent == parent, record.sharedName == name, record.isPlaceholder == state.evicted.contains(id)
        else { return false }
        return record.isPlaceholder || record.hash == entry.winner?.version.hash
    }

    /// Whether nothing is left to do but for what failed or a person must decide.
    package var isAtRest: Bool {
        isScanned && !isScanning && ready.isEmpty && reads.isEmpty && state.intents.isEmpty && staging.isEmpty
            && state.displaced.isEmpty && state.unsent.isEmpty && awaitingScan.isEmpty && retries.isEmpty
            && pushAt == nil && scanAt == nil && uploading.isEmpty
    }

    // MARK: Start and root

    private mutating func start() {
        isStarted = true
        resumed = Set(state.intents.keys)
        for (handle, file) in state.displaced.sorted(by: { $0.key < $1.key }) {
            if let hash = file.hash, state.unstored.contains(hash) { sources[hash] = handle }
            actions.append(.compare(handle))
        }
        if !state.unstored.isEmpty {
            for (_, record) in state.base.summaries {
                if let hash = record.hash, state.unstored.contains(hash) { sources[hash] = record.handle }
            }
        }
        // Steps that a crash interrupted come before all else: a look at the disk would take them for a person's changes.
        for (id, intent) in state.intents.sorted(by: { $0.key < $1.key }) { actions.append(.perform(id, intent.step)) }
        if state.intents.isEmpty { scanEverything() }
    }

    private mutating func rootFound() {
        isRootThere = true
        isScanned = false
        scanEverything()
    }

    mutating func scanEverything() {
        guard !isScanning, isRootThere else { return }
        isScanning = true
        actions.append(.scanEverything)
    }

    // MARK: Ends of an input

    private mutating func finish() -> [Action] {
        if isStarted {
            plan()
            upload()
            send()
        }
        giveBackRoom()
        defer { actions = [] }
        return actions
    }

    /// Gives back the memory that the tables of entries and of the base have to spare. Takes as long as a copy of them.
    package mutating func compact() {
        state.entries.packed.compact()
        state.base.compact()
    }

    private mutating func giveBackRoom() {
        blocked.giveBackRoom()
        blockers.giveBackRoom()
        reserved.giveBackRoom()
        staged.giveBackRoom()
        staging.giveBackRoom()
        involved.giveBackRoom()
        obstructions.giveBackRoom()
        retries.giveBackRoom()
        state.intents.giveBackRoom()
        state.displaced.giveBackRoom()
    }

    private mutating func send() {
        guard maySend, !isPushing, pushAt == nil, !state.unsent.isEmpty else { return }
        var ids: [EntryID] = []
        for id in state.unsent where isWhole(id) && !waitsForCloud(id) {
            ids.append(id)
            if ids.count == Self.pushedAtOnce { break }
        }
        let entries = ids.compactMap { state.entries[$0] }
        guard !entries.isEmpty else {
            maySend = false
            return
        }
        isPushing = true
        actions.append(.push(entries))
    }

    // MARK: Tools

    /// A stamp after what it replaces, whatever this device's clock says.
    mutating func stamp(after entry: Entry? = nil) -> Stamp {
        var clock = HybridLogicalClock(last: state.lastTime)
        let time = clock.now(wall: min(now.wall, EntryLimits.milliseconds - 1))
        state.lastTime = time
        guard let newest = entry?.newestStamp.time, newest >= time else { return Stamp(time: time, actor: state.actor) }
        // Not kept as the clock's last time: a device whose clock is years ahead would pull this one along.
        return Stamp(time: HybridTimestamp(rawValue: newest.rawValue &+ 1), actor: state.actor)
    }

    /// Keeps an entry that this device has changed.
    mutating func update(_ entry: Entry) {
        guard var changes = batch else { return note(state.entries.update(entry)) }
        batch = nil
        state.entries.update(entry, in: &changes)
        batch = changes
    }

    mutating func note(_ changes: EntryChanges) {
        for id in changes.unsent {
            state.unsent.insert(id)
            if !maySend, isWhole(id) { maySend = true }
        }
        ready.formUnion(changes.affected)
    }

    mutating func setBase(_ id: EntryID, _ record: BaseRecord?) {
        let old = state.base[id]
        state.base[id] = record
        ready.insert(id)
        if let old, old.parent != record?.parent || old.localName != record?.localName {
            wake(.place(old.parent, state.base.traits.key(of: old.localName)))
            wake(.content(of: old.parent))
            if old.kind == .directory { wake(.nesting) }
        }
        if record != nil { wake(.directory(id)) }
    }

    mutating func wake(_ blocker: Blocker) {
        for id in blocked.removeValue(forKey: blocker) ?? [] {
            blockers[id] = nil
            ready.insert(id)
        }
    }

    /// Nothing is going on with an entry any more.
    mutating func free(_ id: EntryID) {
        ready.insert(id)
        wake(.heir(id))
    }

    mutating func block(_ id: EntryID, by blocker: Blocker) {
        unblock(id)
        blocked[blocker, default: []].insert(id)
        blockers[id] = blocker
    }

    mutating func unblock(_ id: EntryID) {
        guard let blocker = blockers.removeValue(forKey: id) else { return }
        blocked[blocker]?.remove(id)
        if blocked[blocker]?.isEmpty == true { blocked[blocker] = nil }
    }

    mutating func discardStaged(_ id: EntryID) {
        if let old = staged.removeValue(forKey: id) { actions.append(.discard(old.handle)) }
    }

    func handle(of directory: EntryID) -> LocalHandle? {
        if directory == .root { return state.rootHandle }
        if directory == .stash { return state.stagingHandle }
        return state.base.handle(ofDirectory: directory)
    }
}

extension EntryID {
    /// The parent, in the base, of what is out of the tree for a moment.
    package static let stash = EntryID(high: 0, low: 2)
}
