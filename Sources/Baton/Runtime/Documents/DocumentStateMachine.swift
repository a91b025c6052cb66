import BatonConcurrency

/// The state machine of a document: requests one after the other, automatic saving, and the questions of presenters.
///
/// One job runs at a time: a read or a write. While another process reads or writes the file, only the save that it asked
/// for runs. `docs/document-classes.md` has the table.
struct DocumentStateMachine: StateMachine {
    struct ID: Hashable, Sendable, Comparable {
        let number: UInt64
        static func < (left: ID, right: ID) -> Bool { left.number < right.number }
    }

    enum Request: Hashable, Sendable {
        case open
        case save(creating: Bool)
        /// Saves if there is something to save.
        case autosave
        case close
        /// Reads again, and forgets what is not saved.
        case revert
        /// Saves for a reader or writer that waits, before everything else.
        case saveForOther
    }

    /// The file on the disk, compared with what was read or written last.
    enum Observation: Hashable, Sendable {
        case unchanged
        case changed
        case missing
    }

    enum Input: Hashable, Sendable {
        case request(ID, Request)
        case counted(ChangeCounter.Change)
        case cleared
        /// The document has taken over what is being read. Changes from now on are changes of that.
        case loaded
        /// The job that the action started has ended.
        case finished(ID, succeeded: Bool)
        /// A write of the document's own methods, which the job has called, has ended; they have not returned yet.
        case written(ID, succeeded: Bool)
        /// Those methods have returned, and the job has ended with them. Nothing was saved unless `written` came before.
        case answered(ID, succeeded: Bool)
        /// Another process asks to use the file. It is let in; no other job starts until it is done.
        case relinquish(ID)
        /// He is done.
        case reacquired(ID)
        /// Something may have happened to the file.
        case hint
        case observed(Observation)
        case conflict(Bool)
        case editingDisabled(Bool)
    }

    enum Action: Hashable, Sendable {
        case read(ID, reverting: Bool)
        case write(ID, creating: Bool)
        case complete(ID, Bool)
        /// Lets another process use the file.
        case yield(ID)
        /// Compares the file with what is known; `observed` answers.
        case observe
        /// The flags or whether there are changes may be others now.
        case stateChanged
        /// From now on the document hears of what happens to its file, or no longer.
        case present(Bool)
    }

    struct Delays: Sendable {
        /// After the last change.
        var idle: Duration = .seconds(3)
        /// After the first change, however many follow.
        var longest: Duration = .seconds(15)
        /// After a save that failed, doubled each time.
        var retry: Duration = .seconds(15)
        var longestRetry: Duration = .seconds(300)
    }

    private(set) var isOpen = false
    private(set) var hasSavingError = false
    private(set) var isInConflict = false
    private(set) var isEditingDisabled = false
    private(set) var isDeleted = false
    var savesAutomatically = true
    var counter = ChangeCounter()

    private let delays: Delays
    private var queue: [(id: ID, request: Request)] = []
    private var job: (id: ID, request: Request, token: ChangeCounter.Token?)?
    /// The job's methods have written something.
    private var hasWritten = false
    private var isLoaded = false
    private var asking: [ID] = []
    private var holders: Set<ID> = []
    private var mustObserve = false
    private var isObserving = false
    /// The file is newer, but there are changes that are not saved.
    private var isBehind = false
    private var firstChange: Duration?
    private var lastChange: Duration?
    private var retryAt: Duration?
    private var failures = 0
    /// The last save that the machine started by itself; the driver's count up from 1.
    private var lastOwn: UInt64 = 1 << 62

    init(delays: Delays = Delays()) { self.delays = delays }

    /// A change came while the newer file was being read by itself: it must not be loaded over the change.
    var isReloadOvertaken: Bool {
        guard let job, job.request == .revert, job.id.number > 1 << 62 else { return false }
        return counter.isEdited && !isLoaded
    }

    var isBusy: Bool { job != nil || !queue.isEmpty }

    /// The method of the document that the write which runs begins with.
    enum Method: Hashable, Sendable {
        /// None: the app has called the method.
        case none
        case save
        case autosave
    }

    var method: Method {
        switch job?.request {
        case .autosave where (job?.id.number ?? 0) < 1 << 62: .save
        case .autosave, .close, .saveForOther: .autosave
        case .open, .save, .revert, nil: .none
        }
    }

    /// The methods of a document that is being closed are waited for, even if they have written all.
    var isClosing: Bool { job?.request == .close }

    /// The job's methods take what they write now: changes from now on are not in it.
    mutating func beginWriting() { job?.token = counter.token() }

    // MARK: Inputs

    mutating func handle(_ input: Input, now: Timestamp) -> [Action] {
        var actions: [Action] = []
        switch input {
        case .request(let id, .saveForOther): queue.insert((id, .saveForOther), at: 0)
        case .request(let id, let request): queue.append((id, request))
        case .counted(let change):
            counter.count(change)
            noteChange(now)
            actions.append(.stateChanged)
        case .cleared:
            counter.clear()
            forgetChanges()
            actions.append(.stateChanged)
        case .loaded: takeOver()
        case .finished(let id, let succeeded): finish(id, succeeded, now, &actions)
        case .written(let id, let succeeded): written(id, succeeded, now, &actions)
        case .answered(let id, let succeeded): answered(id, succeeded, now, &actions)
        case .relinquish(let id): asking.append(id)
        case .reacquired(let id):
            asking.removeAll { $0 == id }
            if holders.remove(id) != nil { mustObserve = true }
        case .hint: mustObserve = true
        case .observed(let observation): observed(observation, &actions)
        case .conflict(let isInConflict):
            if self.isInConflict != isInConflict { actions.append(.stateChanged) }
            self.isInConflict = isInConflict
        case .editingDisabled(let isDisabled):
            if isEditingDisabled != isDisabled { actions.append(.stateChanged) }
            isEditingDisabled = isDisabled
        }
        startNext(&actions)
        return actions
    }

    private mutating func noteChange(_ now: Timestamp) {
        guard counter.isEdited else {
            if isBehind { mustObserve = true }
            return forgetChanges()
        }
        if firstChange == nil { firstChange = now.monotonic }
        lastChange = now.monotonic
    }

    private mutating func forgetChanges() {
        firstChange = nil
        lastChange = nil
        retryAt = nil
        failures = 0
    }

    private mutating func observed(_ observation: Observation, _ actions: inout [Action]) {
        isObserving = false
        guard isOpen else { return }
        switch observation {
        case .unchanged: break
        case .changed where isBusy: mustObserve = true
        // Unsaved changes stay: the next save keeps the other version.
        case .changed where counter.isEdited: isBehind = true
        case .changed: queue.append((own(), .revert))
        case .missing:
            // A write that runs brings the file back. Otherwise the document must not: it was deleted elsewhere.
            guard job == nil else { break }
            isDeleted = true
            isOpen = false
            actions += [.present(false), .stateChanged]
        }
    }

    private mutating func own() -> ID {
        lastOwn += 1
        return ID(number: lastOwn)
    }

    // MARK: Jobs

    private mutating func startNext(_ actions: inout [Action]) {
        // At once, also while a job runs: the coordinator keeps them apart, and a job that still waits for its claim could
        // wait for the very one who asks.
        for id in asking {
            holders.insert(id)
            actions.append(.yield(id))
        }
        asking = []
        while job == nil {
            guard let next = queue.first, holders.isEmpty || next.request == .saveForOther else { break }
            queue.removeFirst()
            start(next.id, next.request, &actions)
        }
        if mustObserve, job == nil, holders.isEmpty, isOpen, !isObserving {
            mustObserve = false
            isObserving = true
            actions.append(.observe)
        }
    }

    private mutating func start(_ id: ID, _ request: Request, _ actions: inout [Action]) {
        switch request {
        case .open:
            // The content in memory is newer than the file.
            if isOpen, counter.isEdited { return actions.append(.complete(id, true)) }
            read(id, request, reverting: false, &actions)
        case .revert:
            guard isOpen else { return actions.append(.complete(id, false)) }
            // One of the machine's own, which a change has overtaken.
            if id.number > 1 << 62, counter.isEdited { return }
            read(id, request, reverting: true, &actions)
        case .save(let isCreating):
            // A document that was not read has nothing that could be saved over a file.
            guard isOpen || isCreating else { return actions.append(.complete(id, false)) }
            write(id, request, creating: isCreating, &actions)
        // A document that is saved by hand only is not saved because another program reads it.
        case .saveForOther where !savesAutomatically: actions.append(.complete(id, true))
        case .autosave, .saveForOther:
            guard isOpen, counter.isEdited else { return actions.append(.complete(id, true)) }
            write(id, request, creating: false, &actions)
        case .close:
            guard isOpen, counter.isEdited else { return finishClosing(id, &actions) }
            write(id, request, creating: false, &actions)
        }
    }

    private mutating func takeOver() {
        guard !isLoaded, job?.request == .open || job?.request == .revert else { return }
        isLoaded = true
        // Earlier changes belonged to the content that is gone now.
        counter = ChangeCounter()
        forgetChanges()
    }

    private mutating func read(_ id: ID, _ request: Request, reverting: Bool, _ actions: inout [Action]) {
        isLoaded = false
        job = (id, request, counter.token())
        actions.append(.read(id, reverting: reverting))
    }

    private mutating func write(_ id: ID, _ request: Request, creating: Bool, _ actions: inout [Action]) {
        hasWritten = false
        job = (id, request, counter.token())
        actions.append(.write(id, creating: creating))
    }

    private mutating func finish(_ id: ID, _ succeeded: Bool, _ now: Timestamp, _ actions: inout [Action]) {
        guard let job, job.id == id else { return }
        // A document that reads by itself does not say when it takes over.
        if succeeded { takeOver() }
        self.job = nil
        switch job.request {
        case .open, .revert: finishReading(job.request, succeeded, &actions)
        case .save, .autosave, .saveForOther, .close: finishWriting(job.token, succeeded, now, &actions)
        }
        if job.request == .close, succeeded {
            // Changes of the meantime are saved too.
            if counter.isEdited { return queue.insert((id, .close), at: 0) }
            return finishClosing(id, &actions)
        }
        actions.append(.complete(id, succeeded))
    }

    private mutating func written(_ id: ID, _ succeeded: Bool, _ now: Timestamp, _ actions: inout [Action]) {
        guard let job, job.id == id else { return }
        hasWritten = true
        finishWriting(job.token, succeeded, now, &actions)
    }

    private mutating func answered(_ id: ID, _ succeeded: Bool, _ now: Timestamp, _ actions: inout [Action]) {
        guard let job, job.id == id else { return }
        self.job = nil
        // It is as the app says; what counts as changed is asked for again, later.
        if !hasWritten, counter.isEdited { waitLonger(now) }
        if job.request == .close, succeeded {
            if counter.isEdited, hasWritten { return queue.insert((id, .close), at: 0) }
            return finishClosing(id, &actions)
        }
        actions.append(.complete(id, succeeded))
    }

    private mutating func finishReading(_ request: Request, _ succeeded: Bool, _ actions: inout [Action]) {
        guard succeeded else { return actions.append(.stateChanged) }
        hasSavingError = false
        becomeOpen(&actions)
    }

    private mutating func finishWriting(
        _ token: ChangeCounter.Token?, _ succeeded: Bool, _ now: Timestamp, _ actions: inout [Action]
    ) {
        hasSavingError = !succeeded
        guard succeeded else {
            waitLonger(now)
            return actions.append(.stateChanged)
        }
        if let token { counter.clear(with: token) }
        forgetChanges()
        noteChange(now)
        becomeOpen(&actions)
    }

    private mutating func waitLonger(_ now: Timestamp) {
        let delay = min(delays.retry * (1 << min(failures, 10)), delays.longestRetry)
        failures += 1
        retryAt = now.monotonic + delay
    }

    private mutating func becomeOpen(_ actions: inout [Action]) {
        isDeleted = false
        isBehind = false
        if !isOpen {
            isOpen = true
            actions.append(.present(true))
            // Something may have happened before the document heard of it.
            mustObserve = true
        }
        actions.append(.stateChanged)
    }

    private mutating func finishClosing(_ id: ID, _ actions: inout [Action]) {
        if isOpen {
            isOpen = false
            hasSavingError = false
            isInConflict = false
            forgetChanges()
            actions += [.present(false), .stateChanged]
        }
        actions.append(.complete(id, true))
    }

    // MARK: Time

    private var deadline: Duration? {
        guard isOpen, savesAutomatically, !isEditingDisabled, !isBusy, let firstChange, let lastChange else {
            return nil
        }
        let due = min(lastChange + delays.idle, firstChange + delays.longest)
        return max(due, retryAt ?? due)
    }

    mutating func nextDeadline(now: Timestamp) -> Duration? { deadline }

    mutating func advance(now: Timestamp) -> [Action] {
        guard let deadline, deadline <= now.monotonic else { return [] }
        var actions: [Action] = []
        queue.append((own(), .autosave))
        startNext(&actions)
        return actions
    }
}
