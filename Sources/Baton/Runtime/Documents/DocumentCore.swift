import AppLink
import BatonConcurrency
import Foundation
import Synchronization

/// Runs a ``DocumentStateMachine`` for a document: performs its actions, owns its timer and its queues.
@MainActor
final class DocumentCore {
    typealias Machine = DocumentStateMachine
    /// Nil for success.
    typealias Completion = @MainActor @Sendable ((any Error)?) -> Void

    struct Target: Sendable {
        /// Nil for the document's own place, wherever that is by then.
        var url: URL?
        var type: String?
        /// Raw value of an `NSDocument.SaveOperationType`.
        var operation: UInt?
        /// An error goes to the caller, who shows it, and not to the document.
        var isShownByCaller = false
    }

    /// How a method of the document has ended: as it should, or not, perhaps with an error that the app has not heard of.
    enum Ending: Sendable {
        case succeeded
        case failed((any Error)?)
    }

    typealias MethodEnd = @MainActor @Sendable (Ending) -> Void

    nonisolated let snapshot: Mutex<DocumentSnapshot>
    /// File accesses one after the other.
    nonisolated let fileQueue = DispatchQueue(label: "baton.document.files")
    /// Looks at what the daemon's events say of the document's download or upload.
    nonisolated private let transferQueue = DispatchQueue(label: "baton.document.transfer")
    nonisolated let presenterQueue: OperationQueue
    let environment: DocumentEnvironment
    var machine: Machine
    private(set) weak var host: (any DocumentHost)?

    private var lastID: UInt64 = 0
    private var completions: [Machine.ID: Completion] = [:]
    var targets: [Machine.ID: Target] = [:]
    var errors: [Machine.ID: any Error] = [:]
    /// The job in which the document's own methods save.
    var ownSave: OwnSave?
    private var yields: [Machine.ID: @Sendable ((@Sendable () -> Void)?) -> Void] = [:]
    private var fingerprint: DocumentFingerprint?
    /// Where the document was when its job began.
    private var jobStart: URL?
    private(set) var isPresented = false
    private var pending: [Machine.Action] = []
    private var isPerforming = false
    private var timer: Duration?
    private var observers: [any NSObjectProtocol] = []
    /// The request whose file is read on this thread.
    private var immediate: Machine.ID?
    /// Ends hearing of the sync.
    private var unfollow: (@Sendable () -> Void)?

    nonisolated init(fileURL: URL?, environment: DocumentEnvironment) {
        let type = fileURL.flatMap { environment.type($0) }
        snapshot = Mutex(DocumentSnapshot(fileURL: fileURL, fileType: type))
        presenterQueue = OperationQueue()
        presenterQueue.maxConcurrentOperationCount = 1
        self.environment = environment
        machine = Machine()
    }

    func connect(_ host: any DocumentHost) { self.host = host }

    var savesAutomatically: Bool {
        get { machine.savesAutomatically }
        set { machine.savesAutomatically = newValue }
    }

    // MARK: Inputs

    func request(_ request: Machine.Request, _ target: Target? = nil, _ completion: @escaping Completion) {
        if isPart(request, target, completion) { return }
        host?.endUndoGroup()
        lastID += 1
        let id = Machine.ID(number: lastID)
        completions[id] = completion
        targets[id] = target
        input(.request(id, request))
    }

    private final class Answer: Sendable {
        let result = Mutex<Result<Void, any Error>?>(nil)
    }

    /// Has a request that reads performed before this returns, unless another job is under way: then it comes after that.
    func performNow(_ request: Machine.Request, _ target: Target) throws {
        let answer = Answer()
        let outer = immediate
        immediate = Machine.ID(number: lastID + 1)
        defer { immediate = outer }
        self.request(request, target) { error in
            answer.result.withLock { $0 = error.map { .failure($0) } ?? .success(()) }
        }
        let result = answer.result.withLock { $0 }
        try result?.get()
        // It was read without a claim.
        if result != nil { input(.hint) }
    }

    func relinquish(_ answer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        host?.endUndoGroup()
        lastID += 1
        let id = Machine.ID(number: lastID)
        yields[id] = answer
        input(.relinquish(id))
    }

    func input(_ input: Machine.Input) {
        pending += machine.handle(input, now: environment.clock.now)
        drain()
    }

    /// Has the document take over what was read, unless a change has come first that would be lost.
    func load(_ body: () throws -> Void) throws {
        guard !machine.isReloadOvertaken else { throw CocoaError(.userCancelled) }
        try body()
        input(.loaded)
    }

    /// Changes what no input stands for.
    func update<Value>(_ change: (inout ChangeCounter) -> Value) -> Value {
        defer { publish() }
        return change(&machine.counter)
    }

    private func drain() {
        rearm()
        guard !isPerforming else { return }
        isPerforming = true
        while !pending.isEmpty { perform(pending.removeFirst()) }
        isPerforming = false
    }

    // MARK: Time

    private func rearm() {
        let now = environment.clock.now
        guard let deadline = machine.nextDeadline(now: now), timer.map({ $0 > deadline }) ?? true else { return }
        timer = deadline
        environment.schedule(max(deadline - now.monotonic, .milliseconds(10))) { [weak self] in self?.advance() }
    }

    private func advance() {
        timer = nil
        pending += machine.advance(now: environment.clock.now)
        drain()
    }

    // MARK: Actions

    private func perform(_ action: Machine.Action) {
        switch action {
        case .read(let id, let isReverting): read(id, isReverting)
        case .write(let id, let isCreating): beginOwnSave(id) { write(id, isCreating) }
        case .complete(let id, let succeeded): complete(id, succeeded)
        case .yield(let id):
            yields.removeValue(forKey: id)? {
                MainQueue.async { [weak self] in self?.input(.reacquired(id)) }
            }
        case .observe: observe()
        case .stateChanged: publish()
        case .present(let isPresented): present(isPresented)
        }
    }

    private var access: DocumentFileAccess {
        DocumentFileAccess(
            runtime: environment.coordination(), host: isPresented ? host : nil,
            makeAvailable: { [makeAvailable = environment.makeAvailable] in try makeAvailable($0, false) })
    }

    /// Where a job reads or writes.
    private func begin(_ id: Machine.ID) -> URL? {
        jobStart = snapshot.withLock { $0.fileURL }
        return targets[id]?.url ?? jobStart
    }

    private func read(_ id: Machine.ID, _ isReverting: Bool) {
        guard let host, let url = begin(id) else { return fail(id, CocoaError(.fileReadUnknown)) }
        let type = targets[id]?.type
        if isReverting { host.willRevert() }
        if id == immediate {
            let result = Result {
                try DocumentFileAccess.readUncoordinated(url) { try host.readDocument(from: $0, type: type) }
            }
            if isReverting { host.didRevert() }
            return finish(id, result)
        }
        let access = access
        // A document that is being opened is not followed yet, and its download may take long.
        let unfollow = isPresented ? nil : environment.follow(url) { [weak self] _ in self?.lookAtTransfer(url) }
        fileQueue.async { [self] in
            let result = Result { try access.read(url) { try host.readDocument(from: $0, type: type) } }
            if let unfollow {
                unfollow()
                lookAtTransfer(nil)
            }
            MainQueue.async {
                if isReverting { host.didRevert() }
                self.finish(id, result)
            }
        }
    }

    func write(_ id: Machine.ID, _ isCreating: Bool) {
        guard let host, let url = begin(id) else { return fail(id, CocoaError(.fileWriteUnknown)) }
        let writing: @Sendable (URL) throws -> Void
        do {
            writing = try host.prepareWriting(to: url, creating: isCreating, targets[id])
        } catch { return fail(id, error) }
        let (access, known) = (access, fingerprint)
        // The app does not end in the middle of it.
        let end = environment.keepRunning()
        fileQueue.async { [self] in
            let result = Result {
                try access.write(url, known: known, isCreating: isCreating) { try writing($0) }
            }
            MainQueue.async {
                self.finish(id, result)
                end()
            }
        }
    }

    private func finish(_ id: Machine.ID, _ result: Result<DocumentFileAccess.Outcome, any Error>) {
        switch result {
        case .failure(let error): fail(id, error)
        case .success(let outcome):
            let type = targets[id]?.type ?? host?.type(at: outcome.url) ?? environment.type(outcome.url)
            let start = jobStart
            let isInPlace = targets[id]?.url.map { $0 == start } ?? true
            let isElsewhere = snapshot.withLock { snapshot in
                // A move during the job is newer than where the job was.
                let url = isInPlace && snapshot.fileURL != start ? snapshot.fileURL : outcome.url
                defer {
                    snapshot.fileURL = url
                    snapshot.fileType = type
                    snapshot.modificationDate = outcome.modificationDate
                }
                return snapshot.fileURL != url
            }
            fingerprint = outcome.fingerprint
            if isPresented, isElsewhere { presentAgain() }
            conclude(id, succeeded: true)
            input(.conflict(outcome.isInConflict))
        }
    }

    private func fail(_ id: Machine.ID, _ error: any Error) {
        errors[id] = error
        // A waiting caller gets the error.
        let isShownByCaller = id == immediate || targets[id]?.isShownByCaller == true
        if !machine.isReloadOvertaken, !isShownByCaller { host?.coreDidFail(error) }
        conclude(id, succeeded: false)
        input(.hint)
    }

    private func complete(_ id: Machine.ID, _ succeeded: Bool) {
        targets[id] = nil
        let error = errors.removeValue(forKey: id)
        publish()
        completions.removeValue(forKey: id)?(succeeded ? nil : error ?? CocoaError(.userCancelled))
    }

    private func observe() {
        guard let url = snapshot.withLock({ $0.fileURL }) else { return input(.observed(.unchanged)) }
        let access = access
        fileQueue.async { [self] in
            let outcome = try? access.look(url)
            let isMissing = outcome.map { $0.fingerprint == nil } ?? false
            let isListed = isMissing && environment.isListed(url)
            MainQueue.async { self.observed(outcome, url, isListed: isListed) }
        }
    }

    /// - Parameter isListed: asked before: by now the event of a move has changed the URL.
    private func observed(_ outcome: DocumentFileAccess.Outcome?, _ url: URL, isListed: Bool) {
        guard let outcome, url == snapshot.withLock({ $0.fileURL }) else { return input(.observed(.unchanged)) }
        guard let found = outcome.fingerprint else {
            // Moved by the sync, whose event is on its way: the document is not deleted.
            return input(.observed(isListed ? .unchanged : .missing))
        }
        input(.conflict(outcome.isInConflict))
        input(.observed(found == fingerprint ? .unchanged : .changed))
    }

    func publish() {
        let isChanged = snapshot.withLock { snapshot in
            let before = snapshot
            snapshot.isOpen = machine.isOpen
            snapshot.isInConflict = machine.isInConflict
            snapshot.hasSavingError = machine.hasSavingError
            snapshot.isEditingDisabled = machine.isEditingDisabled
            snapshot.isEdited = machine.counter.isEdited
            snapshot.isDeleted = machine.isDeleted
            return snapshot != before
        }
        if isChanged { host?.coreDidChange() }
    }

    // MARK: Presenting

    private func present(_ isPresented: Bool) {
        self.isPresented = isPresented
        guard let host else { return }
        let runtime = environment.coordination()
        for observer in observers { environment.notifications.removeObserver(observer) }
        observers = []
        unfollow?()
        unfollow = nil
        guard isPresented else {
            lookAtTransfer(nil)
            return runtime.remove(host.filePresenter)
        }
        runtime.add(host.filePresenter)
        follow()
        observers = Self.leaving.map { name in
            environment.notifications.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                // At once where that is possible: the app may be about to end, and waits for what has begun only.
                if MainQueue.isCurrent {
                    MainActor.assumeIsolated { self?.appIsLeft(name) }
                } else {
                    MainQueue.async { self?.appIsLeft(name) }
                }
            }
        }
    }

    /// The core looks at changes by the sync, whether or not it reports them to presenters (D-17).
    private func follow() {
        unfollow?()
        unfollow = nil
        guard let url = snapshot.withLock({ $0.fileURL }) else { return }
        unfollow = environment.follow(url) { [weak self] news in
            switch news {
            case .changed(let item):
                self?.lookAtTransfer(url)
                MainQueue.async { self?.told(of: item) }
            case .progressed: self?.lookAtTransfer(url)
            case .moved(let new): self?.moved(to: new)
            }
        }
        lookAtTransfer(url)
    }

    /// The daemon names the item's size and time after each save: the file is not looked at again where it is as the document left it.
    private func told(of item: UbiquitousItem?) {
        if let item, let fingerprint, fingerprint.isFile(of: item), item.hasConflicts == machine.isInConflict { return }
        input(.hint)
    }

    /// On any thread, in the order of the events.
    /// - Parameter url: nil when the document is not followed any more.
    nonisolated private func lookAtTransfer(_ url: URL?) {
        transferQueue.async { [self] in
            let transfer = url.flatMap(environment.transfer)
            let isChanged = snapshot.withLock { snapshot in
                defer { snapshot.transfer = transfer }
                return snapshot.transfer != transfer
            }
            if isChanged { MainQueue.async { self.host?.coreDidChange() } }
        }
    }

    func presentAgain() {
        present(false)
        present(true)
    }

    nonisolated static let background = NSNotification.Name("UIApplicationDidEnterBackgroundNotification")

    /// An application is about to end, and waits for what is begun now.
    nonisolated static let ending = NSNotification.Name("BatonApplicationIsEndingNotification")

    /// The app may not go on: what is not saved is saved now.
    private static let leaving = [
        NSNotification.Name("UIApplicationWillResignActiveNotification"), background,
        NSNotification.Name("NSApplicationWillResignActiveNotification"), ending,
    ]

    /// On any thread: the file is somewhere else now.
    nonisolated func moved(to url: URL) {
        snapshot.withLock { $0.fileURL = url }
        MainQueue.async { [self] in
            // It may have come into a container, or left one.
            if isPresented { follow() }
            host?.coreDidChange()
            input(.hint)
        }
    }
}
