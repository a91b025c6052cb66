import BatonConcurrency
import Synchronization

/// Hears what a sync engine does, and gives it what is to be sent. CloudKit's.
///
/// The engine calls one method at a time, and waits for its end. Do not call `fetchChanges` or `sendChanges` from within: that is a
/// mistake of the program, and goes to ``BatonExceptions/handler``.
public protocol CKSyncEngineDelegate: AnyObject, Sendable {
    /// Something has happened.
    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async
    /// Gives records to be sent; called until it gives none.
    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch?
    /// The zones that the engine fetches by itself; all of them at first.
    func nextFetchChangesOptions(
        _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions
}

extension CKSyncEngineDelegate {
    /// A description of the context.
    public func nextFetchChangesOptions(
        _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions { context.options }
}

/// Keeps an app's own data and a database the same. CloudKit's.
///
/// The app adds the names of records that have changed to ``state``, gives the records when it is asked for them, and stores what
/// others have changed when the engine reports it. The engine sends at once and fetches as soon as another device's change is
/// here; with `automaticallySync` false only when it is asked. It ends with its last strong reference; the delegate is held
/// weakly.
///
/// Changes that the engine itself has saved do not come back as fetched ones. A record of which an asset is not on this device
/// yet is reported when the asset has come. Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5>
public final class CKSyncEngine: Sendable {
    /// How an engine is made. CloudKit's.
    public struct Configuration: Sendable {
        /// The database.
        public var database: CKDatabase
        /// The last `stateUpdate` of the previous engine; nil for the first time.
        public var stateSerialization: State.Serialization?
        /// The receiver of events; held weakly.
        public weak var delegate: (any CKSyncEngineDelegate)?
        /// Whether it sends and fetches by itself; at first true.
        public var automaticallySync = true
        /// Not used: changes come by themselves.
        public var subscriptionID: CKSubscription.ID?

        /// How an engine is made.
        public init(
            database: CKDatabase, stateSerialization: State.Serialization?, delegate: any CKSyncEngineDelegate
        ) {
            self.database = database
            self.stateSerialization = stateSerialization
            self.delegate = delegate
        }
    }

    /// Which engine's delegate is being called, and in which task: one that the delegate has started may wait for the engine.
    private struct Caller: Sendable, Equatable {
        var engine: ObjectIdentifier
        var task: Int?

        init(_ engine: CKSyncEngine) {
            self.engine = ObjectIdentifier(engine)
            task = withUnsafeCurrentTask { $0?.hashValue }
        }
    }

    @TaskLocal private static var calling: Caller?

    private struct Internals {
        var tasks: [Task<Void, Never>] = []
        /// Grows with each cancellation: what has begun before ends.
        var cancellations: UInt64 = 0
        /// There may be something to fetch.
        var mustFetch = true
        var backoff = SyncBackoff()
        /// Tags of what this engine has saved, which do not come back; and what it has deleted.
        var echoes = SyncEchoes()
        /// The lasting error that the delegate has heard of last.
        var refusal: CKError.Code?
    }

    /// The database.
    public let database: CKDatabase
    /// The pending changes and the progress of fetching.
    public let state: State
    let configuration: Configuration
    private let gate = AsyncSemaphore(1)
    private let wake = Signal()
    private let internals = Mutex(Internals())

    /// An engine. It begins at once: with `automaticallySync` it fetches and sends.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        database = configuration.database
        state = State(configuration.stateSerialization?.values ?? SyncEngineValues())
        let wake = wake
        state.whenChanged { wake.send() }
        let news = database.server.news(database.name)
        // They end with the engine, which they do not hold while they wait.
        let working = Task { [weak self] in
            for await _ in wake.stream { await self?.work() }
        }
        // As above: `deinit` cancels both.
        let noticing = Task { [weak self] in
            for await news in news { self?.noticed(news) }
        }
        internals.withLock { $0.tasks = [working, noticing] }
        wake.send()
    }

    deinit {
        wake.finish()
        for task in internals.withLock({ $0.tasks }) { task.cancel() }
    }

    // MARK: By the app

    /// Fetches what others have changed. Returns when the delegate has heard of it.
    /// - Throws: `CKError`, the first one of a zone that could not be fetched.
    public func fetchChanges(_ options: FetchChangesOptions = FetchChangesOptions()) async throws {
        try checkCaller("fetchChanges")
        let context = FetchChangesContext(reason: .manual, options: options)
        try await gate.withPermit {
            do {
                try await self.fetch(context)
                await self.tellState()
            } catch {
                await self.tellState()
                throw error
            }
        }
    }

    /// Sends what is pending. Returns when the delegate has heard how it went.
    /// - Throws: `CKError`: `partialFailure` with the error of each change that failed.
    public func sendChanges(_ options: SendChangesOptions = SendChangesOptions()) async throws {
        try checkCaller("sendChanges")
        let context = SendChangesContext(reason: .manual, options: options)
        try await gate.withPermit {
            do {
                try await self.send(context)
                await self.tellState()
            } catch {
                await self.tellState()
                throw error
            }
        }
    }

    /// Ends what is being sent and fetched, with `CKError.operationCancelled`; returns when it has ended. Called from the delegate it
    /// does not wait.
    public func cancelOperations() async {
        internals.withLock { $0.cancellations += 1 }
        guard Self.calling != Caller(self) else { return }
        await gate.withPermit {}
    }

    private func checkCaller(_ name: String) throws(CKError) {
        guard Self.calling == Caller(self) else { return }
        let message =
            "CKSyncEngine.\(name) was called by the engine's delegate, which would wait for itself. Add the changes to the "
            + "state instead: the engine goes on when the delegate's method has ended."
        BatonExceptions.raiseInconsistency(message)
        throw CKError(.invalidArguments, message)
    }

    // MARK: By itself

    private func noticed(_ news: RecordNews) {
        internals.withLock { internals in
            internals.mustFetch = true
            internals.backoff = SyncBackoff()
        }
        if case .changed(let zones?) = news {
            state.change { values in
                for zone in zones where !values.unfetched.contains(zone) { values.unfetched.append(zone) }
            }
        }
        wake.send()
    }

    /// Reports the state, and sends and fetches what there is.
    private func work() async {
        await gate.withPermit {
            await self.tellState()
            guard self.configuration.automaticallySync, self.configuration.delegate != nil else { return }
            var failure: CKError?
            let values = self.state.read { $0 }
            if !values.changes.isEmpty || !values.zoneChanges.isEmpty || values.hasUntracked {
                do throws(CKError) { try await self.sendBySchedule() } catch { failure = error }
            }
            if self.takeMustFetch() {
                do throws(CKError) { try await self.fetchBySchedule() } catch { failure = failure ?? error }
            }
            if let failure {
                self.tryAgain(after: failure)
            } else {
                self.internals.withLock { $0.backoff = SyncBackoff() }
            }
            await self.tellState()
        }
    }

    private func sendBySchedule() async throws(CKError) {
        do throws(CKError) {
            try await send(SendChangesContext(reason: .scheduled, options: SendChangesOptions()))
        } catch {
            // The delegate has heard of records that failed for good.
            let errors = error.partialErrorsByItemID?.values.compactMap { $0 as? CKError } ?? [error]
            if let passing = errors.first(where: \.isRetriedByEngine) { throw passing }
            // Changes that the delegate added while it handled them.
            if error.code == .partialFailure, !state.read(\.changes).isEmpty { throw error }
        }
    }

    private func takeMustFetch() -> Bool {
        internals.withLock { internals in
            defer { internals.mustFetch = false }
            return internals.mustFetch
        }
    }

    private func fetchBySchedule() async throws(CKError) {
        do throws(CKError) {
            let asked = FetchChangesContext(reason: .scheduled, options: FetchChangesOptions())
            var options = asked.options
            if let delegate = configuration.delegate {
                options = await Self.$calling.withValue(Caller(self)) {
                    await delegate.nextFetchChangesOptions(asked, syncEngine: self)
                }
            }
            try await fetch(FetchChangesContext(reason: .scheduled, options: options))
        } catch {
            internals.withLock { $0.mustFetch = true }
            throw error
        }
        // An asset that was not here may be there later, without any event.
        if !state.read(\.incomplete).isEmpty {
            internals.withLock { $0.mustFetch = true }
            throw CKError(.networkUnavailable, "Assets of records are not on this device yet.")
        }
    }

    /// Longer each time. Without an account there is nothing to wait for but the account.
    private func tryAgain(after error: CKError) {
        guard error.code != .notAuthenticated, error.code != .operationCancelled else { return }
        let pause = internals.withLock { $0.backoff.next() }
        let wake = wake
        // Not held by anything: it ends with its pause, at most five minutes.
        Task {
            try? await Task.sleep(for: pause)
            wake.send()
        }
    }
}

// MARK: - For sending and fetching

extension CKSyncEngine {
    func emit(_ event: Event) async {
        guard let delegate = configuration.delegate else { return }
        await Self.$calling.withValue(Caller(self)) {
            await delegate.handleEvent(event, syncEngine: self)
        }
    }

    func nextBatch(_ context: SendChangesContext) async -> RecordZoneChangeBatch? {
        guard let delegate = configuration.delegate else { return nil }
        return await Self.$calling.withValue(Caller(self)) {
            await delegate.nextRecordZoneChangeBatch(context, syncEngine: self)
        }
    }

    func tellState() async {
        guard let values = state.takeNews() else { return }
        await emit(.stateUpdate(Event.StateUpdate(stateSerialization: State.Serialization(values))))
    }

    /// Looks up the account, and reports a change of it.
    func checkAccount() async throws(CKError) {
        let account = try await database.server.account(database.name)
        if let change = state.change({ $0.account(account) }) {
            internals.withLock { internals in
                internals.echoes = SyncEchoes()
                internals.mustFetch = true
            }
            await emit(.accountChange(Event.AccountChange(changeType: change)))
            await tellState()
        }
        switch account.status {
        case .available: return
        case .temporarilyUnavailable:
            throw CKError(
                .accountTemporarilyUnavailable, "The account cannot be used now: unlock the device, or try again.")
        case .couldNotDetermine:
            throw CKError(.networkUnavailable, "The daemon could not determine the account's status.")
        case .restricted: throw CKError(.permissionFailure, "The app may not use the account.")
        case .noAccount: throw CKError(.notAuthenticated, "This device has no account: changes wait.")
        }
    }

    /// Whether the delegate has not heard of it.
    func isNew(_ refusal: CKError?) -> Bool {
        internals.withLock { internals in
            defer { internals.refusal = refusal?.code }
            return internals.refusal != refusal?.code
        }
    }

    func withEchoes<Output: Sendable>(_ body: (inout SyncEchoes) -> Output) -> Output {
        internals.withLock { body(&$0.echoes) }
    }

    var cancellations: UInt64 { internals.withLock { $0.cancellations } }

    func checkCancellation(_ began: UInt64) throws(CKError) {
        if Task.isCancelled || cancellations != began { throw CKOperation.cancelled }
    }
}
