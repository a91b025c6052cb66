package import AppSessions
package import BatonConcurrency
package import BatonCore
package import BatonTransport
package import FileCoordination
import ServiceLifecycle
import Synchronization

/// Arbitrates who reads and writes which files when, among all processes of this device's person.
///
/// A process attaches, and is a client of the one state machine until its stream ends. Its claims and presenters are released
/// then. Parts of the daemon take part as well; see ``participate(_:)``.
package final class CoordinationService: Service {
    package typealias Action = FileCoordinationStateMachine.Action
    package typealias Input = FileCoordinationStateMachine.Input

    package struct Limits: Sendable {
        /// Attached at once. Policy: more are refused.
        package var sessions = 1024
        /// The most sessions of one process, which needs one, and another one while the end of the first is not noticed yet.
        package var sessionsPerProcess = 2
        /// The most sessions of one app's processes together.
        package var sessionsPerApp = 64
        /// Actions that a process has not read. Policy: one that falls further behind is detached.
        package var actions = 16_384
        /// How long processes from before the daemon's restart may take to present what they hold.
        package var returning = Duration.seconds(5)
        package init() {}
    }

    /// An attached process.
    package struct Session: Sendable {
        package let id: SessionID
        package let client: CoordinationClient
        package let app: AppCaller
        let process: PeerProcess
        /// Where its inputs are decided, so that however many there are nothing else of the daemon waits for a thread.
        let queue = BlockingQueue("development.baton.coordination")
        /// Before the app's purposes, so that no app names another one's.
        var purposes: String { "\(app.identity.team.fingerprint)/\(app.identity.bundleID)" }
        /// The paths that it may name; nil for all.
        let reach: [CoordinatedPath]?
    }

    private struct State {
        var lastClient: UInt64 = 0
        var sessions: [SessionID: Session] = [:]
        var receivers: [CoordinationClient: @Sendable (Action) -> Void] = [:]
        /// Coordinators from before the daemon's restart that were not heard of yet.
        var awaited: Set<CoordinatorRegistry.Entry> = []
    }

    private let state = Mutex(State())
    private let driver: StateMachineDriver<FileCoordinationStateMachine>
    private let limits: Limits
    private let reach: any CoordinationReach
    private let registry: CoordinatorRegistry
    private let recorder: any EventRecorder

    /// Reads the registry, which blocks.
    package init(
        machine: FileCoordinationStateMachine = .init(), limits: Limits = .init(), reach: any CoordinationReach,
        registry: CoordinatorRegistry, recorder: any EventRecorder, clock: MomentClock? = nil
    ) {
        driver = StateMachineDriver(machine, clock: clock ?? MomentClock(wall: .system))
        self.limits = limits
        self.reach = reach
        self.registry = registry
        self.recorder = recorder
        driver.connect { [weak self] action in self?.perform(action) }
        let former = registry.former()
        guard !former.isEmpty else { return }
        state.withLock { $0.awaited = former }
        driver.input(unrefused: .holdBack(until: driver.now.monotonic + limits.returning))
    }

    package func run() async throws { try await driver.run() }

    // MARK: Parts of the daemon

    /// A part of the daemon that coordinates and presents, as any process does. It is never released.
    package struct Participant: Sendable {
        /// Its requests and presenters carry it.
        package let client: CoordinationClient
        private let driver: StateMachineDriver<FileCoordinationStateMachine>

        fileprivate init(client: CoordinationClient, driver: StateMachineDriver<FileCoordinationStateMachine>) {
            self.client = client
            self.driver = driver
        }

        /// Also for `changed`, `versionsChanged` and `ubiquityAttributesChanged`, which need no request.
        package func input(_ input: Input) throws(CoordinationRefusal) { try driver.input(input) }
    }

    /// - Parameter receive: gets the actions for this participant, in order, one at a time. It must not block; it may give
    ///   inputs.
    package func participate(_ receive: @escaping @Sendable (Action) -> Void) -> Participant {
        let client = state.withLock { state in
            state.lastClient += 1
            let client = CoordinationClient(state.lastClient)
            state.receivers[client] = receive
            return client
        }
        return Participant(client: client, driver: driver)
    }

    /// All requests and claims, in the order of arrival, for people.
    package var standings: [FileCoordinationStateMachine.Standing] { driver.read { $0.standings } }

    /// The paths that processes present now.
    package var presentedPaths: Set<CoordinatedPath> { driver.read { $0.presentedPaths } }

    package var hasPresenters: Bool { driver.read { $0.hasPresenters } }

    /// Which apps hold claims that conflict with some accesses, for people, without doubles.
    /// - Parameter client: whose accesses they are.
    package func holders(against intents: [AccessIntent], of client: CoordinationClient) -> [String] {
        let holders = standings.filter { standing in
            standing.phase == .granted && standing.request.id.client != client
                && standing.request.intents.contains { held in intents.contains { $0.conflicts(with: held) } }
        }
        let clients = Set(holders.map(\.request.id.client))
        let names = state.withLock { state in
            state.sessions.values.filter { clients.contains($0.client) }.map(\.app.name)
        }
        // A process that just ended has no session any more, and its claims go with it.
        return Set(names).sorted()
    }

    // MARK: Processes

    /// - Returns: the session, and the actions for it. The stream ends when the process falls behind.
    /// - Throws: `resource_exhausted`, and what writing the registry throws.
    package func attach(_ app: AppCaller, process: PeerProcess) async throws -> (Session, AsyncStream<Action>) {
        let paths = reach.paths(of: app, process)
        let (stream, actions) = AsyncStream.makeStream(
            of: Action.self, bufferingPolicy: .bufferingOldest(limits.actions))
        let session = try state.withLock { state throws(BatonError) in
            let others = state.sessions.values.filter { $0.app.identity == app.identity }
            try check(state, process, others)
            state.lastClient += 1
            let client = CoordinationClient(state.lastClient, app: others.first?.client.app)
            let session = Session(id: .random(), client: client, app: app, process: process, reach: paths)
            state.sessions[session.id] = session
            state.receivers[session.client] = { action in
                if case .dropped = actions.yield(action) { actions.finish() }
            }
            return session
        }
        do {
            try await noteSessions()
        } catch {
            detach(session)
            throw error
        }
        return (session, stream)
    }

    /// - Parameter others: the sessions of the app.
    private func check(_ state: State, _ process: PeerProcess, _ others: [Session]) throws(BatonError) {
        guard state.sessions.count < limits.sessions else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_apps",
                "More than \(limits.sessions) processes coordinate files. Quit some.")
        }
        let own = state.sessions.values.count { $0.process.isSame(as: process) }
        guard own < limits.sessionsPerProcess else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_attachments",
                "Process \(process.processID) is attached \(own) times already. A process attaches once.")
        }
        guard others.count < limits.sessionsPerApp else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_attachments",
                "\(others.count) processes of the app coordinate files already. Let some end.")
        }
    }

    /// The process ended, or its stream: its claims, requests and presenters end.
    package func detach(_ session: Session) {
        state.withLock { state in
            state.sessions[session.id] = nil
            state.receivers[session.client] = nil
        }
        driver.input(unrefused: .clientEnded(session.client))
        // A registry that names too many is corrected with the next change; a process that is gone is not waited for.
        driver.start { [weak self] in try? await self?.noteSessions() }
    }

    private func noteSessions() async throws {
        try await registry.write { [weak self] in
            Set(self?.state.withLock { $0.sessions.values.map { CoordinatorRegistry.Entry($0.process) } } ?? [])
        }
    }

    /// A session answers to its own process only.
    /// - Throws: `not_found` for a session that is not attached, `permission_denied` for another process's.
    package func session(_ text: String, of process: PeerProcess) throws(BatonError) -> Session {
        let id = try SessionID(validating: text)
        guard let session = state.withLock({ $0.sessions[id] }) else {
            throw BatonError(.notFound, reason: "unknown_session", "The process is not attached. Attach again.")
        }
        guard session.process.isSame(as: process) else {
            throw BatonError(.permissionDenied, reason: "other_process", "The session belongs to another process.")
        }
        return session
    }

    /// Gives the machine what a process sent, in order.
    /// - Parameter inputs: each for the session's own client, or the reason why it is none.
    /// - Returns: for each why it was refused, or nil.
    package func take(
        _ inputs: [Result<Input, CoordinationRefusal>], of session: Session
    ) -> [CoordinationRefusal?] {
        let refusals = inputs.map { input -> CoordinationRefusal? in
            do throws(CoordinationRefusal) {
                let input = try input.get()
                guard session.mayGive(input) else { return .notPermitted }
                try driver.input(input)
                return nil
            } catch {
                return error
            }
        }
        heard(of: session.process)
        // It was detached meanwhile: what it began just now would stay for ever.
        if state.withLock({ $0.sessions[session.id] == nil }) {
            driver.input(unrefused: .clientEnded(session.client))
        }
        return refusals
    }

    /// A process that was there before the daemon's restart presents all its claims with its first call.
    private func heard(of process: PeerProcess) {
        let isLast = state.withLock { state in
            guard state.awaited.remove(CoordinatorRegistry.Entry(process)) != nil else { return false }
            return state.awaited.isEmpty
        }
        if isLast { driver.input(unrefused: .holdBack(until: nil)) }
    }

    // MARK: Actions

    private func perform(_ action: Action) {
        switch action {
        case .grant(let id, _), .fail(let id, _): receiver(id.client)?(action)
        case .send(let presenter, _, _): receiver(presenter.client)?(action)
        case .report(let report): record(report)
        }
    }

    private func receiver(_ client: CoordinationClient) -> (@Sendable (Action) -> Void)? {
        state.withLock { $0.receivers[client] }
    }

    private func record(_ report: CoordinationReport) {
        switch report {
        case .silent(let presenter, _, _):
            record("presenter_silent", "does not answer a question about a file that another process wants", presenter)
        case .passedOver(let presenter, _, _):
            record("presenter_passed_over", "did not answer; its file was given to another process", presenter)
        case .deadlock(let circle):
            recorder.record(
                "coordination", "deadlock", "\(circle.count) accesses to files would wait for one another.", [:])
        }
    }

    private func record(_ event: String, _ what: String, _ presenter: FilePresenterID) {
        let session = state.withLock { $0.sessions.values.first { $0.client == presenter.client } }
        var fields: [String: String] = [:]
        if let session {
            fields["bundle_id"] = session.app.identity.bundleID.rawValue
            fields["process_id"] = "\(session.process.processID)"
        }
        recorder.record("coordination", event, "\(session?.app.name ?? "A process") \(what).", fields)
    }
}

extension CoordinationService.Session {
    /// Whether all that an input names may be read by the process.
    func mayGive(_ input: CoordinationService.Input) -> Bool {
        switch input {
        case .request(let request): mayName(request.intents.map(\.path))
        case .end(_, let changes): mayName(changes.map(\.path))
        case .moved(_, let source, let destination): mayName([source, destination.path])
        case .exchanged(_, let one, let other): mayName([one.path, other.path])
        case .present(_, let item): mayName(item.map { [$0.path] } ?? [])
        case .cancel, .removePresenter, .answer: true
        case .changed, .versionsChanged, .ubiquityAttributesChanged, .clientEnded, .holdBack: false
        }
    }

    func mayName(_ paths: [CoordinatedPath]) -> Bool {
        guard let reach else { return true }
        return paths.allSatisfy { path in reach.contains { path.isWithin($0) } }
    }
}

extension StateMachineDriver<FileCoordinationStateMachine> {
    /// For inputs that are never refused.
    fileprivate func input(unrefused input: FileCoordinationStateMachine.Input) { try? self.input(input) }
}
