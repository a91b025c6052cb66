import BatonConcurrency
import BatonCore
import BatonTransport
import Dispatch
import FileSync
import Foundation
import Sync
import Synchronization

/// One container: its folder, what is known of it, and the planner that brings both together.
///
/// It goes in rounds: all inputs that wait are handled, what they changed is written to the database in one transaction, and then the
/// actions are performed, in their order, whose results are the inputs of the next round. So nothing is begun before it is durable.
///
/// It runs on a queue of its own, on which looking at the disk may block. Long work goes on beside it, and comes back by
/// ``perform(_:)`` and ``later(_:)``.
package actor ContainerEngine {
    /// How many looks at the whole disk may follow each other before there is a pause.
    static let scansInARow = 20
    static let scanPause = Duration.seconds(1)
    /// Looks do not follow each other when so much time is between them.
    static let scanRest = Duration.seconds(10)
    /// How long a round goes on before others have their turn on the queue.
    private static let turn = Duration.milliseconds(200)
    /// How long the actions of a round go on where another task waits for the queue.
    private static let shortTurn = Duration.milliseconds(30)
    static let retryDelay = Duration.seconds(5)
    /// How long changes of the disk are gathered.
    static let gathering = Duration.milliseconds(20)
    /// Looks at directories that change without end take a fifth of the time, but come so often at least.
    static let longestGathering = Duration.seconds(1)
    static let largeWork = 5000
    private static let newsDelay = Duration.milliseconds(50)
    /// How often the disk is looked at where watches are exhausted: that takes a fiftieth of the time at most, but for large ones.
    static func slowScan(_ lookTook: Duration) -> Duration {
        min(max(lookTook * 50, .seconds(5)), .seconds(60))
    }

    package nonisolated let name: ContainerName
    package nonisolated let path: String
    nonisolated let row: DocumentsStore.Container
    nonisolated let ports: ContainerDependencies
    private let executor: QueueExecutor
    let io: BlockingQueue
    /// For contents that other devices ask to keep: those that are wanted here do not wait for them.
    let keepPermits = AsyncSemaphore(4)
    private let start = ContinuousClock.now
    /// How many wait for the queue.
    private nonisolated let waiting = Atomic<Int>(0)

    var planner: FileSyncPlanner
    let disk: ContainerDisk
    /// The claims on files that apps use.
    let claims: ContainerClaims
    /// Its path without links, as files are coordinated.
    let realPath: String
    /// Whether the disk was looked at: steps from before a crash are over.
    var hasScanned = false
    var watcher: DirectoryWatcher?
    var inbox: [FileSyncInput] = []
    private var actions: [FileSyncAction] = []
    private(set) var isStopped = false
    private var isInRound = false
    private var results = WaitingResults(at: .now)
    /// The round goes on when others have had their turn.
    private var goesOn = false
    var keeping: StateKeeping
    /// Whole contents beside the tree.
    let shelf: ContentShelf
    /// Contents that are being fetched: each by one task at a time, whatever it is for.
    let flights = KeyedLocks<ContentHash>()
    /// Contents that are on their way or kept.
    let ledger: ContentLedger
    /// Devices that are near.
    var direct: DirectState
    var dirty: Set<LocalHandle> = []
    var isGathering = false
    /// Looks at the whole disk in a row: when the last one ended, how many there were, and how long the last one took.
    var scans: (last: ContinuousClock.Instant?, count: Int, took: Duration) = (nil, 0, .zero)
    /// When the last look at some directories ended, and how long it took.
    var looks: (last: ContinuousClock.Instant, took: Duration) = (.now, .zero)
    /// Inputs, actions and entries since memory was given back.
    var work = 0
    /// Memory is given back soon, if there is some.
    var isGivingBackDue = false
    private var timer: DeadlineTimer.Entry?
    private var isNewsDue = false
    private var newsTold: ContinuousClock.Instant?
    private var watches = ItemWatches()
    /// Changes that search has not taken yet.
    var unsearched = UnsearchedDocuments()
    var isLookingForRoot = false
    /// Looks at the whole disk in a row during which a directory was moved.
    var unsteadyScans = 0
    /// Looks at the whole disk in a row that missed a directory, for another reason than that it may not be read.
    var missingScans = 0
    /// Files that are compared, until what became of that is durable.
    var compared: Set<LocalHandle> = []
    /// The contents of those of them that are as they were.
    var comparedContents: [LocalHandle: ContentHash] = [:]
    /// Files of the tree that are to be read.
    var reads = FileReads()
    /// The entries of steps that apps keep from being done.
    var waitingSteps: [EntryID: [EntryID]] = [:]
    /// Entries that the planner wants written together.
    var outbox: [EntryID] = []
    /// The state that presenters of its files were sent.
    var presented = PresentedState()
    /// How far contents are, and the problems, for people.
    var notes: ContainerNotes
    /// Ignored directories in the places of those that come: scans show them, so that they are one, until the planner knows them.
    /// Bound: one for each directory that comes.
    var adopting: Set<LocalHandle> = []
    /// Those for which that was tried.
    var adopted: Set<LocalHandle> = []
    let meters = TransferMeters()
    /// The folder is looked at soon, for what was changed here.
    var isLookDue = false
    /// The whole disk is looked at soon, since the last look did not show everything.
    var isLookAgainDue = false
    /// Its folders are closed soon, if they are not used.
    var isClosingDue = false

    init(
        name: ContainerName, path: String, row: DocumentsStore.Container, disk: ContainerDisk, shelf: ContentShelf,
        notInCloud: Set<ContentHash>, direct: DirectState, planner: FileSyncPlanner, keeping: StateKeeping,
        ports: ContainerDependencies
    ) {
        self.name = name
        self.path = path
        self.row = row
        self.disk = disk
        self.shelf = shelf
        ledger = ContentLedger(notInCloud: notInCloud)
        self.direct = direct
        self.planner = planner
        self.keeping = keeping
        self.ports = ports
        notes = ContainerNotes(isReadToEnd: row.isComplete)
        realPath = Self.resolved(path)
        let told = WeakContainer()
        claims = ContainerClaims(ports.arbiter) { purpose, id, answer in
            told.container?.later { $0.answered(purpose, id, answer) }
        }
        executor = QueueExecutor("development.baton.documents.\(name.identifier)")
        io = BlockingQueue("development.baton.documents-io.\(name.identifier)")
        told.container = self
    }

    /// Does what takes long with contents.
    nonisolated var writer: ContainerWriter { ContainerWriter(engine: self) }

    // MARK: The queue

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs something between rounds.
    nonisolated func perform<Value: Sendable>(
        _ body: @Sendable (isolated ContainerEngine) throws -> Value
    ) async throws -> Value {
        waiting.add(1, ordering: .relaxed)
        return try await performInTurn(body)
    }

    private func performInTurn<Value: Sendable>(
        _ body: @Sendable (isolated ContainerEngine) throws -> Value
    ) throws -> Value {
        waiting.subtract(1, ordering: .relaxed)
        defer { closeFoldersLater() }
        return try body(self)
    }

    nonisolated var isWaitedFor: Bool { waiting.load(ordering: .relaxed) > 0 }

    /// The same, without waiting.
    nonisolated func later(_ body: @escaping @Sendable (isolated ContainerEngine) -> Void) {
        executor.queue.async { [weak self] in
            self?.assumeIsolated {
                body($0)
                $0.closeFoldersLater()
            }
        }
    }

    /// The same after a time.
    nonisolated func later(after delay: Duration, _ body: @escaping @Sendable (isolated ContainerEngine) -> Void) {
        _ = DeadlineTimer.shared.schedule(after: delay) { [weak self] in self?.later(body) }
    }

    // MARK: Life

    /// Begins to sync. Blocks.
    func begin() {
        guard watcher == nil, !isStopped else { return }
        watcher = DirectoryWatcher(queue: executor.queue) { [weak self] _, news in
            self?.assumeIsolated { $0.noticed(news) }
        }
        removeLeftovers()
        presented.begin(planner.state)
        ledger.resumeSending(self)
        inbox.append(.started)
        buryKnown()
        round()
        beginBurying()
        ledger.bringKept(self)
    }

    /// For good.
    func stop() {
        isStopped = true
        watcher?.stop()
        claims.forgetAll()
        if let timer { DeadlineTimer.shared.cancel(timer) }
        timer = nil
        watches.finish()
    }

    func handle(of directory: EntryID) -> LocalHandle? {
        if directory == .root { return disk.rootHandle }
        if directory == EntryID(high: 0, low: 2) { return disk.stagingHandle }
        return planner.state.base.handle(of: directory)
    }

    // MARK: Rounds

    /// Goes on until nothing waits; others have their turn on the queue in between. The waiting changes are durable
    /// when it returns.
    /// - Parameter actsLater: what follows from it is begun in the next turn.
    func round(actsLater: Bool = false) {
        guard !isStopped, !isInRound else { return }
        isInRound = true
        defer {
            isInRound = false
            disk.closeDirectories()
        }
        let begin = ContinuousClock.now
        while true {
            let now = moment
            let inputs = takeInputs()
            for input in inputs { actions += planner.handle(input, now: now) }
            if let deadline = planner.nextDeadline(now: now), deadline <= now.monotonic {
                actions += planner.advance(now: now)
            }
            guard keep() else { return }
            guard !actions.isEmpty || !inbox.isEmpty else { break }
            // A device that brings more than can be done waits for some of it.
            if actsLater, actions.count < Self.largeWork {
                goOnLater()
                break
            }
            let batch = actions
            let actionsBegin = ContinuousClock.now
            var done = 0
            for action in batch {
                perform(action)
                done += 1
                if isTurnOver(begin, actionsBegin) { break }
            }
            actions = Array(batch[done...])
            work += inputs.count + done
            noteTouched()
            if inbox.isEmpty, actions.isEmpty {
                synchronize()
                if inbox.isEmpty { break }
            }
            guard !isTurnOver(begin, actionsBegin) else {
                goOnLater()
                break
            }
        }
        finishCompared()
        for id in notes.unmade where planner.isPlaced(id) || planner.state.entries[id] == nil {
            notes.unmade.remove(id)
            notes.problems[id] = nil
        }
        noteTouched()
        if !goesOn { giveBackMemory() }
        arm()
        // Notifying watchers may look at every item: not after each turn of a long round.
        if !goesOn || newsTold.map({ $0.duration(to: .now) > .seconds(1) }) ?? true { tellNews() }
    }

    /// - Returns: all that waits, which is durable then; nothing while more results come.
    private func takeInputs() -> [FileSyncInput] {
        guard !results.mayWait(inbox, forMore: !actions.isEmpty, at: .now) else { return [] }
        synchronize()
        defer { inbox = [] }
        return inbox
    }

    private func isTurnOver(_ begin: ContinuousClock.Instant, _ actions: ContinuousClock.Instant) -> Bool {
        let now = ContinuousClock.now
        return begin.duration(to: now) > Self.turn || actions.duration(to: now) > Self.shortTurn && isWaitedFor
    }

    /// Staged files are durable before the planner hears of them.
    private func synchronize() {
        let lost = disk.synchronize()
        guard !lost.isEmpty else { return }
        let failure = disk.failure ?? DiskFailure("write a file", code: EIO)
        for case .staged(let id, _, let handle, _) in inbox where lost.contains(handle) { stagingFailed(id, failure) }
        inbox.removeAll { input in
            guard case .staged(_, _, let handle, _) = input else { return false }
            return lost.contains(handle)
        }
        for handle in lost { disk.discard(handle) }
    }

    private func goOnLater() {
        guard !goesOn else { return }
        goesOn = true
        later {
            $0.goesOn = false
            $0.round()
        }
    }

    /// - Returns: false where it cannot be written: nothing is begun then, and it is tried again.
    private func keep() -> Bool {
        do {
            try keeping.save(&planner, isComplete: planner.state.entries.isComplete)
            if notes.problem?.reason == "not_saved" { notes.problem = nil }
            noteDurable(keeping.takeSaved())
            return true
        } catch {
            // Room would not help where bytes are missing.
            let damage = (error as? BatonError).flatMap { $0.reason == EntryCodec.notKept.reason ? $0 : nil }
            notes.problem = BatonError(
                damage?.code ?? .resourceExhausted, reason: "not_saved",
                damage?.message
                    ?? "The state of the container “\(name)” cannot be written to the disk. Free some space on it.",
                cause: error)
            record("not_saved", notes.problem?.message ?? "", ["error": "\(error)"])
            later(after: Self.retryDelay) { $0.round() }
            return false
        }
    }

    var moment: Timestamp {
        Timestamp(start.duration(to: .now), wall: ports.clock.milliseconds)
    }

    private func arm() {
        if let timer { DeadlineTimer.shared.cancel(timer) }
        timer = nil
        let now = moment
        guard !isStopped, let deadline = planner.nextDeadline(now: now) else { return }
        let delay = max(deadline - now.monotonic, .milliseconds(10))
        timer = DeadlineTimer.shared.schedule(after: delay) { [weak self] in self?.later { $0.round() } }
    }

    /// Compared files that are kept for nothing go, now that that is durable. Those that the planner has not heard of yet, since
    /// the turn was over, are left to the next round.
    private func finishCompared() {
        var untold: Set<LocalHandle> = []
        for case .compared(let handle, _) in inbox { untold.insert(handle) }
        for handle in compared where planner.state.displaced[handle] == nil {
            if let hash = comparedContents[handle], ledger.keepDisplaced(handle, hash, self) { continue }
            disk.discard(handle)
        }
        compared.formIntersection(untold)
        comparedContents = comparedContents.filter { untold.contains($0.key) }
    }

    private func noteTouched() {
        let touched = keeping.takeTouched()
        watches.note(touched)
        unsearched.note(touched, of: planner.state.entries.count)
        tellPresenters(touched)
    }

    // MARK: Watchers

    /// Follows the items from how they are now.
    func watchItems() -> (watch: ItemWatch, items: [ContainerItem]) {
        let (watch, items) = watches.add(reader)
        if isStopped { watch.finish() }
        return (watch, items)
    }

    func endWatching(_ watch: ItemWatch) { watches.remove(watch) }

    /// Watchers look at most so often.
    func tellNews() {
        guard !isNewsDue else { return }
        isNewsDue = true
        later(after: Self.newsDelay) {
            $0.isNewsDue = false
            $0.newsTold = .now
            $0.tellWatchers()
            $0.ports.tell()
        }
    }

    func tellWatchers() { watches.tell(reader, untold: keeping.touched) }

    nonisolated func record(_ event: String, _ message: String, _ fields: [String: String] = [:]) {
        ports.recorder.record("documents", event, message, fields.merging(["container": name.identifier]) { $1 })
    }
}
